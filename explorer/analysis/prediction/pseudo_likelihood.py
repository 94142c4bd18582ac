"""How much each word takes from a sentence's score, when it is hidden and guessed from all others.

    PLL(text) = sum_i log P(t_i | text with t_i masked)

Salazar, Liang, Nguyen, Kirchhoff, "Masked Language Model Scoring" (ACL 2020). A word of several
pieces comes out too cheap that way, since its other pieces give each one away; with `whole` the
pieces after it are masked too (Kauf and Ivanova, "A Better Way to Do Masked Language Model Scoring",
ACL 2023: within a word from left to right).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from explorer.analysis.prediction.likelihood import Row, batch_tokens, batches, fitting, log_probabilities
from explorer.analysis.words import words
from explorer.models.base import LanguageModel
from explorer.trace import Ability, Encoding


@dataclass(frozen=True)
class Share:
    """A word of a text and the surprisal of its pieces, in bits: -log2 P(piece | the rest)."""

    word: str
    start: int
    pieces: tuple[str, ...]
    surprisals: tuple[float, ...]

    @property
    def bits(self) -> float:
        """The word's share: the sum over its pieces."""
        return sum(self.surprisals)


@dataclass(frozen=True)
class Scored:
    """A text and its words' shares."""

    text: str
    shares: tuple[Share, ...]

    @property
    def bits(self) -> float:
        """What the whole text costs; a lower number is a better sentence to the model."""
        return sum(share.bits for share in self.shares)

    @property
    def nats(self) -> float:
        """The pseudo-log-likelihood as the literature gives it: negative, in nats."""
        return -self.bits * log(2)


def scored(model: LanguageModel, texts: Sequence[str], whole: bool = False) -> list[Scored]:
    """Every text's score, word by word; rows of like length share a batch.

    Raises TextError for a text that is longer than the context, AbilityError for a model that does
    not fill blanks.
    """
    model.require(Ability.FILL, "guess masked words")
    encodings = [fitting(model, text) for text in texts]
    rows = [row for i, encoding in enumerate(encodings) for row in _rows(model, encoding, i, whole)]
    found: dict[tuple[int, int], float] = {}
    for batch in batches(rows, batch_tokens(model)):
        for row, value in zip(batch, log_probabilities(model, batch).tolist(), strict=True):
            found[row.text, row.positions[0]] = -value / log(2)
    return [_scored(encoding, i, found) for i, encoding in enumerate(encodings)]


def _rows(model: LanguageModel, encoding: Encoding, text: int, whole: bool) -> list[Row]:
    ids, mask = encoding.ids.tolist(), model.tokenizer.mask
    rows = []
    for word in words(encoding):
        for p in [] if word.special else word.positions:
            hidden = {at for at in word.positions if at >= p} if whole else {p}
            read = [mask if at in hidden else id for at, id in enumerate(ids)]
            rows.append(Row(text, read, [p], [ids[p]]))
    return rows


def _scored(encoding: Encoding, text: int, found: dict[tuple[int, int], float]) -> Scored:
    return Scored(
        encoding.text,
        tuple(
            Share(
                word.text,
                word.start,
                tuple(encoding.tokens[p] for p in word.positions),
                tuple(found[text, p] for p in word.positions),
            )
            for word in words(encoding)
            if not word.special
        ),
    )
