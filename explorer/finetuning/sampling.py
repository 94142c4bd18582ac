"""Parts of a list of examples: held out to measure on, or a few of each class."""

from collections import Counter
from collections.abc import Sequence

import torch

from explorer.finetuning.examples import Example, Labelled, LabelledPair
from explorer.finetuning.repeats import class_key, example_key, first_text

HELD_OUT = 0.2
FEWEST = 10  # examples; of fewer none is held out


def split(
    examples: Sequence[Example], share: float = HELD_OUT, seed: int = 0
) -> tuple[list[Example], list[Example]]:
    """(training examples, held-out examples). Each class gives its share, and none loses its last example.

    Equal texts stay together, and so do pairs with the same first text and the questions on a passage: a head
    that has learnt one of them would know, or be misled about, the other. Of equal examples that are held out
    one counts.

    >>> pairs = [LabelledPair(f"text {i // 2}", "a pair", "no" if i % 2 else "yes") for i in range(20)]
    >>> training, held_out = split(pairs)
    >>> {pair.text for pair in training} & {pair.text for pair in held_out}, len(held_out)
    (set(), 4)
    """
    if len(examples) < FEWEST or share <= 0:
        return list(examples), []
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(examples), generator=generator).tolist()
    labels = [_class_of(example) for example in examples]
    remaining = Counter({label: int(count * share) for label, count in Counter(labels).items()})
    held_out: set[int] = set()
    groups: dict[object, list[int]] = {}
    for i, example in enumerate(examples):
        groups.setdefault(first_text(example), []).append(i)
    for i in order:
        members = groups[first_text(examples[i])]
        counts = Counter(labels[member] for member in members)
        if i not in held_out and all(remaining[label] >= count for label, count in counts.items()):
            remaining.subtract(counts)
            held_out.update(members)
    training = [example for i, example in enumerate(examples) if i not in held_out]
    return training, list(
        {example_key(examples[i]): examples[i] for i in sorted(held_out, reverse=True)}.values()
    )[::-1]


def folds(examples: Sequence[Example], count: int, seed: int = 0) -> list[list[int]]:
    """The numbers of the examples in `count` parts, with about the same share of each class.

    >>> [len(part) for part in folds([Labelled(str(i), str(i % 2)) for i in range(10)], 4)]
    [3, 3, 2, 2]
    """
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(examples), generator=generator).tolist()
    by_class = sorted(order, key=lambda i: _class_of(examples[i]))
    return [by_class[part::count] for part in range(count)]


def sample_by_class(examples: Sequence[Example], limit: int) -> list[Example]:
    """At most `limit` examples in their order: a share of each class, evenly from all of its examples.

    >>> numbers = [Labelled(str(i), "even" if i % 2 == 0 else "odd") for i in range(8)]
    >>> [example.text for example in sample_by_class(numbers, 4)]
    ['0', '1', '4', '5']
    """
    if len(examples) <= limit:
        return list(examples)
    groups: dict[str, list[int]] = {}
    for i, example in enumerate(examples):
        groups.setdefault(_class_of(example), []).append(i)
    sample: list[int] = []
    for number, members in enumerate(groups.values(), 1):
        share = max(1, (limit - len(sample)) // (len(groups) - number + 1))
        sample += [members[i * len(members) // share] for i in range(min(share, len(members)))]
    return [examples[i] for i in sorted(sample[:limit])]


def _class_of(example: Example) -> str:
    """The class of a text or of two; "" for other examples, which all count as one class."""
    return class_key(example.label) if isinstance(example, Labelled | LabelledPair) else ""
