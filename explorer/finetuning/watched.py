"""The dots of the map that follows a training: which examples or words they are, and their vectors."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.progress import Watched
from explorer.finetuning.reading import Read
from explorer.finetuning.tasks import Answers, Tags, Task

TEXTS = 60  # on the map
DOTS = 300  # words on the map


def dots(task: Task, items: Sequence[Read], aside: int) -> list[Watched]:
    """What each dot is: a text, or a word of a tagged one. The first `aside` items were not learnt from."""
    found: list[Watched] = []
    for i, item in enumerate(items[:TEXTS]):
        labels, text, other = item.targets or (), item.encoding.text, i < aside
        if isinstance(task, Tags):
            found += [
                Watched(i, task.labels[label], item.words[word], other)
                for label, word in zip(labels, item.kept, strict=True)
            ]
        elif isinstance(task, Answers):
            found.append(Watched(i, "answer" if any(labels) else "no answer", text, other))
        else:
            found.append(Watched(i, task.labels[labels[0]], text, other))
    return found[:DOTS]


def vectors_of(task: Task, vectors: Sequence[Tensor]) -> Float[Tensor, "dot d"]:
    """The vectors of the dots, of those of the items: all rows, but of an answer's text [CLS] alone."""
    rows = [v[-1][:1] if isinstance(task, Answers) else v[-1] for v in vectors[:TEXTS]]
    return torch.cat(rows)[:DOTS].clone()
