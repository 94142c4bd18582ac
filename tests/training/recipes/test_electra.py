"""A pair learns together: the generator from its blanks alone, the discriminator from every word."""

import math

import pytest
import torch
import torch.nn.functional as F

from training.recipes import electra as module
from training.recipes.electra import SHARED
from training.recipes.masked import word_loss
from training.rows import layout


@pytest.fixture
def rows(electra):
    return electra.rows(0, 24, 0).take(torch.arange(8))


def test_one_embedding_is_trained_by_both(electra, rows):
    pair = electra.network
    for name in SHARED:
        assert getattr(pair.generator, name) is getattr(pair.discriminator, name)
    named = [name for name, _ in pair.named_parameters()]
    assert "generator.tokens.weight" in named and "discriminator.tokens.weight" not in named
    assert pair.generator.embedding_projection is None and pair.discriminator.embedding_projection is not None


def test_in_the_end_the_loss_is_the_blanks_and_fifty_times_the_verdicts(electra, rows):
    loss, figures = electra.loss(rows, 3, 0.5)
    expected = figures["masked"] + 50 * figures["detected"]
    torch.testing.assert_close(loss.detach(), expected)
    assert figures["masked"] < math.log(200) + 1  # it starts at the frequencies
    assert figures["detected"] == pytest.approx(math.log(2), abs=0.05)  # and the verdicts at one half
    loss.backward()
    assert all(parameter.grad is None for parameter in electra.network.corrected.parameters())


def test_at_first_the_discriminator_is_asked_for_the_words_that_stood_there(electra, rows, monkeypatch):
    asked = []
    monkeypatch.setattr(
        module, "word_loss", lambda scores, truth: asked.append((scores, truth)) or word_loss(scores, truth)
    )
    loss, figures = electra.loss(rows, 3, 0.0)
    (_, blanks), (scores, truth) = asked
    assert torch.equal(blanks, truth) and len(truth) > 5
    expected = figures["masked"] + 5 * figures["detected"] + F.cross_entropy(scores, truth)
    torch.testing.assert_close(loss.detach(), expected.detach())
    loss.backward()
    for half in (electra.network.discriminator.blocks, electra.network.corrected):
        assert all(parameter.grad.abs().sum() > 0 for parameter in half.parameters() if parameter.ndim == 2)


def test_what_the_discriminator_reads(electra, rows, monkeypatch):
    """15 % of the words are drawn anew, each is labelled by what it became, and the rest is as it was."""
    seen, asked = [], []

    def read(ids, **rest):
        seen.append(ids)
        return forward(ids, **rest)

    def judged(scores, truth):
        asked.append(truth)
        return F.binary_cross_entropy(scores.sigmoid(), truth)

    forward = electra.network.discriminator.forward
    monkeypatch.setattr(electra.network.discriminator, "forward", read)
    monkeypatch.setattr(module.F, "binary_cross_entropy_with_logits", judged)
    monkeypatch.setattr(module, "draw", lambda scores, random: torch.arange(20, 20 + len(scores)))
    electra.loss(rows, 3, 0.0)
    _, _, words = layout(rows, electra.frame)
    (ids,), (truth,) = seen, asked
    changed = ids != rows.ids
    assert not changed[~words].any() and 0 < changed.sum() < 0.3 * words.sum()
    assert (ids[changed] >= 20).all()
    assert truth.bool().tolist() == changed[words].tolist()


def test_no_gradient_of_the_verdicts_reaches_the_generator(electra, rows, monkeypatch):
    """Nothing passes through a drawn word: the discriminator's loss moves the shared embedding alone."""
    monkeypatch.setattr(
        module, "word_loss", lambda scores, truth: (scores.new_zeros(()), {"masked": scores.new_zeros(())})
    )
    loss, _ = electra.loss(rows, 3, 0.0)
    loss.backward()
    for name, parameter in electra.network.generator.named_parameters():
        moved = parameter.grad is not None and bool(parameter.grad.any())
        assert moved == name.startswith(SHARED), name
    assert all(p.grad is not None for p in electra.network.discriminator.parameters())
