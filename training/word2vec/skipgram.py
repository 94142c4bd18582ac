"""Skip-gram with negative sampling as matrix products over many words.

Running text is cut into tiles of 32 words. A tile's words are scored in one product against the words in and
around it and against negatives that the whole tile shares. A table of weights says how often each score
counts, so that the sum for a pair has the weight of ten negatives:

    sum over pairs, - log s(u . v) - 10 / M * sum over the tile's M negatives, log s(- u_n . v)

The gradient is summed over a few hundred words at once. For a word that occurs very often among them (a list,
a refrain) the step would be far too long; its gradient is scaled down.

Shared negatives: Ji, Satish, Li, Dubey, "Parallelizing Word2Vec in Shared and Distributed Memory"
(2016, arXiv:1604.04661), section 3.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.models.word2vec import Word2Vec, neighbours

TILE = 32  # words
SHARED = 32  # negatives of a tile
# Bound of the rate times a row's pairs in one step, negatives by weight: beyond it the row diverges.
MOST_READ, MOST_ANSWERED = 0.4, 3.2


@dataclass(frozen=True, eq=False)
class Tiles:
    """Words and scores' weights of a few tiles of text.

    `words` are the centres, `candidates` the words that they are scored against: first `right` words of the
    text, then the negatives. `weights` is the number of pairs that each score stands for.
    """

    words: Int[Tensor, "tile pos"]
    candidates: Int[Tensor, "tile candidate"]
    weights: Float[Tensor, "tile pos candidate"]
    right: int

    @property
    def pairs(self) -> float:
        """Number of pairs of centre and context."""
        return float(self.weights[:, :, : self.right].sum())


def tiles(
    words: Int[Tensor, "pos"],
    lines: Int[Tensor, "pos"],
    reach: Int[Tensor, "pos"],
    negatives: Int[Tensor, "tile negative"],
    window: int,
    ratio: int,
) -> Tiles:
    """Tiles of running words with the pairs of `neighbours`, one for each row of `negatives`.

    The last tile is filled with words without pairs. `ratio` is the number of negatives of a pair; the few
    that are the right answer are not removed.
    """
    count, shared = negatives.shape
    tile = -(-len(words) // count)
    missing = count * tile - len(words)
    near = F.pad(neighbours(lines, reach, window), (0, 0, 0, missing)).view(count, tile, -1)
    words = F.pad(words, (0, missing))
    around = F.pad(words, (window, window)).unfold(0, tile + 2 * window, tile)
    right = around.shape[1]
    weights = torch.zeros(count, tile, right + shared)
    # Row p of `near` begins at column p: writing with a longer stride shifts it there.
    band = weights.as_strided((count, tile, 2 * window + 1), (weights.stride(0), right + shared + 1, 1))
    band.copy_(near)
    weights[:, :, right:] = near.sum(2, keepdim=True) * (ratio / shared)
    return Tiles(words.view(count, tile), torch.cat([around, negatives], 1), weights, right)


def update(network: Word2Vec, batch: Tiles, rate: float) -> None:
    """Take one step of gradient descent on the loss, summed over all pairs of the tiles, in place.

    d loss / d score = weight * (s(score) - 1) for the right answers, weight * s(score) for negatives.
    The gradient of a row with more pairs than the bounds is scaled down.
    """
    inputs, outputs = network.tokens.weight.data, network.contexts.weight.data
    vectors, answers = _rows(inputs, batch.words), _rows(outputs, batch.candidates)
    slope = torch.bmm(vectors, answers.transpose(1, 2)).sigmoid_()
    slope[:, :, : batch.right] -= 1
    slope *= batch.weights
    read = batch.weights[:, :, : batch.right].sum(2)
    _descend(inputs, batch.words, torch.bmm(slope, answers), read, MOST_READ / rate, rate)
    back = torch.bmm(slope.transpose(1, 2), vectors)
    _descend(outputs, batch.candidates, back, batch.weights.sum(1), MOST_ANSWERED / rate, rate)


def loss(network: Word2Vec, batch: Tiles) -> Float[Tensor, ""]:
    """Loss that `update` reduces, summed over the pairs, in nats."""
    scores = network.tokens(batch.words) @ network.contexts(batch.candidates).transpose(1, 2)
    signed = torch.cat([scores[:, :, : batch.right], -scores[:, :, batch.right :]], 2)
    return -(batch.weights * F.logsigmoid(signed)).sum()


def _descend(
    table: Float[Tensor, "d_vocab d_model"],
    ids: Int[Tensor, "tile pos"],
    gradient: Float[Tensor, "tile pos d_model"],
    pairs: Float[Tensor, "tile pos"],
    most: float,
    rate: float,
) -> None:
    flat = ids.flatten()
    together = table.new_zeros(len(table)).index_add_(0, flat, pairs.flatten())[flat]
    gradient = gradient.flatten(0, 1).mul_((most / together.clamp_min(most))[:, None])
    table.index_add_(0, flat, gradient, alpha=-rate)


def _rows(table: Float[Tensor, "d_vocab d_model"], ids: Int[Tensor, "tile pos"]) -> Tensor:
    return table.index_select(0, ids.flatten()).view(*ids.shape, -1)
