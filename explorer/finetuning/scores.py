"""How good predictions are: the usual measure of each task.

Classes, Pairs   accuracy
Tags             F1 over whole entities, as conlleval and seqeval count them; accuracy per word beside it
Answers          exact match and token F1 after SQuAD's normalisation (Rajpurkar et al. 2016)
"""

import operator
import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

from explorer.finetuning.examples import Example, Question, Tagged
from explorer.finetuning.predictions import AnswerPrediction, Prediction, TagPrediction, entities
from explorer.finetuning.tasks import Kind

MAIN: dict[Kind, str] = {"classes": "accuracy", "pairs": "accuracy", "tags": "f1", "answers": "f1"}


def scores(examples: Sequence[Example], predictions: Sequence[Prediction]) -> dict[str, float]:
    """All measures of a task, each from 0 to 1, the main one first.

    >>> from explorer.finetuning import Labelled
    >>> from explorer.finetuning.predictions import ClassPrediction
    >>> scores([Labelled("Good.", "yes")], [ClassPrediction("Good.", "yes", {"yes": 0.9, "no": 0.1})])
    {'accuracy': 1.0}
    """
    right, outputs = ([output_of(item) for item in items] for items in (examples, predictions))
    match examples[0] if examples else None:
        case None:
            return {}
        case Tagged():
            return entity_scores(right, outputs)
        case Question():
            return answer_scores([[answer] for answer in right], outputs)
    return {"accuracy": sum(map(operator.eq, right, outputs)) / len(right)}


def output_of(item: Example | Prediction) -> Any:
    """The label, the tags or the answer of an example or a prediction."""
    match item:
        case Tagged() | TagPrediction():
            return item.tags
        case Question() | AnswerPrediction():
            return item.answer
    return item.label


def entity_scores(right: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, float]:
    """F1, precision and recall over whole entities of all sentences together, and accuracy per word.

    >>> entity_scores([["B-city", "I-city", "O"]], [["B-city", "O", "O"]])["f1"]
    0.0
    """
    true = {(i, e) for i, tags in enumerate(right) for e in entities(tags)}
    guesses = {(i, e) for i, tags in enumerate(predicted) for e in entities(tags)}
    both = len(true & guesses)
    rows = zip(right, predicted, strict=True)
    words = [a == b for tags in rows for a, b in zip(*tags, strict=True)]
    return {
        "f1": 2 * both / (len(true) + len(guesses)) if true or guesses else 1.0,
        "precision": both / len(guesses) if guesses else 0.0,
        "recall": both / len(true) if true else 0.0,
        "accuracy": sum(words) / len(words) if words else 0.0,
    }


def answer_scores(right: Sequence[Sequence[str]], predicted: Sequence[str]) -> dict[str, float]:
    """Token F1 and exact match, each the best over a question's right answers, averaged over questions.

    >>> answer_scores([["the Danube"]], ["Danube"])
    {'f1': 1.0, 'exact': 1.0}
    """
    pairs = list(zip(right, predicted, strict=True))
    f1 = [max(_token_f1(option, answer) for option in options) for options, answer in pairs]
    exact = [any(plain(option) == plain(answer) for option in options) for options, answer in pairs]
    return {"f1": sum(f1) / len(f1), "exact": sum(exact) / len(exact)}


def plain(text: str) -> str:
    """An answer without case, punctuation, articles and extra spaces, as SQuAD's script compares them.

    >>> plain("The  bank, of course")
    'bank of course'
    """
    text = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def _token_f1(right: str, predicted: str) -> float:
    true, words = plain(right).split(), plain(predicted).split()
    if not true or not words:
        return float(true == words)
    both = sum((Counter(true) & Counter(words)).values())
    return 2 * both / (len(true) + len(words))
