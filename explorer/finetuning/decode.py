"""A head's scores to what it says: the likeliest class, the tags of words, the best legal answer."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.predictions import (
    AnswerPrediction,
    Candidate,
    ClassPrediction,
    Prediction,
    TagPrediction,
)
from explorer.finetuning.reading import Read
from explorer.finetuning.scores import entities
from explorer.finetuning.tasks import Answers, Tags, Task

BEST = 10  # answers that are listed, the best one included


def decoded(task: Task, item: Read, logits: Float[Tensor, "row label"]) -> Prediction:
    """What the scores of one text mean."""
    if isinstance(task, Answers):
        return answer(task, item, logits)
    chances = logits.softmax(-1)
    if isinstance(task, Tags):
        return _tags(task.labels, item, chances)
    best = int(chances[0].argmax())
    return ClassPrediction(
        item.encoding.text,
        task.labels[best],
        dict(zip(task.labels, chances[0].tolist(), strict=True)),
        item.encoding.pair,
    )


def _tags(labels: Sequence[str], item: Read, chances: Float[Tensor, "row label"]) -> TagPrediction:
    """The likeliest tag of each word; `O`, with probability 0, for a word that was not read."""
    tags, sure = ["O"] * len(item.words), [0.0] * len(item.words)
    for word, row in zip(item.kept, chances, strict=True):
        best = int(row.argmax())
        tags[word], sure[word] = labels[best], float(row[best])
    missing = len(item.words) - len(item.kept)
    found = entities(tags)
    return TagPrediction(item.encoding.text, item.words, item.spans, tuple(tags), tuple(sure), found, missing)


def answer(task: Answers, item: Read, logits: Float[Tensor, "row label"]) -> AnswerPrediction:
    """The best legal pair: its end is not before its start, and it has at most `task.longest` tokens.

    A pair's score is start + end, "no answer" is [CLS] as both, with the task's threshold added;
    probabilities are over all legal pairs.
    """
    encoding = item.encoding
    passage, question = encoding.pair or "", encoding.text
    scores = logits[:, 0][:, None] + logits[:, 1][None, :]
    scores[0, 0] += task.threshold
    places = torch.arange(len(logits))
    ahead = places[None, :] - places[:, None]
    legal = (ahead >= 0) & (ahead < task.longest) & (places[:, None] > 0)
    legal[0, 0] = True
    chances = scores.masked_fill(~legal, -torch.inf).flatten().softmax(0)
    top = chances.topk(min(BEST, int(legal.sum())))
    found: list[Candidate] = []
    for probability, flat in zip(top.values.tolist(), top.indices.tolist(), strict=True):
        found.append(_candidate(item, passage, flat // len(logits), flat % len(logits), probability))
    no_answer = float(chances[0])
    if not any(candidate.first == 0 for candidate in found):
        found.append(_candidate(item, passage, 0, 0, no_answer))
    best = found[0]
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
        tuple(found),
        tuple(encoding.tokens),
        tuple(spans),
        ends[0],
        ends[1],
        encoding.truncated,
    )


def _candidate(item: Read, passage: str, first: int, last: int, probability: float) -> Candidate:
    if first == 0:
        return Candidate("", 0, 0, 0, 0, probability)
    one, other = item.places[first], item.places[last]
    start, end = item.encoding.spans[one][0], item.encoding.spans[other][1]
    return Candidate(passage[start:end], start, end, one, other, probability)
