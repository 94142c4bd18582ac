"""Rank correlations against scipy, and the curve of faithfulness against deletion."""

import math

import pytest
import torch
from scipy.stats import spearmanr

from explorer.analysis.attribution.faithfulness import faithfulness
from explorer.analysis.attribution.prediction import word_prediction
from explorer.analysis.attribution.removal import deletion, nats_without
from explorer.errors import ExplorerError
from explorer.views.why.which_words import rank_correlations

TEXT = "we saw the [MASK] by the old river and the light on the water."


def test_correlations_are_those_of_scipy_with_ties():
    generator = torch.Generator().manual_seed(0)
    a, b, c = (torch.randint(-4, 5, (17,), generator=generator).float() for _ in range(3))
    found = rank_correlations({"a": a, "b": b, "c": c.abs()}, unsigned=["c"])
    assert found["a", "b"] == pytest.approx(spearmanr(a, b).statistic)
    assert found["a", "c"] == pytest.approx(spearmanr(a.abs(), c.abs()).statistic)
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_method_without_differences_has_no_ranks():
    found = rank_correlations({"a": torch.zeros(4), "b": torch.arange(4.0)})
    assert math.isnan(found["a", "b"])


@pytest.fixture
def prediction(tiny_bert):
    return word_prediction(tiny_bert, TEXT)


def test_curves_remove_what_a_method_names_first(prediction):
    values = deletion(prediction)
    curves = faithfulness(prediction, {"deletion": values, "reverse": -values}, counts=(0, 1, 4), draws=3)
    order = values.argsort(descending=True).tolist()
    for name, chosen in (("deletion", order), ("reverse", order[::-1])):
        removed = [[prediction.judged[i] for i in chosen[:count]] for count in (0, 1, 4)]
        expected = nats_without(prediction, removed)
        torch.testing.assert_close(curves.methods[name], expected, atol=2e-5, rtol=0)
    assert curves.random.shape == (3, 3) and len(set(curves.random[:, 0].tolist())) == 1
    assert float(curves.methods["deletion"][1]) <= float(curves.random[:, 1].min()) + 1e-5, "the largest fall"


def test_random_orders_repeat_with_their_seed(prediction):
    first, again, other = (faithfulness(prediction, {}, seed=seed).random for seed in (1, 1, 2))
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_one_judged_word_remains(tiny_gpt):
    prediction = word_prediction(tiny_gpt, "we saw the")
    curves = faithfulness(prediction, {"deletion": deletion(prediction)})
    assert curves.counts == (0, 1) and curves.random.isfinite().all()


def test_draws_are_refused(prediction):
    with pytest.raises(ExplorerError, match="draws is 0"):
        faithfulness(prediction, {}, draws=0)
