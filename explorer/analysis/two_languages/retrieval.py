"""Finding a sentence's translation among many: the nearest by cosine in the other language."""

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor


def nearest(
    asked: Float[Tensor, "text depth d_model"], among: Float[Tensor, "text depth d_model"]
) -> Bool[Tensor, "depth text"]:
    """Whether a text's own counterpart is nearer by cosine than every other; ties count as wrong.

    >>> import torch
    >>> one = torch.eye(3)[:, None]
    >>> nearest(one, one.flip(0)).tolist()
    [[False, True, False]]
    """
    one, other = (F.normalize(vectors, dim=-1).transpose(0, 1) for vectors in (asked, among))
    cosines = one @ other.mT
    truth = cosines.diagonal(dim1=1, dim2=2)
    return (cosines >= truth[..., None]).sum(-1) == 1


def found(
    asked: Float[Tensor, "text depth d_model"], among: Float[Tensor, "text depth d_model"]
) -> Float[Tensor, "depth"]:
    """The share of texts whose own counterpart is the nearest, by layer.

    >>> import torch
    >>> one = torch.eye(4)[:, None]
    >>> found(one, one).tolist(), found(one, one[[0, 1, 3, 2]]).tolist()
    ([1.0], [0.5])
    """
    return nearest(asked, among).float().mean(-1)
