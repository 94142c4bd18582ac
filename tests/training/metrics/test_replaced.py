"""Verdicts on replaced words, by a discriminator whose answers are known beforehand."""

import math

import pytest
import torch

from explorer.errors import AbilityError, TextError
from training.metrics.masked import masked_words
from training.metrics.replaced import Verdicts, f1, frequency_f1, threshold, verdicts
from training.text import Shards


@pytest.fixture
def shards(electra, corpus):
    return list(Shards(corpus, electra[0].tokenizer.backend))


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    said = torch.tensor([True, True, True, False, False])
    true = torch.tensor([True, False, True, True, False])
    precision, recall = 2 / 3, 2 / 3
    assert f1(said, true) == pytest.approx(2 * precision * recall / (precision + recall))
    assert (
        f1(~true, true) == 0 and f1(torch.zeros(3, dtype=torch.bool), torch.zeros(3, dtype=torch.bool)) == 0
    )


def test_figures_of_known_scores():
    found = Verdicts(torch.arange(4), torch.tensor([0.0] * 4), torch.tensor([True, False, False, False]))
    assert found.nats == pytest.approx(0.6931, abs=1e-4) and found.f1 == 0


def test_who_accuses_everyone_has_full_recall(electra, shards, monkeypatch):
    monkeypatch.setattr(electra[1].network, "detect", lambda last: torch.ones(len(last)))
    found = verdicts(*electra, shards)
    share = float(found.replaced.float().mean())
    assert found.f1 == pytest.approx(2 * share / (1 + share))
    assert 0.05 < share < 0.15  # of the 15 % that were hidden, some are drawn as they were


def test_a_generator_that_is_always_right_replaces_nothing(electra, shards, monkeypatch):
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
    assert not verdicts(*electra, shards).replaced.any() and len(rows) == len(chosen) > 0


def test_the_same_words_every_time_the_blanks_of_masked_words_and_no_more_than_the_limit(electra, shards):
    whole, again = verdicts(*electra, shards), verdicts(*electra, shards)
    assert torch.equal(whole.scores, again.scores) and torch.equal(whole.tokens, again.tokens)
    assert whole.replaced.sum() <= masked_words(electra[0], shards)[0].items
    assert 0 < len(verdicts(*electra, shards, limit=100).tokens) < len(whole.tokens)


def test_only_with_both_heads_and_with_text(electra, shards):
    with pytest.raises(AbilityError):
        verdicts(electra[1], electra[1], shards)
    with pytest.raises(AbilityError):
        verdicts(electra[0], electra[0], shards)
    with pytest.raises(TextError):
        verdicts(*electra, [])


def judged(tokens, scores, replaced):
    return Verdicts(torch.tensor(tokens), torch.tensor(scores), torch.tensor(replaced))


def test_the_threshold_is_the_best_of_all():
    generator = torch.Generator().manual_seed(0)
    scores = torch.randint(0, 9, (300,), generator=generator).float()
    replaced = torch.rand(300, generator=generator) < scores / 20
    best = max(f1(scores >= cut, replaced) for cut in range(10))
    assert best > 0.3 and f1(scores >= threshold(scores, replaced), replaced) == pytest.approx(best)
    assert threshold(scores, torch.zeros(300, dtype=torch.bool)) == math.inf


def test_a_threshold_of_one_half_is_not_the_best_for_a_shy_detector():
    shy = judged([1] * 6, [-1.0, -1.5, -9.0, -9.0, -9.0, -9.0], [True, True, False, False, False, False])
    assert shy.f1 == 0 and f1(shy.scores >= threshold(shy.scores, shy.replaced), shy.replaced) == 1
    first, second = shy.halves()
    assert first.replaced.tolist() == [True, True, False] and len(second.tokens) == 3


def test_frequency_finds_what_frequency_tells_and_no_more():
    counts = torch.tensor([1000, 1000, 3, 3])
    told = judged([0, 1, 2, 3] * 5, [0.0] * 20, [True, True, False, False] * 5)
    assert frequency_f1(counts, told, told) == 1
    blind = judged([0, 1, 2, 3] * 5, [0.0] * 20, [True, False, True, False] * 5)
    assert frequency_f1(counts, blind, blind) == pytest.approx(2 * 0.5 / 1.5)  # it can only accuse all
    other = judged([2, 3, 0, 1] * 5, [0.0] * 20, [True, True, False, False] * 5)
    assert frequency_f1(counts, told, other) == 0  # chosen by one half, asked on another
