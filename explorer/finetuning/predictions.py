"""Predictions of a task head: one small result for each task, and how they follow from its scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.encoding import EncodedExample
from explorer.finetuning.tasks import Answers, Tags, Task


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


def entities(tags: Sequence[str]) -> tuple[Entity, ...]:
    """The entities in a row of BIO tags; an `I-` after another name begins a new one, as in seqeval."""
    spans: list[Entity] = []
    for i, tag in enumerate(tags):
        name = tag[2:]
        if tag == "O":
            continue
        if tag[0] == "I" and spans and spans[-1].end == i and spans[-1].label == name:
            spans[-1] = Entity(name, spans[-1].start, i + 1)
        else:
            spans.append(Entity(name, i, i + 1))
    return tuple(spans)


BEST = 10  # answers that are listed, the best one included


def decode(task: Task, item: EncodedExample, logits: Float[Tensor, "row label"]) -> Prediction:
    """The prediction that the scores of one text amount to."""
    if isinstance(task, Answers):
        return _answer(task, item, logits)
    probabilities = logits.sigmoid() if getattr(task, "several", False) else logits.softmax(-1)
    if isinstance(task, Tags):
        return _tags(task.labels, item, probabilities)
    best = int(probabilities[0].argmax())
    return ClassPrediction(
        item.encoding.text,
        task.labels[best],
        dict(zip(task.labels, probabilities[0].tolist(), strict=True)),
        item.encoding.pair,
    )


def _tags(labels: Sequence[str], item: EncodedExample, rows: Float[Tensor, "row label"]) -> TagPrediction:
    """The most probable tag of each word; `O` with probability 0 for a word that the model did not read."""
    tags, probabilities = ["O"] * len(item.words), [0.0] * len(item.words)
    for word, row in zip(item.word_ids, rows, strict=True):
        best = int(row.argmax())
        tags[word], probabilities[word] = labels[best], float(row[best])
    unread = len(item.words) - len(item.word_ids)
    text, words, spans = item.encoding.text, item.words, item.spans
    return TagPrediction(text, words, spans, tuple(tags), tuple(probabilities), entities(tags), unread)


def _answer(task: Answers, item: EncodedExample, logits: Float[Tensor, "row label"]) -> AnswerPrediction:
    """The best legal pair: its end is not before its start, and it has at most `task.longest` tokens.

    A pair's score is start + end, "no answer" is [CLS] as both, with the task's threshold added;
    probabilities are over all legal pairs.
    """
    encoding = item.encoding
    passage, question = encoding.pair or "", encoding.text
    scores = logits[:, 0][:, None] + logits[:, 1][None, :]
    scores[0, 0] += task.threshold
    tokens = torch.arange(len(logits))
    length = tokens[None, :] - tokens[:, None]
    legal = (length >= 0) & (length < task.longest) & (tokens[:, None] > 0)
    legal[0, 0] = True
    probabilities = scores.masked_fill(~legal, -torch.inf).flatten().softmax(0)
    top = probabilities.topk(min(BEST, int(legal.sum())))
    candidates: list[Candidate] = []
    for probability, flat in zip(top.values.tolist(), top.indices.tolist(), strict=True):
        candidates.append(_candidate(item, passage, flat // len(logits), flat % len(logits), probability))
    no_answer = float(probabilities[0])
    if not any(candidate.first == 0 for candidate in candidates):
        candidates.append(_candidate(item, passage, 0, 0, no_answer))
    best = candidates[0]
    ends = torch.zeros(2, len(encoding))
    ends[:, list(item.places)] = logits.softmax(0).T
    spans = [
        span if encoding.side(i) == 1 and not encoding.special[i] else (0, 0)
        for i, span in enumerate(encoding.spans)
    ]
    return AnswerPrediction(
        passage,
        question,
        best.text,
        best.start if best.first else None,
        best.end if best.first else None,
        best.probability,
        no_answer,
        tuple(candidates),
        tuple(encoding.tokens),
        tuple(spans),
        ends[0],
        ends[1],
        encoding.truncated,
    )


def _candidate(item: EncodedExample, passage: str, first: int, last: int, probability: float) -> Candidate:
    if first == 0:
        return Candidate("", 0, 0, 0, 0, probability)
    first, last = item.places[first], item.places[last]
    start, end = item.encoding.spans[first][0], item.encoding.spans[last][1]
    return Candidate(passage[start:end], start, end, first, last, probability)
