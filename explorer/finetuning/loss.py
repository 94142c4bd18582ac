"""What training makes small: cross-entropy over classes, or over the places of an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.finetuning.reading import Read
from explorer.finetuning.tasks import Answers, Task


@dataclass(frozen=True, eq=False)
class Targets:
    """What is right for the rows of several examples, which lie one after another.

    `right` is a label per row; for answers the rows of start and end of each passage, and `group` says
    which passage a row belongs to.
    """

    right: Int[Tensor, "*row"]
    group: Int[Tensor, "row"] | None = None


def targets(task: Task, items: Sequence[Read]) -> Targets:
    """The targets of examples that have them, in order."""
    known = [item.targets for item in items if item.targets is not None]
    assert len(known) == len(items), "training leaves out what has no target"
    if not isinstance(task, Answers):
        return Targets(torch.tensor([label for labels in known for label in labels], dtype=torch.long))
    lengths = torch.tensor([len(item.places) for item in items])
    starts = lengths.cumsum(0) - lengths
    right = torch.tensor(known, dtype=torch.long) + starts[:, None]
    return Targets(right, torch.repeat_interleave(torch.arange(len(items)), lengths))


def loss(task: Task, logits: Float[Tensor, "row label"], aim: Targets) -> Float[Tensor, ""]:
    """The mean cross-entropy, in nats: per row, or the mean of start and end per passage."""
    if not isinstance(task, Answers):
        return F.cross_entropy(logits, aim.right)
    assert aim.group is not None
    passages = len(aim.right)
    index = aim.group[:, None].expand(-1, 2)
    highest = logits.detach().new_full((passages, 2), -torch.inf)
    highest = highest.scatter_reduce(0, index, logits.detach(), "amax")
    total = logits.new_zeros(passages, 2).scatter_add(0, index, (logits - highest[aim.group]).exp())
    normaliser = total.log() + highest
    picked = torch.stack([logits[aim.right[:, side], side] for side in (0, 1)], 1)
    return (normaliser - picked).mean()
