"""Texts of two languages on one plane, by layer: is their language what differs most, or what they say?"""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.projection.layers import flat_maps
from explorer.analysis.projection.methods import Projection
from explorer.analysis.two_languages.vectors import centred


def places(
    one: Float[Tensor, "text depth d_model"],
    other: Float[Tensor, "text_other depth d_model"],
    without_means: bool = False,
) -> list[Projection]:
    """PCA of both languages' texts together at every layer, the first language's first.

    PCA, since it keeps the directions in which the vectors differ most: where the language is one of
    them, the map shows it. `without_means` takes each language's mean off beforehand (see `centred`).

    >>> [made.coordinates.shape for made in places(torch.randn(5, 2, 8), torch.randn(4, 2, 8))]
    [torch.Size([9, 2]), torch.Size([9, 2])]
    """
    if without_means:
        one, other = centred(one), centred(other)
    return flat_maps(torch.cat([one, other]))
