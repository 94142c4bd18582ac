"""What a task head is compared with: the most frequent class, a bag of words, and a model of random weights.

majority      the class that occurs most; for tags `O`; for answers "no answer", or the whole sentence
bag of words  logistic regression on which words and pairs of words occur (scikit-learn); for tags on
              the word, its ending and its neighbours; for answers the name around which most words
              of the question occur
"""

import copy
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import regex
import torch
from torch import nn

from explorer.errors import ExplorerError
from explorer.finetuning.base_model import trainable
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.scores import answer_scores, entity_scores
from explorer.models.base import Model
from explorer.models.language_model import LanguageModel
from explorer.text.letters import WORD

SPREAD = 0.02  # of random weights, as in BERT and GPT before training
NEAR = 60  # characters to each side of a possible answer in which the question's words count
PART = rf"(?:(?=[A-Z]){WORD}|\d[\d.,]*\d|\d)"
NAMED = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}\p{{M}}_]){PART}(?: {PART})*"
)  # capitalised words or numbers, one after another


def random_weights(model: Model, seed: int = 0) -> LanguageModel:
    """The same architecture and tokenizer with random weights: the features of an untrained model."""
    base = trainable(model)
    network = copy.deepcopy(base.network)
    generator = torch.Generator().manual_seed(seed)
    kinds = (nn.LayerNorm, nn.RMSNorm)
    norms = {id(p) for m in network.modules() if isinstance(m, kinds) for p in m.parameters()}
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if id(parameter) in norms or name.endswith("bias"):
                parameter.fill_(float(id(parameter) in norms and name.endswith("weight")))
            else:
                parameter.copy_(torch.randn(parameter.shape, generator=generator) * SPREAD)
    return replace(base, network=network)


def majority(train: Sequence[Example], test: Sequence[Example]) -> dict[str, float]:
    """The scores of always predicting the most frequent class."""
    if isinstance(train[0], Tagged):
        tags = [e.tags for e in test if isinstance(e, Tagged)]
        return entity_scores(tags, [("O",) * len(row) for row in tags])
    if isinstance(train[0], Question):
        right = [[e.answer] for e in test if isinstance(e, Question)]
        return answer_scores(right, [""] * len(right))
    most, _ = Counter(e.label for e in train if isinstance(e, Labelled | LabelledPair)).most_common(1)[0]
    hits = [e.label == most for e in test if isinstance(e, Labelled | LabelledPair)]
    return {"accuracy": sum(hits) / len(hits)}


def bag_of_words(train: Sequence[Example], test: Sequence[Example]) -> dict[str, float]:
    """The scores of a model that sees only which words occur, without any network.

    >>> bag_of_words([Labelled("good", "yes"), Labelled("bad", "no")], [Labelled("so good", "yes")])
    {'accuracy': 1.0}
    """
    tagged = [e for e in train if isinstance(e, Tagged)]
    if tagged:
        sentences = [e for e in test if isinstance(e, Tagged)]
        predict = _regression(
            [w for e in tagged for w in _word_features(e)], [t for e in tagged for t in e.tags]
        )
        tags = iter(predict([w for e in sentences for w in _word_features(e)]))
        return entity_scores([e.tags for e in sentences], [[next(tags) for _ in e.tags] for e in sentences])
    questions = [e for e in test if isinstance(e, Question)]
    if questions:
        return answer_scores([[e.answer] for e in questions], [nearest(e) for e in questions])
    labelled = [e for e in train if isinstance(e, Labelled | LabelledPair)]
    others = [e for e in test if isinstance(e, Labelled | LabelledPair)]
    predict = _regression([_text_features(e) for e in labelled], [e.label for e in labelled])
    labels = predict([_text_features(e) for e in others])
    hits = [e.label == label for e, label in zip(others, labels, strict=True)]
    return {"accuracy": sum(hits) / len(hits)}


def _regression(rows: list[dict[str, Any]], labels: list[str]) -> Callable[[list[dict[str, Any]]], list[str]]:
    """The prediction function of a logistic regression on named features."""
    from sklearn.feature_extraction import DictVectorizer  # takes a second
    from sklearn.linear_model import LogisticRegression

    if len(set(labels)) < 2:
        raise ExplorerError("There must be at least two classes.", "Add examples of another class.")
    vectors = DictVectorizer()
    model = LogisticRegression(max_iter=200).fit(vectors.fit_transform(rows), labels)
    return lambda others: [str(label) for label in model.predict(vectors.transform(others))]


def _text_features(example: Labelled | LabelledPair) -> dict[str, Any]:
    """Which words, and which two in a row, occur; for two texts in each of them, and how many they share."""
    if isinstance(example, Labelled):
        return _ngrams(example.text)
    first, second = set(_words(example.text)), set(_words(example.pair))
    shared = len(first & second) / max(1, len(second))
    of_second = {f"2 {ngram}": 1 for ngram in _ngrams(example.pair)}
    return _ngrams(example.text) | of_second | {"shared": shared}


def _ngrams(text: str) -> dict[str, Any]:
    words = _words(text)
    return dict.fromkeys([*words, *map(" ".join, pairwise(words))], 1)


def _words(text: str) -> list[str]:
    return list(regex.findall(WORD, text.lower()))


def _word_features(example: Tagged) -> list[dict[str, Any]]:
    """For each word: itself, its ending, whether it is capitalised, and the words beside it."""
    words = ["", *example.words, ""]
    return [
        {
            f"word {word.lower()}": 1,
            f"ending {word[-3:].lower()}": 1,
            f"before {words[i].lower()}": 1,
            f"after {words[i + 2].lower()}": 1,
            "capital": float(word[:1].isupper()),
            "digit": float(any(map(str.isdigit, word))),
        }
        for i, word in enumerate(example.words)
    ]


def nearest(example: Question) -> str:
    """The name or number of a passage around which most words of the question occur, weighted by rarity."""
    question = set(_words(example.question))
    counts = Counter(_words(example.passage))
    best, answer = 0.0, ""
    for match in NAMED.finditer(example.passage):
        if set(_words(match[0])) <= question:
            continue
        around = set(_words(example.passage[max(0, match.start() - NEAR) : match.end() + NEAR]))
        score = sum(1 / math.log(2 + counts[word]) for word in question & around)
        if score > best:
            best, answer = score, match[0]
    return answer
