"""Translation retrieval: whether a sentence's translation is the nearest by cosine in the other language."""

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor


def nearest(
    queries: Float[Tensor, "text depth d_model"], candidates: Float[Tensor, "text depth d_model"]
) -> Bool[Tensor, "depth text"]:
    """Whether a text's translation is nearer by cosine than every other text; ties count as wrong.

    >>> vectors = torch.eye(3)[:, None]
    >>> nearest(vectors, vectors.flip(0)).tolist()
    [[False, True, False]]
    """
    first, second = (F.normalize(vectors, dim=-1).transpose(0, 1) for vectors in (queries, candidates))
    cosines = first @ second.mT
    truth = cosines.diagonal(dim1=1, dim2=2)
    return (cosines >= truth[..., None]).sum(-1) == 1


def accuracy(
    queries: Float[Tensor, "text depth d_model"], candidates: Float[Tensor, "text depth d_model"]
) -> Float[Tensor, "depth"]:
    """The share of texts whose translation is the nearest, by layer.

    >>> vectors = torch.eye(4)[:, None]
    >>> accuracy(vectors, vectors[[0, 1, 3, 2]]).tolist()
    [0.5]
    """
    return nearest(queries, candidates).float().mean(-1)
