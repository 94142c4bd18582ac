"""Softmax of ELMo's training, estimated from a part of the vocabulary."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

HEAD = 1000  # most frequent words, always in the softmax
SAMPLED = 1000  # other words, sampled for each step


@dataclass(frozen=True)
class Proposal:
    """Distribution of the words in a step's softmax.

    The first `head` words take part in every step, `sampled` others with a probability proportional to their
    frequency to the power 0.75.
    """

    head: int
    sampled: int
    chances: Float[Tensor, "d_vocab"]

    @classmethod
    def of(cls, counts: Float[Tensor, "d_vocab"], head: int = HEAD, sampled: int = SAMPLED) -> "Proposal":
        """Proposal from the words' counts."""
        chances = (counts + 1) ** 0.75
        chances[:head] = 0
        return cls(min(head, len(counts)), sampled, chances / chances.sum().clamp_min(1e-9))

    def draw(self, generator: torch.Generator) -> tuple[Int[Tensor, "word"], Float[Tensor, "word"]]:
        """Words of a step, and the logarithm of each word's expected count among them."""
        head = torch.arange(self.head)
        if self.head == len(self.chances):
            return head, torch.zeros(self.head)
        others = torch.multinomial(self.chances, self.sampled, replacement=True, generator=generator)
        expected = (self.chances[others] * self.sampled).log()
        return torch.cat([head, others]), torch.cat([torch.zeros(self.head), expected])


def sampled_nats(
    half: Float[Tensor, "pos half"],
    truth: Int[Tensor, "pos"],
    softmax: nn.Linear,
    words: Int[Tensor, "word"],
    log_expected: Float[Tensor, "word"],
) -> Float[Tensor, "pos"]:
    """Cross-entropy of each position, with a normaliser estimated from a part of the vocabulary.

        log (e^s_t + sum over the words w != t of e^s_w / expected(w)) - s_t

    On average the sum is the full one (importance sampling: Bengio and Senécal 2003), so the loss is near
    the true one from the first step on: ln(d_vocab) where all scores are equal.
    """
    scores = half @ softmax.weight[words].T + (softmax.bias[words] - log_expected)
    own = (half * softmax.weight[truth]).sum(-1).float() + softmax.bias[truth]
    others = scores.float().masked_fill(words == truth[:, None], -torch.inf).logsumexp(-1)
    return torch.logaddexp(own, others) - own
