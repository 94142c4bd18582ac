"""How good a head is on examples that it was not trained on: the field's measure for each task.

Classes, Pairs   accuracy
Tags             F1 over whole entities, as conlleval and seqeval count them; accuracy per word beside it
Answers          exact match and token F1 after SQuAD's normalising (Rajpurkar et al. 2016)
"""

import re
import string
from collections import Counter
from collections.abc import Sequence

from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.predictions import (
    AnswerPrediction,
    ClassPrediction,
    Entity,
    Prediction,
    TagPrediction,
)
from explorer.finetuning.tasks import Kind

MAIN: dict[Kind, str] = {"classes": "accuracy", "pairs": "accuracy", "tags": "f1", "answers": "f1"}


def scores(examples: Sequence[Example], predictions: Sequence[Prediction]) -> dict[str, float]:
    """All measures of a task, each from 0 to 1, the main one first.

    >>> scores([Labelled("Good.", "yes")], [ClassPrediction("Good.", "yes", {"yes": 0.9, "no": 0.1})])
    {'accuracy': 1.0}
    """
    tagged = [
        (e.tags, p.tags)
        for e, p in zip(examples, predictions, strict=True)
        if isinstance(e, Tagged) and isinstance(p, TagPrediction)
    ]
    if tagged:
        return entity_scores([right for right, _ in tagged], [said for _, said in tagged])
    answered = [
        (e.answer, p.answer)
        for e, p in zip(examples, predictions, strict=True)
        if isinstance(e, Question) and isinstance(p, AnswerPrediction)
    ]
    if answered:
        return answer_scores([[right] for right, _ in answered], [said for _, said in answered])
    right = [
        e.label == p.label
        for e, p in zip(examples, predictions, strict=True)
        if isinstance(e, Labelled | LabelledPair) and isinstance(p, ClassPrediction)
    ]
    return {"accuracy": sum(right) / len(right)} if right else {}


def entities(tags: Sequence[str]) -> tuple[Entity, ...]:
    """The entities in a row of BIO tags; an `I-` after another name begins one, as seqeval counts it.

    >>> entities(["B-city", "I-city", "O", "I-date"])
    (Entity(label='city', start=0, end=2), Entity(label='date', start=3, end=4))
    """
    found: list[Entity] = []
    for i, tag in enumerate(tags):
        name = tag[2:]
        if tag == "O":
            continue
        goes_on = tag[0] == "I" and found and found[-1].end == i and found[-1].label == name
        if goes_on:
            found[-1] = Entity(name, found[-1].start, i + 1)
        else:
            found.append(Entity(name, i, i + 1))
    return tuple(found)


def entity_scores(right: Sequence[Sequence[str]], said: Sequence[Sequence[str]]) -> dict[str, float]:
    """F1, precision and recall over whole entities of all sentences together, and accuracy per word.

    >>> entity_scores([["B-city", "I-city", "O"]], [["B-city", "O", "O"]])["f1"]
    0.0
    """
    true = {(i, e) for i, tags in enumerate(right) for e in entities(tags)}
    found = {(i, e) for i, tags in enumerate(said) for e in entities(tags)}
    both = len(true & found)
    words = [a == b for one, other in zip(right, said, strict=True) for a, b in zip(one, other, strict=True)]
    return {
        "f1": 2 * both / (len(true) + len(found)) if true or found else 1.0,
        "precision": both / len(found) if found else 0.0,
        "recall": both / len(true) if true else 0.0,
        "accuracy": sum(words) / len(words) if words else 0.0,
    }


def answer_scores(right: Sequence[Sequence[str]], said: Sequence[str]) -> dict[str, float]:
    """Token F1 and exact match, each the best over a question's right answers, averaged over questions.

    >>> answer_scores([["the Danube"]], ["Danube"])
    {'f1': 1.0, 'exact': 1.0}
    """
    pairs = list(zip(right, said, strict=True))
    f1 = [max(_token_f1(one, answer) for one in every) for every, answer in pairs]
    exact = [any(plain(one) == plain(answer) for one in every) for every, answer in pairs]
    return {"f1": sum(f1) / len(f1), "exact": sum(exact) / len(exact)}


def plain(text: str) -> str:
    """An answer without case, punctuation, articles and extra spaces, as SQuAD's script compares them.

    >>> plain("The  bank, of course")
    'bank of course'
    """
    text = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def _token_f1(right: str, said: str) -> float:
    true, found = plain(right).split(), plain(said).split()
    if not true or not found:
        return float(true == found)
    both = sum((Counter(true) & Counter(found)).values())
    return 2 * both / (len(true) + len(found))
