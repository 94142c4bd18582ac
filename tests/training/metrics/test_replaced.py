"""Verdicts on replaced words, by a discriminator whose answers are known beforehand."""

import pytest
import torch

from explorer.errors import AbilityError, TextError
from training.metrics.live import live
from training.metrics.masked import masked_words
from training.metrics.replaced import Verdicts, f1, verdicts


@pytest.fixture
def models(electra):
    return tuple(
        live(network, electra.backend)
        for network in (electra.network.generator, electra.network.discriminator)
    )


@pytest.fixture
def shards(electra):
    held = electra.held_out_shards()
    return [held[i] for i in range(len(held))]


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    said = torch.tensor([True, True, True, False, False])
    true = torch.tensor([True, False, True, True, False])
    precision, recall = 2 / 3, 2 / 3
    assert f1(said, true) == pytest.approx(2 * precision * recall / (precision + recall))
    assert (
        f1(~true, true) == 0 and f1(torch.zeros(3, dtype=torch.bool), torch.zeros(3, dtype=torch.bool)) == 0
    )


def test_figures_of_known_scores():
    found = Verdicts(torch.arange(4), torch.tensor([0.0] * 4), torch.tensor([True, False, False, False]), 9)
    assert found.nats == pytest.approx(0.6931, abs=1e-4) and found.f1 == 0


def test_who_accuses_everyone_has_full_recall(models, shards, electra, monkeypatch):
    monkeypatch.setattr(electra.network.discriminator, "detect", lambda last: torch.ones(len(last)))
    found = verdicts(*models, shards)
    share = float(found.replaced.float().mean())
    assert found.f1 == pytest.approx(2 * share / (1 + share))
    assert 0.05 < share < 0.15  # of the 15 % that were hidden, some are drawn as they were


def test_a_generator_that_is_always_right_replaces_nothing(models, shards, monkeypatch):
    import training.metrics.replaced as module

    rows = []
    layout = module.layout

    def seen(some, frame):
        rows.append(some)
        return layout(some, frame)

    def hidden(ids, candidates, *rest, **settings):
        chosen.append(ids[candidates])
        return ids, candidates

    chosen = []
    monkeypatch.setattr(module, "layout", seen)
    monkeypatch.setattr(module, "hide", hidden)
    monkeypatch.setattr(module, "draw", lambda scores, random: chosen[-1])
    assert not verdicts(*models, shards).replaced.any() and len(rows) == len(chosen) > 0


def test_the_same_words_every_time_the_blanks_of_masked_words_and_no_more_than_the_limit(models, shards):
    whole, again = verdicts(*models, shards), verdicts(*models, shards)
    assert torch.equal(whole.scores, again.scores) and torch.equal(whole.tokens, again.tokens)
    words = masked_words(models[0], shards)
    assert words.tokens == whole.read and whole.replaced.sum() <= words.masked
    assert 100 <= verdicts(*models, shards, limit=100).read < whole.read


def test_only_with_both_heads_and_with_text(models, shards):
    with pytest.raises(AbilityError):
        verdicts(models[1], models[1], shards)
    with pytest.raises(AbilityError):
        verdicts(models[0], models[0], shards)
    with pytest.raises(TextError):
        verdicts(*models, [])
