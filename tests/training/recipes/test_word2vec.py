"""word2vec in training: its text as numbers, its loss, its rate."""

import math

import pytest
import torch

from explorer.tokenizers.words import most_frequent, running_words
from tests.training.conftest import documents, loaded
from training.loop import Run
from training.recipes.word2vec import Words


def paragraphs() -> list[str]:
    return [paragraph for document in documents() for paragraph in document]


def test_a_corpus_as_numbers(word2vec, corpus):
    assert word2vec.words == [word for word, _ in most_frequent(paragraphs(), 1000)]
    text = word2vec.text
    assert [word2vec.words[id] for id in text.ids] == [w for p in paragraphs() for w in running_words(p)]
    assert text.lines.bincount().tolist() == [len(running_words(p)) for p in paragraphs()]
    few = Words.of(corpus, word2vec.words[:10])
    assert [word2vec.words[id] for id in few.ids] == [
        w for p in paragraphs() for w in running_words(p) if w in word2vec.words[:10]
    ]


def test_it_starts_at_eleven_even_chances(word2vec, corpus):
    before = word2vec.held_out(None, corpus, None)["pair_nats"]
    assert before == word2vec.held_out(None, corpus, None)["pair_nats"]
    # Scores of 0, ln 2 each, but for the few negatives that are the answer.
    assert before == pytest.approx(11 * math.log(2), rel=0.05) and before < 11 * math.log(2)


def test_every_part_is_read_once_an_epoch_at_a_rate_that_falls(word2vec, monkeypatch):
    rates, seen = [], []
    monkeypatch.setattr(word2vec, "_descend", lambda loss, rate: rates.append(rate))
    loss = word2vec.loss
    monkeypatch.setattr(word2vec, "loss", lambda rows, *rest: seen.append(rows) or loss(rows, *rest))
    parts = -(-len(word2vec.text.ids) // 96)
    Run(word2vec, len(word2vec.text.ids)).train()
    assert len(seen) == parts and sum(len(rows.ids) for rows in seen) == len(word2vec.text.ids)
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == 0.05 and rates[-1] < 0.05 * 0.05


def test_a_step_is_one_down_the_gradient_and_no_row_leaps(word2vec):
    rows = word2vec.text[:40]
    losses = word2vec.pair_losses(rows, torch.Generator().manual_seed(0))
    tables = list(word2vec.network.parameters())
    dense = [g.to_dense() for g in torch.autograd.grad(losses.sum(), tables, retain_graph=True)]
    wanted = [table.detach() - 0.01 * gradient for table, gradient in zip(tables, dense, strict=True)]
    word2vec._descend(losses.sum(), 0.01)
    for table, expected in zip(tables, wanted, strict=True):
        torch.testing.assert_close(table.detach(), expected, atol=1e-6, rtol=1e-5)
    before = [table.detach().clone() for table in tables]
    word2vec._descend(word2vec.pair_losses(rows, torch.Generator().manual_seed(0)).sum(), 1e6)
    for table, old in zip(tables, before, strict=True):
        assert (table.detach() - old).norm(dim=1).max() == pytest.approx(1, abs=1e-3)


def test_what_ships_has_one_table(word2vec):
    model = loaded(word2vec)
    assert not hasattr(model.network, "contexts") and model.tokenizer.words == word2vec.words
