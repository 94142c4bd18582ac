"""Passages by their likeness to a question, and why: the cosine as a sum over pairs of tokens."""

from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sentences.embedding import TokenShares, prompts, token_shares
from explorer.analysis.sentences.vectors import SentenceVectors
from explorer.errors import TextError
from explorer.locale import _
from explorer.models import Model
from explorer.short_text import WithShortText


class Match(NamedTuple):
    """A passage with its score; `number` counts the passages from 0."""

    number: int
    text: str
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(WithShortText):
    """A question's passages, best first."""

    question: str
    matches: list[Match]


def search(question: str, vectors: SentenceVectors, top: int = 5) -> Ranking:
    """The passages whose vectors have the highest cosine with the question's: one product of matrices.

    Raises TextError for an empty question.

    >>> from explorer.analysis.sentences.vectors import read
    >>> vectors = read(None, ["The ferry sails at six.", "The school has a roof garden."])
    >>> search("When does the ferry sail?", vectors).matches[0].text
    'The ferry sails at six.'
    """
    if not question.strip():
        raise TextError(_("There is no question."), _("Type one."))
    best = vectors.search(question, top)
    return Ranking(question, [Match(index, vectors.texts[index], cosine) for index, cosine in best])


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


def explain(model: Model, question: str, passage: str) -> Pairs:
    """Why a passage is like a question: how much each pair of their tokens adds to the cosine.

    Raises TextError for an empty text.

    >>> pairs = explain(explorer.load("bert"), "Does it rain?", "It rains.")
    >>> pairs.products.shape, round(pairs.cosine, 4) == round(float(pairs.products.sum()), 4)
    (torch.Size([6, 5]), True)
    """
    if not question.strip() or not passage.strip():
        raise TextError(_("There is no question or no passage."), _("Type both."))
    query, key = prompts(model)
    return Pairs(token_shares(model, question, query), token_shares(model, passage, key))
