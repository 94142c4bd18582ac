"""ELMo's two language models over one sentence: every state, and what each last state predicts.

    forward states of the words up to a place   -> the next word
    backward states of the words from a place   -> the previous word

Paper: Peters et al., "Deep contextualized word representations" (NAACL 2018), section 3.1.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.prediction.fill import Candidate
from explorer.analysis.prediction.one_side import words_of
from explorer.errors import at_least_one
from explorer.models.base import Model, Text
from explorer.short_text import WithShortText
from explorer.trace import Ability, Capture, Encoding, captured


@dataclass(frozen=True, eq=False, repr=False)
class BothReaders(WithShortText):
    """The states of both directions by layer, and the words that the last layer expects.

    `forward` and `backward` have the layers 0 (the word alone) to the last. `following[i]` are the words
    expected after token i, by the forward direction; `preceding[i]` those before it, by the backward one.
    `actual[i]` is token i as these two expect it in its place, with its probability and rank: None at an end
    of the text, and for a word beyond the vocabulary.

    >>> read = both_readers(explorer.load("elmo"), "a cup of tea")
    >>> read.forward.shape == read.backward.shape, len(read.following) == len(read.encoding)
    (True, True)
    >>> forward, backward = read.actual[4]  # “tea”, after “a cup of”
    >>> forward.token, forward.rank < backward.rank
    ('tea', True)
    """

    encoding: Encoding
    forward: Float[Tensor, "layers pos half"]
    backward: Float[Tensor, "layers pos half"]
    following: list[list[Candidate]]
    preceding: list[list[Candidate]]
    actual: list[tuple[Candidate | None, Candidate | None]]


def both_readers(model: Model, text: Text, top: int = 5, limit: int | None = None) -> BothReaders:
    """The states and predictions of a text; at most `limit` of its tokens are read.

    Raises AbilityError for a model that does not predict words in both directions.
    """
    at_least_one(top=top, limit=limit)
    model.require(Ability.NEXT_WORD, "guess the next word")
    model.require(Ability.PREVIOUS_WORD, "guess the word before")
    encoding = model.encode(text, limit=limit)
    hidden = captured(model.trace_encodings([encoding], Capture.HIDDEN)[0].hidden_states)
    forward, backward = hidden.chunk(2, dim=-1)
    following = model.next_word(hidden[-1]).softmax(-1)
    preceding = model.previous_word(hidden[-1]).softmax(-1)
    return BothReaders(
        encoding,
        forward,
        backward,
        [words_of(model, row, top) for row in following],
        [words_of(model, row, top) for row in preceding],
        [
            (
                _actual(model, encoding, at, following[at - 1]) if at else None,
                _actual(model, encoding, at, preceding[at + 1]) if at + 1 < len(encoding) else None,
            )
            for at in range(len(encoding))
        ],
    )


def _actual(
    model: Model, encoding: Encoding, at: int, probabilities: Float[Tensor, "d_vocab"]
) -> Candidate | None:
    """A token of the text among what is expected in its place; None if it is not in the vocabulary."""
    id, unknown = int(encoding.ids[at]), model.tokenizer.unknown
    if id == unknown:
        return None
    likelier = probabilities > probabilities[id]
    likelier[unknown] = False  # no word, but a share for all that are not listed
    return Candidate(id, encoding.tokens[at], float(probabilities[id]), int(likelier.sum()) + 1)
