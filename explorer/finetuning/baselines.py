"""What a task head is compared with: the most frequent class, a bag of words, and a model of random weights.

majority      the class that occurs most; for tags `O`; for answers "no answer", or the whole sentence
bag of words  logistic regression on which words and pairs of words occur (scikit-learn); for tags on
              the word, its ending and its neighbours; for answers the name around which most words
              of the question occur
"""

import copy
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import regex
import torch
from torch import nn

from explorer.errors import ExplorerError
from explorer.finetuning.base_model import trainable
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.scores import output_of, output_scores
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
    match train[0]:
        case Tagged():
            outputs: list[Any] = [("O",) * len(e.tags) for e in test if isinstance(e, Tagged)]
        case Question():
            outputs = [""] * len(test)
        case _:
            (label, _), *_ = Counter(map(output_of, train)).most_common(1)
            outputs = [label] * len(test)
    return output_scores(test, outputs)


def bag_of_words(train: Sequence[Example], test: Sequence[Example]) -> dict[str, float]:
    """The scores of a model that sees only which words occur, without any network.

    >>> bag_of_words([Labelled("good", "yes"), Labelled("bad", "no")], [Labelled("so good", "yes")])
    {'accuracy': 1.0}
    """
    match train[0]:
        case Tagged():
            tags = [tag for e in train if isinstance(e, Tagged) for tag in e.tags]
            predictions = iter(_regression(_word_features(train), tags, _word_features(test)))
            outputs: list[Any] = [[next(predictions) for _ in e.tags] for e in test if isinstance(e, Tagged)]
        case Question():
            outputs = [nearest(e) for e in test if isinstance(e, Question)]
        case _:
            labels = [output_of(e) for e in train]
            outputs = _regression(_text_features(train), labels, _text_features(test))
    return output_scores(test, outputs)


def _regression(rows: list[dict[str, Any]], labels: list[str], test: list[dict[str, Any]]) -> list[str]:
    """The labels that a logistic regression on named features predicts for the test rows."""
    from sklearn.feature_extraction import DictVectorizer  # takes a second
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    if len(set(labels)) < 2:
        raise ExplorerError("There must be at least two classes.", "Add examples of another class.")
    model = make_pipeline(DictVectorizer(), LogisticRegression(max_iter=200)).fit(rows, labels)
    return [str(label) for label in model.predict(test)]


def _text_features(examples: Sequence[Example]) -> list[dict[str, Any]]:
    """Which words, and which two in a row, occur; for two texts in each of them, and how many they share."""
    features = []
    for example in examples:
        if isinstance(example, Labelled):
            features.append(_ngrams(example.text))
        elif isinstance(example, LabelledPair):
            first, second = set(_words(example.text)), set(_words(example.pair))
            of_second = {f"2 {ngram}": 1 for ngram in _ngrams(example.pair)}
            shared = len(first & second) / max(1, len(second))
            features.append(_ngrams(example.text) | of_second | {"shared": shared})
    return features


def _ngrams(text: str) -> dict[str, Any]:
    words = _words(text)
    return dict.fromkeys([*words, *map(" ".join, pairwise(words))], 1)


def _words(text: str) -> list[str]:
    return list(regex.findall(WORD, text.lower()))


def _word_features(examples: Sequence[Example]) -> list[dict[str, Any]]:
    """For each word: itself, its ending, the words beside it, whether it has a capital or digits."""
    features = []
    for example in examples:
        words = ["", *example.words, ""] if isinstance(example, Tagged) else []
        for before, word, after in zip(words, words[1:], words[2:]):
            names = {"word": word, "ending": word[-3:], "before": before, "after": after}
            shape = {"capital": float(word[:1].isupper()), "digit": float(any(map(str.isdigit, word)))}
            features.append({f"{name} {text.lower()}": 1.0 for name, text in names.items()} | shape)
    return features


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
