"""What a training reports while it runs, and the points of the map that follows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.projection import Projection, align, project
from explorer.finetuning.encoding import EncodedExample
from explorer.finetuning.task_head import TaskHead
from explorer.finetuning.tasks import Answers, Tags, Task

How = Literal["frozen", "whole", "low rank"]
Stage = Literal["reading", "training", "done"]


@dataclass(frozen=True)
class MapPoint:
    """One point of the map: the vector of an example, or of one of its words."""

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


MAX_TEXTS = 60
MAX_POINTS = 300


def map_points(task: Task, items: Sequence[EncodedExample], held_out: int) -> list[MapPoint]:
    """A point for each text, or for each word of a tagged one. The first `held_out` items are held out."""
    points: list[MapPoint] = []
    for i, item in enumerate(items[:MAX_TEXTS]):
        targets = item.targets or ()
        if isinstance(task, Tags):
            labels = [task.labels[target] for target in targets]
            texts = [item.words[word] for word in item.word_ids]
        else:
            answered = "answer" if any(targets) else "no answer"
            labels = [answered if isinstance(task, Answers) else task.labels[targets[0]]]
            texts = [item.encoding.text]
        points += [MapPoint(i, *pair, i < held_out) for pair in zip(labels, texts, strict=True)]
    return points[:MAX_POINTS]


def map_vectors(task: Task, vectors: Sequence[Tensor]) -> Float[Tensor, "occurrence d"]:
    """The vectors of the points, from those of the items: all rows, but only [CLS] for answers."""
    rows = [v[-1][:1] if isinstance(task, Answers) else v[-1] for v in vectors[:MAX_TEXTS]]
    return torch.cat(rows)[:MAX_POINTS].clone()


def project_aligned(
    vectors: Float[Tensor, "occurrence d"], before: Float[Tensor, "occurrence 2"] | None = None
) -> Float[Tensor, "occurrence 2"]:
    """Where each point lies on the plane of two principal components, turned onto the map before it.

    Turning (orthogonal Procrustes) changes no distance, so that maps of one training can be compared by eye.
    """
    projection = project(vectors, "pca")
    if before is None or len(before) != len(vectors):
        return projection.coordinates
    return align(Projection(before, "pca"), projection).coordinates
