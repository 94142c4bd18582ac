"""Texts of two languages on one plane, by layer: do they differ more by language or by content?"""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.projection.layers import flat_maps
from explorer.analysis.projection.methods import Projection
from explorer.analysis.two_languages.vectors import centre


def places(
    first: Float[Tensor, "text depth d_model"],
    second: Float[Tensor, "text_other depth d_model"],
    without_means: bool = False,
) -> list[Projection]:
    """PCA of both languages' texts together at every layer, the first language's texts first.

    PCA keeps the directions in which the vectors differ most: if the language is one of them, the map shows
    it. `without_means` subtracts each language's mean first (see `centre`).

    >>> [layer.coordinates.shape for layer in places(torch.randn(5, 2, 8), torch.randn(4, 2, 8))]
    [torch.Size([9, 2]), torch.Size([9, 2])]
    """
    if without_means:
        first, second = centre(first), centre(second)
    return flat_maps(torch.cat([first, second]))
