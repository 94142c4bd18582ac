"""The map that follows a training: its points, their vectors, and where they lie."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.projection import Projection, align, project
from explorer.finetuning.encoding import EncodedExample
from explorer.finetuning.progress import MapPoint
from explorer.finetuning.tasks import Answers, Tags, Task

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

    >>> first = project_aligned(torch.randn(6, 8))
    >>> project_aligned(torch.randn(6, 8), first).shape
    torch.Size([6, 2])
    """
    projection = project(vectors, "pca")
    if before is None or len(before) != len(vectors):
        return projection.coordinates
    return align(Projection(before, "pca"), projection).coordinates
