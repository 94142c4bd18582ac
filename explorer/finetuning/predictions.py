"""Predictions of a task head: one small result for each task."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class ClassPrediction:
    """The class of a text (or of two), and the probability of every class."""

    text: str
    label: str
    probabilities: dict[str, float]
    pair: str | None = None


@dataclass(frozen=True)
class Entity:
    """Words that belong together: `words[start:end]` of a prediction is one `label`."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class TagPrediction:
    """A tag for each word: its name, its probability, and the word's characters in the text.

    `cut` counts the words that the model did not read, mostly beyond its context; they are tagged `O` with
    probability 0.
    """

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    tags: tuple[str, ...]
    probabilities: tuple[float, ...]
    entities: tuple[Entity, ...]
    cut: int = 0


@dataclass(frozen=True)
class Candidate:
    """A possible answer: `passage[start:end]`, and its probability among all legal pairs and “no answer”.

    `first` and `last` are token positions of the encoding. "No answer" has an empty text and (0, 0).
    """

    text: str
    start: int
    end: int
    first: int
    last: int
    probability: float


@dataclass(frozen=True, eq=False)
class AnswerPrediction:
    """The best legal pair of a start and an end, the runners-up, and the probabilities of every token.

    `tokens` are the whole input: [CLS], question, [SEP], passage, [SEP]. `starts` and `ends` are
    probabilities over it, 0 where an answer cannot be (outside the passage, except [CLS]). `spans`
    are characters of the passage, (0, 0) elsewhere. If [CLS] wins, `answer` is "" and `start` None.
    `candidates` are the best legal pairs and "no answer", in order; `cut` counts tokens that were not read.
    """

    passage: str
    question: str
    answer: str
    start: int | None
    end: int | None
    probability: float
    no_answer: float
    candidates: tuple[Candidate, ...]
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    starts: Float[Tensor, "pos"]
    ends: Float[Tensor, "pos"]
    cut: int = 0


Prediction = ClassPrediction | TagPrediction | AnswerPrediction
