"""Occurrences with the same vector, because the model has read the same context."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

SAME = 1e-4  # distance of unit vectors; rounding depends on the batch


def duplicates(vectors: Float[Tensor, "occurrence d_model"]) -> list[list[int]]:
    """Occurrences grouped by equal vectors; groups and members keep the order of the occurrences.

    >>> duplicates(torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    [[0, 2], [1]]

    GPT gives a word the same vector in all sentences that are the same up to it.
    """
    unit = F.normalize(vectors.float(), dim=-1)
    groups: list[list[int]] = []
    firsts = torch.empty(0, vectors.shape[-1])
    for i, vector in enumerate(unit):
        near = (firsts - vector).norm(dim=-1) < SAME
        if near.any():
            groups[int(near.int().argmax())].append(i)
        else:
            groups.append([i])
            firsts = torch.cat([firsts, vector[None]])
    return groups
