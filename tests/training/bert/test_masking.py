"""15 % of the candidates, 80 / 10 / 10."""

import pytest
import torch

from training.text.rows import hide

MASK, D_VOCAB = 4, 5000


def masked(**settings):
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(10, D_VOCAB, (400, 256), generator=generator)
    candidates = torch.ones_like(ids, dtype=torch.bool)
    candidates[:, 0] = False
    candidates[:, 200:] = False
    read, chosen = hide(ids, candidates, MASK, D_VOCAB, generator, **settings)
    return ids, candidates, read, chosen


def test_rates():
    ids, candidates, read, chosen = masked()
    assert not chosen[~candidates].any()
    assert torch.equal(read[~chosen], ids[~chosen])
    assert chosen.sum() / candidates.sum() == pytest.approx(0.15, abs=0.005)
    assert (read[chosen] == MASK).float().mean() == pytest.approx(0.8, abs=0.01)
    assert (read[chosen] == ids[chosen]).float().mean() == pytest.approx(0.1, abs=0.01)


def test_for_measuring_every_chosen_word_shows_as_mask():
    _, _, read, chosen = masked(hidden=1.0, random=0.0)
    assert (read[chosen] == MASK).all()


def test_the_same_seed_hides_the_same():
    assert torch.equal(masked()[2], masked()[2])
