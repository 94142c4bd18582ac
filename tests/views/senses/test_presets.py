"""The points that the word senses page's presets promise, on the weights that ship."""

import pytest

import explorer
from explorer.analysis import senses
from explorer.views.frame.server import memory
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.presets import FIVE, PRESETS, PUZZLE
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences, find_word
from tests.views.opening import defaults

DEFAULTS = defaults("senses")

pytestmark = pytest.mark.weights


def opened(number: int) -> tuple[WordOccurrences, int]:
    """What a preset shows: the look, and the layer."""
    own = {} if "locked" in PRESETS[number].values else {"text": FIVE}
    settings = DEFAULTS | own | PRESETS[number].values
    return find_word(memory.get(settings["model"]), settings["text"], settings["word"]), settings["layer"]


def accuracy(number: int) -> float:
    occurrences, layer = opened(number)
    assert occurrences.separation.judged == 4
    return float(occurrences.separation.accuracy[layer])


def cosines(number: int):
    occurrences, layer = opened(number)
    return senses.cosine_matrix(occurrences.matches, layer)


def test_the_page_opens_where_the_senses_of_bank_lie_apart():
    assert accuracy(0) >= 0.8
    occurrences, layer = opened(0)
    assert float(occurrences.separation.margin[layer]) > 0


def test_before_the_first_layer_all_vectors_are_nearly_the_same():
    first, last = cosines(1), cosines(0)
    assert float(first.mean()) > 0.9 > float(last.mean()) and float(first.min()) > 0.85 > float(last.min())
    occurrences, layer = opened(1)
    assert layer == 0
    tokens = {tuple(tokens) for tokens in occurrences.matches.tokens}
    assert tokens == {("bank",)}, "one vector of the vocabulary stands behind all of them"
    assert spread(occurrences, 0) < 0.7 * spread(occurrences, opened(0)[1])


def test_in_the_first_layer_the_same_place_gives_the_same_vector():
    occurrences, _ = opened(1)
    model = explorer.load(DEFAULTS["model"])
    places = []
    for i, span in zip(occurrences.matches.sentence_index, occurrences.matches.span):
        places.append(senses.token_positions(model.encode(occurrences.sentences[i].text), span))
    same = [(i, j) for i in range(len(places)) for j in range(i) if places[i] == places[j]]
    assert same
    for i, j in same:
        assert float(cosines(1)[i, j]) == pytest.approx(1, abs=1e-5)


def test_of_the_puzzles_two_nearest_neighbours_one_is_moneys_and_one_a_rivers():
    occurrences, _ = opened(2)
    puzzle = occurrences.index(PRESETS[2].values["locked"])
    assert occurrences.text(puzzle) == PUZZLE and occurrences.senses[puzzle] is None
    nearest = cosines(2)[puzzle].argsort(descending=True)[1:3]
    assert {occurrences.senses[i] for i in nearest} == {"money", "river"}


def spread(occurrences: WordOccurrences, layer: int) -> float:
    plane = layer_maps(occurrences, "pca", 2, layer).planes[layer - ALONE]
    return float(plane.norm(dim=1).max())
