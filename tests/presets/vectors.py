"""What the presets of Word vectors promise."""

import math
from functools import cache

import torch

from explorer.analysis import projection, vectors
from explorer.analysis.vectors import cooccurrence, pieces, train
from explorer.views.vectors import fasttext
from explorer.views.vectors import ratios as glove
from explorer.views.vectors.settings import GROUPS, our_text
from explorer.views.vectors.training_session import (
    FEWEST_EPOCHS,
    MOST_EPOCHS,
    RATE,
    READ,
    SUBSAMPLE,
    train_settings,
)
from explorer.views.vectors.word_table import group_words, groups
from tests.shared_models import model
from tests.views.opening import defaults

MOST = 5  # of the seven words that share most pieces


@cache
def shipped() -> vectors.Vectors:
    return vectors.of(model("word2vec"))


def is_near(word: str, *others: str) -> bool:
    return set(others) <= {near.word for near in vectors.nearest(shipped(), word, 12)}


def is_like(word: str, *others: str) -> bool:
    return all(vectors.similarity(shipped(), word, other) > 0.5 for other in others)


def arrow_ends_at(word: str, answer: str, b: str, c: str) -> bool:
    return answer in [n.word for n in vectors.analogy(shipped(), word, b, c).answers[:5]]


def a_question_word_wins(word: str, answer: str, b: str, c: str) -> bool:
    return vectors.analogy(shipped(), word, b, c).everything[0].in_query


def lie_on_both_sides(his: str, hers: str, sad: str, glad: str, *ends: str) -> bool:
    """The jobs lean to the two ends of one axis, the feelings to those of the other."""
    left, right = vectors.along(shipped(), [his, hers], *ends[:2]).tolist()
    down, up = vectors.along(shipped(), [sad, glad], *ends[2:]).tolist()
    return right > 0 > left and up > 0 > down


def is_nearer(word: str, kin: str, other: str) -> bool:
    known = shipped()
    return vectors.similarity(known, word, kin) > vectors.similarity(known, word, other) + 0.2


def groups_part(seed: int) -> bool:
    """After the training nine in ten words lie nearest to one of their own group."""
    settings = defaults("vectors") | {"seed": seed}
    *_, last = train.train(settings["text"], train.Settings(**train_settings(settings)))
    words, member, *_ = group_words(last.vectors, GROUPS, 100)
    unit = last.vectors.unit(words)
    nearest = (unit @ unit.T).fill_diagonal_(-2).argmax(1)
    group = torch.tensor(member)
    return float((group[nearest] == group).float().mean()) >= 0.9


def baskets_part(seed: int, text: str, shelves: str) -> bool:
    """The nearest item stands on the same shelf, for nine items of ten."""
    shelf = {item: name for name, items in groups(shelves).items() for item in items}
    epochs = min(max(READ // len(text.split()), FEWEST_EPOCHS), MOST_EPOCHS) // 4  # to be short
    chosen = train.Settings("skip-gram", 7, 30, 5, epochs, RATE["skip-gram"], SUBSAMPLE, seed=seed)
    *_, last = train.train(text, chosen)
    near = {item: vectors.nearest(last.vectors, item, 1)[0].word for item in shelf}
    return sum(shelf.get(near[item]) == shelf[item] for item in shelf) >= 0.9 * len(shelf)


@cache
def counted() -> cooccurrence.Counts:
    return cooccurrence.count(our_text(), glove.WINDOW)


def ratios_differ(pair: str) -> bool:
    """Some word goes with the first, some with the second, and some with both."""
    ratios = [row.ratio for row in cooccurrence.ratios(counted(), *pair.split(), top=glove.SHOWN)]
    return max(ratios) > 2 and min(ratios) < 0.5 and any(0.5 < ratio < 2 for ratio in ratios)


def shares_its_ending(word: str) -> bool:
    words = shipped().words
    return sum(one.word.endswith("able") for one in pieces.relatives(word, words, fasttext.TOP)) >= MOST


def places(text: str) -> dict[str, tuple[int, list[float]]]:
    """The words of the map: group and place."""
    words, member, *_ = group_words(shipped(), text, 100)
    spots = projection.project(shipped().unit(words), "pca", axes=2).coordinates
    return {word: (group, place) for word, group, place in zip(words, member, spots.tolist())}


def is_recoloured_in_place(text: str, word: str, food: str) -> bool:
    """Among the foods a word has their colour, and the place that it had."""
    before, after = places(text), places(text.replace(f" {word}", "").replace(food, f"{food} {word}"))
    (group, old), (other, new) = before[word], after[word]
    return group != other and math.dist(old, new) < 1e-3


def lie_together(text: str) -> bool:
    """The nearest dot has the same colour, for all."""
    placed = places(text)
    return all(
        group == min((math.dist(at, other), g) for w, (g, other) in placed.items() if w != word)[1]
        for word, (group, at) in placed.items()
    )


def is_unknown_and_like(word: str, *others: str) -> bool:
    near = {one.word for one in pieces.relatives(word, shipped().words, fasttext.TOP)}
    return word not in shipped() and near >= set(others)
