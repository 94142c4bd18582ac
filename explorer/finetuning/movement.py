"""The map of what a body in training makes of its examples, moment after moment, so that dots glide.

Each map is a plane of principal components, turned to lie on the one before (orthogonal Procrustes):
`before` and `after` a training can be compared by eye, and no distance is changed by the turning.
"""

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.projection import Projection, align, project


def followed(
    vectors: Float[Tensor, "occurrence d"], before: Float[Tensor, "occurrence 2"] | None = None
) -> Float[Tensor, "occurrence 2"]:
    """Where each dot lies, with the map turned to lie on the one before it.

    >>> import torch
    >>> first = followed(torch.randn(6, 8))
    >>> followed(torch.randn(6, 8), first).shape
    torch.Size([6, 2])
    """
    made = project(vectors, "pca")
    if before is None or len(before) != len(vectors):
        return made.coordinates
    return align(Projection(before, "pca"), made).coordinates
