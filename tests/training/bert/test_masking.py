"""15 % of the candidates, 80 / 10 / 10."""

import pytest
import torch
import torch.nn.functional as F

from explorer.training.bert.masking import Shares, hide

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


def test_content_is_hidden_more_often_and_the_mean_stays():
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(10, 30, (400, 256), generator=generator)
    content = torch.arange(D_VOCAB) >= 20
    counts = torch.bincount(ids.flatten(), minlength=D_VOCAB).float()
    shares = Shares.favouring(content, 4.0, counts)
    everywhere = torch.ones_like(ids, dtype=torch.bool)
    _, chosen = hide(ids, everywhere, MASK, D_VOCAB, generator, rate=0.15 * shares.of[ids])
    assert chosen.float().mean() == pytest.approx(0.15, abs=0.005)
    assert chosen[content[ids]].float().mean() == pytest.approx(0.24, abs=0.005)
    assert chosen[~content[ids]].float().mean() == pytest.approx(0.06, abs=0.005)


def test_uneven_blanks_teach_what_even_ones_would():
    """Without any context a token is guessed as often as it stands there, not as often as it is hidden."""
    generator = torch.Generator().manual_seed(0)
    often = torch.tensor([0.4, 0.3, 0.2, 0.1])
    ids = often.multinomial(200_000, replacement=True, generator=generator)[None]
    content = torch.tensor([False, False, True, True])
    shares = Shares.favouring(content, 5.0, torch.bincount(ids[0]).float())
    everywhere = torch.ones_like(ids, dtype=torch.bool)
    _, chosen = hide(ids, everywhere, 0, 4, generator, rate=0.3 * shares.of[ids])
    for added, level in ((shares.of.log(), True), (torch.zeros(4), False)):
        scores = often.log().requires_grad_()
        F.cross_entropy((scores + added).expand(int(chosen.sum()), 4), ids[chosen]).backward()
        assert bool(scores.grad.abs().max() < 0.01) is level
