"""word2vec in training: its text as numbers, its loss, its rate."""

import pytest
import torch

from tests.training.conftest import documents
from training.loop import Run


def paragraphs() -> list[str]:
    return [paragraph for document in documents() for paragraph in document]


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
