"""Small examples for each task, in words that the tiny models know."""

from itertools import pairwise

import pytest

from explorer.finetuning import Labelled, LabelledPair, Question, Tagged

PLACES = ["the river", "deep water", "the old river", "walk on water", "the bank of river", "river light"]
SUMS = ["the money", "old money", "money in bank", "we saw money", "the money was in", "bank and money"]


@pytest.fixture(scope="session")
def labelled():
    """Six sentences of water and six of money."""
    return [Labelled(t, "water") for t in PLACES] + [Labelled(t, "money") for t in SUMS]


@pytest.fixture(scope="session")
def pairs():
    """Two texts that are about the same or not."""
    same = [LabelledPair(a, b, "same") for a, b in pairwise(PLACES)]
    return same + [LabelledPair(a, b, "other") for a, b in zip(PLACES, SUMS)]


@pytest.fixture(scope="session")
def tagged():
    """Sentences in which river and money are marked."""
    marks = {"river": "B-water", "water": "B-water", "money": "B-money"}
    return [
        Tagged(tuple(text.split()), tuple(marks.get(word, "O") for word in text.split()))
        for text in PLACES + SUMS
    ]


@pytest.fixture(scope="session")
def questions():
    """Where is it? In a passage, or not in it."""
    found = [Question(f"we saw the {w} on the bank", f"the {w}", w) for w in ("river", "money", "light")]
    return found * 2 + [Question("we saw the deep river", "the money", "")] * 2


@pytest.fixture(scope="session")
def every(labelled, pairs, tagged, questions):
    """The examples of all four tasks by kind."""
    return {"classes": labelled, "pairs": pairs, "tags": tagged, "answers": questions}
