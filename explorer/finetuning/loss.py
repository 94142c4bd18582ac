"""The training loss: cross-entropy over classes, or over the places of an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.finetuning.encoding import EncodedExample
from explorer.finetuning.tasks import Answers, Task


@dataclass(frozen=True, eq=False)
class Targets:
    """The correct labels of the rows of several examples, concatenated.

    `right` has a label per row; for answers it has the rows of start and end of each passage, and `group`
    has the passage of each row.
    """

    right: Int[Tensor, "*row"]
    group: Int[Tensor, "row"] | None = None


def targets(task: Task, items: Sequence[EncodedExample]) -> Targets:
    """The targets of examples that have them, in order."""
    labels = [item.targets for item in items if item.targets is not None]
    assert len(labels) == len(items), "examples without targets are left out before"
    if not isinstance(task, Answers):
        return Targets(torch.tensor([label for of_item in labels for label in of_item], dtype=torch.long))
    lengths = torch.tensor([len(item.places) for item in items])
    starts = lengths.cumsum(0) - lengths
    right = torch.tensor(labels, dtype=torch.long) + starts[:, None]
    return Targets(right, torch.repeat_interleave(torch.arange(len(items)), lengths))


def loss(task: Task, logits: Float[Tensor, "row label"], aims: Targets) -> Float[Tensor, ""]:
    """The mean cross-entropy, in nats: per row, or the mean of start and end per passage."""
    if not isinstance(task, Answers):
        return F.cross_entropy(logits, aims.right)
    assert aims.group is not None
    passages = len(aims.right)
    index = aims.group[:, None].expand(-1, 2)
    highest = logits.detach().new_full((passages, 2), -torch.inf)
    highest = highest.scatter_reduce(0, index, logits.detach(), "amax")
    total = logits.new_zeros(passages, 2).scatter_add(0, index, (logits - highest[aims.group]).exp())
    normaliser = total.log() + highest
    picked = torch.stack([logits[aims.right[:, side], side] for side in (0, 1)], 1)
    return (normaliser - picked).mean()
