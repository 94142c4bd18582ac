"""What a training reports while it runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.task_head import TaskHead

How = Literal["frozen", "whole", "low rank"]
Stage = Literal["reading", "training", "done"]


@dataclass(frozen=True)
class MapPoint:
    """One point of the map: the vector of an example, or of one of its words.

    >>> MapPoint(example=0, label="happy", text="what a joy", held_out=False).label
    'happy'
    """

    example: int
    label: str
    text: str
    held_out: bool


@dataclass(frozen=True, eq=False)
class Progress:
    """One report of a training: `step` of `of`, `seconds` after it began.

    `stage`    "reading" while a frozen model computes features, "training", and "done" once, at the end
    `loss`     mean cross-entropy of this step, in nats; None while reading
    `scores`   measures on the held-out examples, the main one first (see `explorer.finetuning.scores`);
               None between two evaluations, and if nothing is held out
    `vectors`  at an evaluation, what the head reads of each of `Fit.watched`: for the map
    `head`     the trained task head, best so far; in the last report only

    >>> report = Progress("training", step=3, of=10, seconds=0.5, loss=0.7)
    >>> report.step / report.of, report.head
    (0.3, None)
    """

    stage: Stage
    step: int
    of: int
    seconds: float
    epoch: int = 0
    loss: float | None = None
    scores: Mapping[str, float] | None = None
    vectors: Float[Tensor, "occurrence d"] | None = None
    head: TaskHead | None = None
