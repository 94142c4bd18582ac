"""The surprisal of each word of a sentence, masked and predicted from all the others.

    PLL(text) = sum_i log P(t_i | text with t_i masked)

Salazar, Liang, Nguyen, Kirchhoff, "Masked Language Model Scoring" (ACL 2020). This underestimates the
surprisal of a word of several pieces, since each is predicted from the others. With `whole`, the later pieces
of the word are masked too (Kauf and Ivanova, "A Better Way to Do Masked Language Model Scoring", ACL 2023:
within a word from left to right).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from explorer.analysis.prediction.likelihood import (
    Row,
    batch_tokens,
    batches,
    encode_whole,
    log_probabilities,
)
from explorer.analysis.words import words
from explorer.models.base import Model
from explorer.trace import Ability, Encoding


@dataclass(frozen=True)
class WordScore:
    """A word of a text and the surprisal of its pieces, in bits: -log2 P(piece | the rest)."""

    text: str
    start: int
    pieces: tuple[str, ...]
    surprisals: tuple[float, ...]

    @property
    def bits(self) -> float:
        """The surprisal of the whole word: the sum over its pieces."""
        return sum(self.surprisals)


@dataclass(frozen=True)
class SentenceScore:
    """A text and the score of each of its words."""

    text: str
    words: tuple[WordScore, ...]

    @property
    def bits(self) -> float:
        """The surprisal of the whole text; the lower, the more the model prefers it."""
        return sum(word.bits for word in self.words)

    @property
    def nats(self) -> float:
        """The pseudo-log-likelihood: negative, in nats."""
        return -self.bits * log(2)


def score_sentences(model: Model, texts: Sequence[str], whole: bool = False) -> list[SentenceScore]:
    """The score of every text, word by word; rows of similar length share a batch.

    Raises TextError for a text that is longer than the context, AbilityError for a model that does
    not fill blanks.
    """
    model.require(Ability.FILL, "guess masked words")
    encodings = [encode_whole(model, text) for text in texts]
    rows = [row for i, encoding in enumerate(encodings) for row in _rows(model, encoding, i, whole)]
    bits: dict[tuple[int, int], float] = {}
    for batch in batches(rows, batch_tokens(model)):
        for row, value in zip(batch, log_probabilities(model, batch).tolist(), strict=True):
            bits[row.text, row.positions[0]] = -value / log(2)
    return [_score(encoding, i, bits) for i, encoding in enumerate(encodings)]


def _rows(model: Model, encoding: Encoding, text: int, whole: bool) -> list[Row]:
    ids, mask = encoding.ids.tolist(), model.tokenizer.special_id("mask")
    rows = []
    for word in words(encoding):
        for p in [] if word.special else word.positions:
            hidden = {at for at in word.positions if at >= p} if whole else {p}
            read = [mask if at in hidden else id for at, id in enumerate(ids)]
            rows.append(Row(text, read, [p], [ids[p]]))
    return rows


def _score(encoding: Encoding, text: int, bits: dict[tuple[int, int], float]) -> SentenceScore:
    return SentenceScore(
        encoding.text,
        tuple(
            WordScore(
                word.text,
                word.start,
                tuple(encoding.tokens[p] for p in word.positions),
                tuple(bits[text, p] for p in word.positions),
            )
            for word in words(encoding)
            if not word.special
        ),
    )
