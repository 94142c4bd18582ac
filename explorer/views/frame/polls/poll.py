"""What a view can ask a class, and what the model answers."""

from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from explorer.locale import N_
from explorer.room.questions import Question

__all__ = ["Later", "Poll", "Question", "text_end", "token_poll"]

LONGEST_TEXT = 300  # characters of a text that phones see


@dataclass(frozen=True)
class Poll:
    """A question to the class; `model` are the model's answers with their probabilities, the likeliest first.

    Its keys are words, choices as they are written, or for “token” the numbers of words in the sentence; a
    number has all of the probability. `truth` is the right answer where there is one, such as the word that
    stands in the text, or what a model finds without a probability: `find_truth` then computes it once it is
    asked. A question of `taste` has none, and nobody is wrong about a word that was `drawn` by lot, nor where
    the sum of the class's numbers throws a `die` with these words. `who` is the model's name, by default
    that of the page. `about` is the place of the picture that would give the answer away (`stage.place`), and
    `waits` says that this picture is still being made: it is asked once that has ended.
    """

    question: Question
    model: Mapping[str, float] = field(default_factory=dict)
    truth: str = ""
    who: str = N_("The model")
    taste: bool = False
    drawn: str = ""
    die: Sequence[str] = field(default_factory=list)
    about: str = ""
    waits: bool = False
    find_truth: Callable[[], str] | None = None

    def computed(self) -> "Poll":
        """With all that is computed late."""
        truth = self.truth or (self.find_truth() if self.find_truth else "")
        return replace(self, model=dict(self.model), truth=truth, find_truth=None)


class Later(UserDict[str, float]):
    """Answers that are computed when they are first read: a question is offered more often than it is asked.

    >>> Later(lambda: {"bank": 0.5})["bank"]
    0.5
    """

    def __init__(self, compute: Callable[[], dict[str, float]]) -> None:
        self._compute = compute

    @cached_property
    def data(self) -> dict[str, float]:  # type: ignore[override]
        """What was computed."""
        return self._compute()


def token_poll(text: str, context: str, words: Sequence[str], shares: Sequence[float], who: str) -> Poll:
    """A question that is answered with a word of a sentence; `shares` are what the model gives to each.

    >>> token_poll("Which?", "A dog", ["A", "dog"], [0.2, 0.8], "BERT").model
    {'1': 0.8, '0': 0.2}
    """
    model = {str(at): shares[at] for at in sorted(range(len(words)), key=lambda at: -shares[at])}
    return Poll(Question("token", text, context, tuple(words)), model, who=who)


def text_end(text: str, longest: int = LONGEST_TEXT) -> str:
    """The end of a text, from a word on if it is long.

    >>> text_end("We sat on the bank"), text_end("word " * 99)[:11]
    ('We sat on the bank', '… word word')
    """
    return text if len(text) <= longest else f"… {text[2 - longest :].partition(' ')[2]}"
