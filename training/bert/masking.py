"""Masking words for BERT (Devlin et al. 2019, section 3.1).

15 % of the positions are to be predicted: 80 % of them become [MASK], 10 % a random token, and 10 % stay,
since the network will later read text without masks.

A word that occurs twice in a row can be copied instead of understood. In a paragraph that is often right, in
a sentence seldom: a network that has learnt it fills “The police arrested the [MASK]” with “police”. `twins`
finds the other occurrences, so that short rows can hide them as well.
"""

import torch
from jaxtyping import Bool, Int
from torch import Generator, Tensor

RATE, HIDDEN, RANDOM = 0.15, 0.8, 0.1


def hide(
    ids: Int[Tensor, "row pos"],
    candidates: Bool[Tensor, "row pos"],
    mask: int,
    d_vocab: int,
    generator: Generator,
    hidden: float = HIDDEN,
    random: float = RANDOM,
    rate: float = RATE,
) -> tuple[Int[Tensor, "row pos"], Bool[Tensor, "row pos"]]:
    """Ids that the network reads, and the positions that it must predict.

    `candidates` leaves out [CLS], [SEP] and padding. `hidden` and `random` are the shares of the chosen
    positions that become [MASK] and a random token; with 1 and 0 held-out accuracy is measured.
    """
    draw = torch.rand(ids.shape, generator=generator, device=ids.device)
    outcome = torch.rand(ids.shape, generator=generator, device=ids.device)
    other = torch.randint(d_vocab, ids.shape, generator=generator, device=ids.device)
    chosen = (draw < rate) & candidates
    read = torch.where(chosen & (outcome < hidden), mask, ids)
    read = torch.where(chosen & (outcome >= hidden) & (outcome < hidden + random), other, read)
    return read, chosen


def twins(
    ids: Int[Tensor, "row pos"], chosen: Bool[Tensor, "row pos"], candidates: Bool[Tensor, "row pos"]
) -> Bool[Tensor, "row pos"]:
    """Candidates that were not chosen, but whose token was chosen elsewhere in the row.

    >>> ids = torch.tensor([[7, 8, 7, 9]])
    >>> twins(ids, torch.tensor([[True, False, False, False]]), torch.ones_like(ids, dtype=torch.bool))
    tensor([[False, False,  True, False]])
    """
    same = ids[:, :, None] == ids[:, None, :]
    return (same & chosen[:, None, :]).any(-1) & candidates & ~chosen
