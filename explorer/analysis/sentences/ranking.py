"""Passages by their likeness to a question, and why: the cosine as a sum over pairs of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sentences.embedding import TokenShares, token_shares
from explorer.analysis.sentences.vectors import SentenceVectors
from explorer.errors import TextError
from explorer.models import Model
from explorer.short_text import WithShortText


class Match(NamedTuple):
    """A passage with its score; `index` counts the passages from 0.

    >>> Match(3, "We sat down.", 0.5).score
    0.5
    """

    index: int
    text: str
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(WithShortText):
    """A question's passages, best first."""

    question: str
    matches: list[Match]


def rank(
    question: str,
    passages: Sequence[str],
    scores: Float[Tensor, "passage"],
    top: int = 5,
    least: float = -float("inf"),
) -> Ranking:
    """The passages with the highest scores, from `least` on; of equal scores the earlier passage comes first.

    >>> [match.index for match in rank("?", ["a", "b", "c"], torch.tensor([1.0, 2.0, 1.0])).matches]
    [1, 0, 2]
    """
    # A sort of 100,000 scores takes as long as the product that made them.
    threshold = scores.topk(min(top, len(scores))).values[-1:].clamp_min(least)
    candidates = (scores >= threshold).nonzero()[:, 0].tolist() if len(scores) else []
    best = sorted(candidates, key=lambda index: (-float(scores[index]), index))[:top]
    return Ranking(question, [Match(index, passages[index], float(scores[index])) for index in best])


def search(question: str, vectors: SentenceVectors, top: int = 5) -> Ranking:
    """The passages whose vectors have the highest cosine with the question's: one product of matrices.

    Raises TextError for an empty question.

    >>> from explorer.analysis.sentences.vectors import read
    >>> vectors = read(None, ["The ferry sails at six.", "The school has a roof garden."])
    >>> search("When does the ferry sail?", vectors).matches[0].text
    'The ferry sails at six.'
    """
    if not question.strip():
        raise TextError("There is no question.", "Type one.")
    return rank(question, vectors.texts, vectors.vectors @ vectors.place([question])[0], top)


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(WithShortText):
    """The cosine of a question and a passage as a sum over pairs of their tokens, `products`."""

    question: TokenShares
    passage: TokenShares

    @property
    def products(self) -> Float[Tensor, "question_pos passage_pos"]:
        """What each pair of tokens adds to the cosine; they sum up to it exactly."""
        return self.question.vectors @ self.passage.vectors.T

    @property
    def cosine(self) -> float:
        """The sum of all products."""
        return float(self.products.sum())


def explain(model: Model, question: str, passage: str, prompts: tuple[str, str] = ("", "")) -> Pairs:
    """Why a passage is like a question: how much each pair of their tokens adds to the cosine.

    `prompts` are what the model needs before a question and before a passage. Raises TextError for an
    empty text.

    >>> import explorer
    >>> pairs = explain(explorer.load("bert"), "Does it rain?", "It rains.")
    >>> pairs.products.shape, round(pairs.cosine, 4) == round(float(pairs.products.sum()), 4)
    (torch.Size([6, 6]), True)
    """
    if not question.strip() or not passage.strip():
        raise TextError("There is no question or no passage.", "Type both.")
    query, key = prompts
    return Pairs(token_shares(model, question, query), token_shares(model, passage, key))
