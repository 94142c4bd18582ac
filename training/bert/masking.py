"""Hiding words for BERT: 15 % are to be predicted, of which 80 % show as [MASK].

Devlin et al. 2019, section 3.1: of the chosen positions 80 % become [MASK], 10 % a random
token and 10 % stay, since the network will later read text in which nothing is masked.

Choosing whole words instead of tokens is the first step of ERNIE (Sun et al. 2019, "ERNIE: Enhanced
Representation through Knowledge Integration"): half a word gives the other half away.

A hidden word that stands a second time in the row can be copied instead of understood. In a paragraph
that is often right, in a sentence seldom; a network that has learned it fills “The police arrested the
[MASK]” with “police”. `twins` finds the other occurrences, so that short rows can hide them as well. That
leaves copying without reward there, which is not yet a reason against it: `copies` lists what a row shows
and a hidden word is not, for a loss that makes these unlikely.
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
    joined: Bool[Tensor, "row pos"] | None = None,
) -> tuple[Int[Tensor, "row pos"], Bool[Tensor, "row pos"]]:
    """What the network reads, and where it must say what stood there.

    `candidates` leaves out [CLS], [SEP] and padding. With `hidden=1` and `random=0` every
    chosen position shows as [MASK], which is how held-out accuracy is counted. Where `joined` says which
    tokens belong to the word of the token before, a word is chosen as a whole or not at all.
    """
    draw = torch.rand(ids.shape, generator=generator, device=ids.device)
    if joined is not None:
        draw = draw.gather(1, word_starts(joined))
    fate = torch.rand(ids.shape, generator=generator, device=ids.device)
    other = torch.randint(d_vocab, ids.shape, generator=generator, device=ids.device)
    chosen = (draw < rate) & candidates
    read = torch.where(chosen & (fate < hidden), mask, ids)
    read = torch.where(chosen & (fate >= hidden) & (fate < hidden + random), other, read)
    return read, chosen


def word_starts(joined: Bool[Tensor, "row pos"]) -> Int[Tensor, "row pos"]:
    """For every position, where its word begins.

    >>> word_starts(torch.tensor([[False, False, True, True, False]]))
    tensor([[0, 1, 1, 1, 4]])
    """
    place = torch.arange(joined.shape[1], device=joined.device).expand(joined.shape)
    return place.masked_fill(joined, 0).cummax(1).values


def twins(
    ids: Int[Tensor, "row pos"], chosen: Bool[Tensor, "row pos"], candidates: Bool[Tensor, "row pos"]
) -> Bool[Tensor, "row pos"]:
    """The candidates that were not chosen, but whose token was chosen elsewhere in the same row.

    >>> ids = torch.tensor([[7, 8, 7, 9]])
    >>> twins(ids, torch.tensor([[True, False, False, False]]), torch.ones_like(ids, dtype=torch.bool))
    tensor([[False, False,  True, False]])
    """
    same = ids[:, :, None] == ids[:, None, :]
    return (same & chosen[:, None, :]).any(-1) & candidates & ~chosen


def copies(
    ids: Int[Tensor, "row pos"], chosen: Bool[Tensor, "row pos"], visible: Bool[Tensor, "row pos"]
) -> Int[Tensor, "word pos"]:
    """For each chosen word, the visible tokens of its row that it is not, each once; -1 elsewhere.

    >>> ids = torch.tensor([[7, 8, 9, 8]])
    >>> copies(ids, torch.tensor([[True, False, False, False]]), torch.tensor([[False, True, True, True]]))
    tensor([[-1,  8,  9, -1]])
    """
    length = ids.shape[1]
    earlier = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril(-1)
    again = ((ids[:, :, None] == ids[:, None, :]) & visible[:, None, :] & earlier).any(-1)
    shown = ids.masked_fill(~visible | again, -1)
    others = shown[chosen.nonzero()[:, 0]]
    return others.masked_fill(others == ids[chosen][:, None], -1)
