"""Tiles of text against the same pairs one by one, and steps against autograd."""

import pytest
import torch

from explorer.models import word2vec
from explorer.models.word2vec import Word2Vec, Word2VecConfig
from tests import tiny
from training.word2vec import skipgram

WINDOW, NEGATIVES = 3, 4
WORDS, WRONG = 40, 13  # the first forty stand in the text, the others are drawn as negatives


@pytest.fixture
def network() -> Word2Vec:
    return tiny.shake(Word2Vec(Word2VecConfig(WORDS + WRONG, 7), frozenset({"contexts"})))


def text(length: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Words, lines of eleven words, and how far each looks."""
    generator = torch.Generator().manual_seed(length)
    words = torch.randperm(WORDS, generator=generator)[:length]
    return words, torch.arange(length) // 11, word2vec.draw_reach(length, WINDOW, generator)


def drawn(tiles: int, shared: int) -> torch.Tensor:
    return torch.randint(WORDS, WORDS + WRONG, (tiles, shared), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize(("length", "tiles"), [(32, 1), (32, 4), (30, 4), (37, 3), (5, 1), (1, 1)])
def test_tiles_hold_the_same_pairs_as_the_text(network, length, tiles):
    words, lines, reach = text(length)
    negatives = drawn(tiles, NEGATIVES)
    batch = skipgram.tiles(words, lines, reach, negatives, WINDOW, NEGATIVES)
    near = word2vec.neighbours(lines, reach, WINDOW)
    centre, offset = near.nonzero().T
    tile = batch.words.shape[1]
    one_by_one = network.loss(
        words[centre][:, None], words[centre + offset - WINDOW], negatives[centre // tile]
    )
    assert batch.pairs == len(centre)
    torch.testing.assert_close(skipgram.loss(network, batch), one_by_one.sum(), atol=1e-4, rtol=1e-5)


def test_fewer_shared_negatives_count_more(network):
    words, lines, reach = text(32)
    batch = skipgram.tiles(words, lines, reach, drawn(2, 8), WINDOW, ratio=20)
    right, wrong = batch.weights[:, :, : batch.right], batch.weights[:, :, batch.right :]
    torch.testing.assert_close(wrong.sum(2), 20 * right.sum(2))


def test_a_step_is_one_down_the_gradient(network):
    words, lines, reach = text(30)
    batch = skipgram.tiles(words, lines, reach, drawn(4, 8), WINDOW, NEGATIVES)
    skipgram.loss(network, batch).backward()
    wanted = [table.detach() - 0.05 * table.grad for table in network.parameters()]
    skipgram.update(network, batch, rate=0.05)
    for table, expected in zip(network.parameters(), wanted, strict=True):
        torch.testing.assert_close(table.detach(), expected, atol=1e-6, rtol=1e-5)


def test_a_word_without_a_neighbour_does_not_move(network):
    before = [table.detach().clone() for table in network.parameters()]
    words = torch.tensor([3, 5])
    batch = skipgram.tiles(words, torch.tensor([0, 1]), torch.tensor([2, 2]), drawn(1, 8), WINDOW, NEGATIVES)
    skipgram.update(network, batch, rate=1.0)
    assert batch.pairs == 0
    assert all(torch.equal(a, b.detach()) for a, b in zip(before, network.parameters(), strict=True))


def test_a_word_that_comes_up_everywhere_moves_as_if_it_came_up_less():
    """One word again and again: the sum over its pairs is scaled down to the bound, and it settles."""
    network = tiny.shake(Word2Vec(Word2VecConfig(WORDS + WRONG, 7), frozenset({"contexts"})))
    words = torch.full((64,), 3)
    batch = skipgram.tiles(
        words, torch.zeros(64, dtype=torch.long), torch.full((64,), WINDOW), drawn(2, 8), WINDOW, NEGATIVES
    )
    skipgram.loss(network, batch).backward()
    slope, start = network.tokens.weight.grad[3], network.tokens.weight[3].detach().clone()
    skipgram.update(network, batch, rate=0.1)
    share = skipgram.MOST_READ / 0.1 / batch.pairs
    assert share < 0.05
    torch.testing.assert_close(network.tokens.weight[3].detach(), start - 0.1 * share * slope)
    for _ in range(200):
        skipgram.update(network, batch, rate=0.1)
    assert network.tokens.weight.norm(dim=1).max() < 20
