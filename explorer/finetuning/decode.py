"""From scores to predictions: the most probable class, the tags of words, the best legal answer."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.encoding import EncodedExample
from explorer.finetuning.predictions import (
    AnswerPrediction,
    Candidate,
    ClassPrediction,
    Prediction,
    TagPrediction,
)
from explorer.finetuning.scores import entities
from explorer.finetuning.tasks import Answers, Tags, Task

BEST = 10  # answers that are listed, the best one included


def decode(task: Task, item: EncodedExample, logits: Float[Tensor, "row label"]) -> Prediction:
    """The prediction that the scores of one text amount to."""
    if isinstance(task, Answers):
        return _answer(task, item, logits)
    probabilities = logits.softmax(-1)
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
