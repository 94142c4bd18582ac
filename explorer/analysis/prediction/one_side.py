"""The predictions of ELMo's two directions, each reading the words on one side only.

P(word | words on one side)     softmax over a word vocabulary, from the left or the right
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.prediction.fill import Candidate, ranked
from explorer.errors import TextError, at_least_one
from explorer.locale import _
from explorer.models.base import Model, Text
from explorer.trace import Ability, Capture, Encoding, captured


@dataclass(frozen=True, eq=False)
class Sides:
    """The distributions over words at one position, from the left and from the right.

    Each sums to 1 over the vocabulary, or is empty if that side has no text.
    """

    encoding: Encoding
    position: int
    left: Float[Tensor, "left_vocab"]
    right: Float[Tensor, "right_vocab"]


def next_words(model: Model, text: Text, top: int = 10) -> list[tuple[str, float]]:
    """The likeliest words after a text or a list of words, with probabilities (see `words_of`).

    `</S>` is the end of the sentence. Raises AbilityError for a model without a word vocabulary,
    TextError for a text beyond its limit.

    >>> [word for word, probability in next_words(explorer.load("elmo"), "He sat down on the", top=3)]
    ['floor', 'desk', 'table']
    """
    at_least_one(top=top)
    return [(c.token, c.probability) for c in words_of(model, sides(model, text, -1).left, top)]


def previous_words(model: Model, text: Text, top: int = 10) -> list[tuple[str, float]]:
    """The likeliest words before a text, predicted from the right, with probabilities.

    `<S>` is the beginning of the sentence. Raises as `next_words` does.

    >>> [word for word, probability in previous_words(explorer.load("elmo"), "of water", top=3)]
    ['cup', 'chance', 'out']
    """
    at_least_one(top=top)
    return [(c.token, c.probability) for c in words_of(model, sides(model, text, 0).right, top)]


def words_of(model: Model, probabilities: Float[Tensor, "d_vocab"], k: int) -> list[Candidate]:
    """The k likeliest words of one side, without `<UNK>`, which stands for all unlisted words.

    The probabilities are not rescaled.
    """
    at_least_one(k=k)
    listed = [c for c in ranked(model, probabilities, k + 1) if c.id != model.tokenizer.unknown][:k]
    return [Candidate(c.id, c.token, c.probability, rank) for rank, c in enumerate(listed, 1)]


def sides(model: Model, text: Text, position: int) -> Sides:
    """The predictions of ELMo's two directions at a position of a text, each from one side of it.

    A negative position counts from the end. `left` is empty at position 0, the boundary before the text, and
    `right` at the last one, the boundary after it. Raises AbilityError for a model without a word vocabulary,
    TextError for a text beyond its limit.

    >>> expected = sides(explorer.load("elmo"), "a cup of tea", position=3)
    >>> len(expected.left) == len(expected.right), round(float(expected.left.sum()), 3)
    (True, 1.0)
    """
    model.require(Ability.NEXT_WORD, "guess the next word")
    model.require(Ability.PREVIOUS_WORD, "guess the word before")
    encoding = model.encode(text)
    if encoding.truncated:
        raise TextError(
            _(
                "{model} reads {count} words here; the text has {more} more.",
                model=model.checkpoint,
                count=len(encoding),
                more=encoding.truncated,
            ),
            _("Shorten it."),
        )
    last = captured(model.trace_encodings([encoding], Capture.HIDDEN)[0].hidden_states)[-1]
    at = range(len(encoding))[position]
    left = model.next_word(last[:at][-1:]).softmax(-1).flatten()
    right = model.previous_word(last[at + 1 :][:1]).softmax(-1).flatten()
    return Sides(encoding, at, left, right)
