"""Which examples are kept aside, to measure on."""

from collections import Counter
from collections.abc import Sequence

import torch

from explorer.finetuning.examples import Example, Labelled, LabelledPair
from explorer.finetuning.tasks import Task

ASIDE = 0.2
FEWEST = 10  # examples below which none is spared


def split(
    task: Task, examples: Sequence[Example], share: float = ASIDE, seed: int = 0
) -> tuple[list[Example], list[Example]]:
    """(to learn from, kept aside). Each class keeps its share, and none loses its last example."""
    if len(examples) < FEWEST or share <= 0:
        return list(examples), []
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randperm(len(examples), generator=generator).tolist()
    of = [e.label if isinstance(e, Labelled | LabelledPair) else "" for e in examples]
    room = {label: int(count * share) for label, count in Counter(of).items()}
    aside: set[int] = set()
    for i in drawn:
        if room[of[i]] > 0:
            room[of[i]] -= 1
            aside.add(i)
    return [e for i, e in enumerate(examples) if i not in aside], [examples[i] for i in sorted(aside)]
