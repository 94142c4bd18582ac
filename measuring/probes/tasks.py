"""What the probes learn from: portions of a treebank and of documents with names, and three labelled tasks.

The portions are random whole sentences (whole documents for the names). Nothing is tuned, so the development
file stays unread.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.probing.classifier import accuracy, edge_vectors, f1
from explorer.analysis.probing.control import control_labels
from explorer.analysis.probing.sentences import OUTSIDE, Sentence, read_names, read_treebank
from explorer.analysis.probing.states import word_states
from explorer.errors import TextError
from explorer.models.base import Model

TASKS = ("tag", "relation", "entity")
TRAIN_WORDS, TEST_WORDS = 50_000, 20_000
SHORTEST, LONGEST = 3, 40  # words of a sentence: short ones have no tree, long ones take most of the time
NAMES_TEST = 0.25  # of the documents

Portion = Sequence[Sentence]  # to train on or to test with


def treebank(folder: Path, seed: int = 0) -> dict[str, Portion]:
    """Portions of the treebank's training file and of its test file. Raises TextError."""
    portions = {}
    for use, most in (("train", TRAIN_WORDS), ("test", TEST_WORDS)):
        files = sorted(folder.glob(f"*{use}*.conllu"))
        if len(files) != 1:
            raise TextError(f"{folder} has {len(files)} files with {use} in their name that end in .conllu.")
        with files[0].open(encoding="utf-8") as lines:
            portions[use] = draw(
                [s for s in read_treebank(lines) if SHORTEST <= len(s) <= LONGEST], most, seed
            )
    return portions


def names(file: Path, seed: int = 0) -> dict[str, Portion]:
    """All documents of a file with names, three quarters of them to train on."""
    with file.open(encoding="utf-8") as lines:
        documents = read_names(lines)
    random.Random(seed).shuffle(documents)
    cut = round(len(documents) * NAMES_TEST)
    return {
        "test": [sentence for document in documents[:cut] for sentence in document],
        "train": [sentence for document in documents[cut:] for sentence in document],
    }


def draw(sentences: Sequence[Sentence], most: int, seed: int) -> Portion:
    """Random sentences, until the next one would make it more than `most` words."""
    order = list(sentences)
    random.Random(seed).shuffle(order)
    selected: list[Sentence] = []
    words = 0
    for sentence in order:
        words += len(sentence)
        if words > most:
            break
        selected.append(sentence)
    return selected


class States:
    """States of all words of some sentences, one after another, in float16: three digits, up to 65,504."""

    def __init__(self, model: Model, sentences: Portion) -> None:
        self.lengths = [len(sentence) for sentence in sentences]
        self._states = torch.cat([one.states.half() for one in word_states(model, sentences)], 1)
        if not self._states.isfinite().all():
            raise ValueError("A hidden state is too large for float16.")

    @property
    def depth(self) -> int:
        """Number of layers and the embedding."""
        return len(self._states)

    def layer(self, layer: int) -> Float[Tensor, "word d_model"]:
        """States of one layer in float32."""
        return self._states[layer].float()

    def sentences(self, layer: int) -> list[Float[Tensor, "word d_model"]]:
        """States of one layer, sentence by sentence."""
        return list(self.layer(layer).split(self.lengths))


@dataclass(frozen=True, eq=False)
class Examples:
    """Examples of one portion: indices of words and of their heads among all its words, and labels."""

    words: list[str]
    at: Int[Tensor, "example"]
    heads: Int[Tensor, "example"] | None
    labels: list[str]

    def first(self, most: int) -> "Examples":
        """The first ones."""
        heads = None if self.heads is None else self.heads[:most]
        return Examples(self.words[:most], self.at[:most], heads, self.labels[:most])

    @property
    def reach(self) -> int:
        """Number of words from the first to the last that is used."""
        return int(torch.cat([self.at, self.at if self.heads is None else self.heads]).max()) + 1

    def at_layers(
        self, states: Float[Tensor, "word depth d_model"], chosen: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch depth feature"]:
        """Features of some examples at every layer."""
        read = states[self.at[chosen]]
        return read if self.heads is None else torch.cat([read, states[self.heads[chosen]]], -1)

    def vectors(self, states: Float[Tensor, "word d_model"]) -> Float[Tensor, "example feature"]:
        """Features of each example."""
        if self.heads is None:
            return states[self.at]
        return edge_vectors(states, self.at.tolist(), self.heads.tolist())


@dataclass(frozen=True, eq=False)
class Task:
    """A task with both its portions; labels that only the test portion has are -1."""

    name: str
    source: str  # of its sentences: treebank or names
    labels: tuple[str, ...]
    train: Examples
    test: Examples

    def targets(self, use: str, control: bool = False) -> Int[Tensor, "example"]:
        """Label of each example, or its label in the control task."""
        examples = self.train if use == "train" else self.test
        if control:
            return torch.tensor(control_labels(examples.words, self.shares))
        numbers = {label: i for i, label in enumerate(self.labels)}
        return torch.tensor([numbers.get(label, -1) for label in examples.labels])

    @property
    def shares(self) -> list[float]:
        """Share of each label in the training portion."""
        counts = Counter(self.train.labels)
        return [counts[label] / len(self.train.labels) for label in self.labels]

    def score(self, guesses: Int[Tensor, "example"], targets: Int[Tensor, "example"]) -> float:
        """F1 of the names' types for entities, else the share of right labels."""
        if self.name == "entity":
            return f1(guesses, targets, self.labels.index(OUTSIDE))
        return accuracy(guesses, targets)

    def majority(self) -> float:
        """Score of always guessing the most frequent label."""
        targets = self.targets("test")
        return self.score(
            torch.full_like(targets, max(range(len(self.labels)), key=self.shares.__getitem__)), targets
        )

    def by_word(self, control: bool = False) -> float:
        """Score of each word's most frequent label in training; the most frequent of all for new words."""
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for word, label in zip(self.train.words, self.targets("train", control).tolist(), strict=True):
            counts[word.lower()][label] += 1
        most = max(range(len(self.labels)), key=self.shares.__getitem__)
        guesses = [
            counts[word.lower()].most_common(1)[0][0] if word.lower() in counts else most
            for word in self.test.words
        ]
        return self.score(torch.tensor(guesses), self.targets("test", control))


def task(name: str, portions: dict[str, dict[str, Portion]]) -> Task:
    """Task `tag`, `relation` or `entity` on the sentences with its labels."""
    source = "names" if name == "entity" else "treebank"
    examples = {use: _examples(name, part) for use, part in portions[source].items()}
    labels = tuple(sorted(set(examples["train"].labels)))
    return Task(name, source, labels, **examples)


def _examples(name: str, sentences: Sequence[Sentence]) -> Examples:
    labels_of: Callable[[Sentence], Sequence[str]] = {
        "tag": lambda s: s.tags,
        "relation": lambda s: s.relations,
        "entity": lambda s: s.entities,
    }[name]
    words, at, heads, labels, start = [], [], [], [], 0
    for sentence in sentences:
        for word, label in enumerate(labels_of(sentence)):
            if name == "relation" and sentence.heads[word] < 0:
                continue  # the root's arc comes from no word
            words.append(sentence.words[word])
            at.append(start + word)
            labels.append(label)
            if name == "relation":
                heads.append(start + sentence.heads[word])
        start += len(sentence)
    return Examples(words, torch.tensor(at), torch.tensor(heads) if heads else None, labels)
