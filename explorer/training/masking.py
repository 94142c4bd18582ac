"""Hiding words for BERT: 15 % are to be predicted, of which 80 % show as [MASK].

Devlin et al. 2019, section 3.1: of the chosen positions 80 % become [MASK], 10 % a random
token and 10 % stay, since the network will later read text in which nothing is masked.
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
    """What the network reads, and where it must say what stood there.

    `candidates` leaves out [CLS], [SEP] and padding. With `hidden=1` and `random=0` every
    chosen position shows as [MASK], which is how held-out accuracy is counted.
    """
    draw = torch.rand(ids.shape, generator=generator, device=ids.device)
    fate = torch.rand(ids.shape, generator=generator, device=ids.device)
    other = torch.randint(d_vocab, ids.shape, generator=generator, device=ids.device)
    chosen = (draw < rate) & candidates
    read = torch.where(chosen & (fate < hidden), mask, ids)
    read = torch.where(chosen & (fate >= hidden) & (fate < hidden + random), other, read)
    return read, chosen
