"""What the word vectors page's presets promise, measured on the weights that ship."""

import pytest

import explorer
from explorer.analysis import vectors
from explorer.views.vectors import page
from explorer.views.vectors.presets import GROUPS, PRESETS
from explorer.views.vectors.word_map import MOST
from explorer.views.vectors.word_table import group_words
from tests.views.opening import defaults

pytestmark = pytest.mark.weights

DEFAULTS = defaults(page.PAGE)


@pytest.fixture(scope="module")
def shipped() -> vectors.Vectors:
    return vectors.of(explorer.load(DEFAULTS["model"]))


def preset(label: str) -> dict:
    return DEFAULTS | next(p.values for p in PRESETS if p.label == label)


def test_hot_and_cold_occur_in_the_same_contexts(shipped):
    found = [n.word for n in vectors.nearest(shipped, preset("Hot and cold")["word"], 12)]
    assert {"warm", "cool", "cold"} <= set(found)


def test_king_to_queen_and_one_of_the_three_usually_wins(shipped):
    values = preset("King to queen")
    found = vectors.analogy(shipped, values["a"], values["b"], values["c"])
    assert "queen" in [n.word for n in found.answers[:5]]
    assert found.everything[0].in_query


def test_the_words_of_the_maps_are_known_and_jobs_lean_to_both_sides(shipped):
    assert group_words(shipped, GROUPS, MOST)[3] == []
    values = preset("My own axes")
    words, _, names, missing = group_words(shipped, values["words"], MOST)
    assert names == ["jobs", "feelings"] and missing == []
    across = dict(zip(words, vectors.along(shipped, words, values["left"], values["right"]).tolist()))
    assert across["nurse"] > 0 > across["soldier"]
    upward = dict(zip(words, vectors.along(shipped, words, values["down"], values["up"]).tolist()))
    assert upward["joy"] > 0 > upward["hate"]


def test_one_hots_are_strangers_where_dense_vectors_are_not(shipped):
    assert vectors.similarity(shipped, "king", "queen") > vectors.similarity(shipped, "king", "bread") + 0.2
