"""Draws follow the softmax."""

import torch

from explorer.analysis.prediction.replacing import sample


def test_shares_of_the_draws_are_the_probabilities():
    scores = torch.tensor([[0.0, 1.0, -1.0, 2.0, -40.0]])
    found = sample(scores.expand(20_000, -1), torch.Generator().manual_seed(0))
    shares = torch.bincount(found, minlength=5) / len(found)
    torch.testing.assert_close(shares, scores.softmax(-1)[0], atol=0.01, rtol=0)
    assert shares[4] == 0


def test_each_row_has_its_own_and_the_seed_gives_the_same():
    scores = 60 * torch.eye(7)[[3, 0, 6]]
    assert sample(scores, torch.Generator().manual_seed(0)).tolist() == [3, 0, 6]
    flat = torch.zeros(40, 50)
    one, other = (sample(flat, torch.Generator().manual_seed(seed)) for seed in (1, 1))
    assert torch.equal(one, other) and len(one.unique()) > 10


def test_a_word_that_cannot_be_is_never_drawn():
    scores = torch.tensor([[-torch.inf, 0.0, -torch.inf]]).expand(500, -1)
    assert sample(scores, torch.Generator().manual_seed(0)).unique().tolist() == [1]
