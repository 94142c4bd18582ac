"""What is told of a training while it goes on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.heads import TrainedHead

How = Literal["frozen", "whole", "low rank"]
Stage = Literal["reading", "training", "done"]


@dataclass(frozen=True)
class Watched:
    """One dot of the map: an example's vector, or that of one of its words.

    >>> Watched(example=0, label="happy", text="what a joy", aside=False).label
    'happy'
    """

    example: int
    label: str
    text: str
    aside: bool


@dataclass(frozen=True, eq=False)
class Progress:
    """One moment of a training: `step` of `of`, at `seconds` since it began.

    `stage`    "reading" while a frozen body's features are made, "training", and "done" once, at the end
    `loss`     mean cross-entropy of this step, in nats; None while reading
    `scores`   measures on the examples kept aside, the main one first (see `explorer.finetuning.scores`);
               None between two looks, and where nothing was kept aside
    `vectors`  what the head reads of each of `Fit.watched`, where it was looked at: for the map
    `head`     the best so far, in the last one alone

    >>> now = Progress("training", step=3, of=10, seconds=0.5, loss=0.7)
    >>> now.step / now.of, now.head
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
    head: TrainedHead | None = None
