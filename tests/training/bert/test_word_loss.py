"""The loss in pieces is the plain cross-entropy, and so are its gradients."""

import pytest
import torch
import torch.nn.functional as F

from training.bert.word_loss import PIECE, word_loss

WORDS, D_VOCAB, D_MODEL = 2 * PIECE + 22, 300, 24


@pytest.fixture
def head():
    """States, embedding and bias that want gradients, and the true tokens."""
    generator = torch.Generator().manual_seed(0)
    shapes = ((WORDS, D_MODEL), (D_VOCAB, D_MODEL), (D_VOCAB,))
    parts = [torch.randn(shape, generator=generator).requires_grad_() for shape in shapes]
    return *parts, torch.randint(D_VOCAB, (WORDS,), generator=generator)


def gradients(loss, parts):
    return torch.autograd.grad(0.3 * loss, parts)


def test_is_cross_entropy(head):
    states, embedding, bias, truth = head
    scores = states @ embedding.T + bias
    expected = F.cross_entropy(scores, truth)
    loss, hits = word_loss(*head)
    torch.testing.assert_close(loss, expected)
    assert hits == (scores.argmax(1) == truth).sum()
    for ours, theirs in zip(gradients(loss, head[:3]), gradients(expected, head[:3]), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_in_bfloat16_it_stays_as_near_as_the_plain_one(head):
    states, embedding, bias, truth = head
    exact = F.cross_entropy(states @ embedding.T + bias, truth)
    with torch.autocast("cpu", torch.bfloat16):
        plain = F.cross_entropy(F.linear(states, embedding, bias), truth)
        loss, _ = word_loss(*head)
    assert loss.dtype == torch.float32
    assert abs(loss - exact) < 2 * abs(plain - exact) + 1e-3
    for ours, true in zip(gradients(loss, head[:3]), gradients(exact, head[:3]), strict=True):
        assert ours.dtype == true.dtype
        assert (ours - true).norm() < 0.02 * true.norm()


def test_every_true_token_that_is_best_is_a_hit():
    vectors = torch.eye(7)
    _, hits = word_loss(vectors, vectors, torch.zeros(7), torch.tensor([0, 1, 2, 3, 4, 0, 0]))
    assert hits == 5


def test_a_batch_without_masked_words_costs_nothing(head):
    states, embedding, bias, truth = head
    loss, hits = word_loss(states[:0], embedding, bias, truth[:0])
    assert (loss, hits) == (0, 0)
    assert all(not gradient.any() for gradient in gradients(loss, (embedding, bias)))
