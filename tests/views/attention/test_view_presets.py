"""Each preset of the views beside the heads makes its point on the shipped weights."""

import pytest
import torch

import explorer
from explorer.analysis.attention import comparison, rollout
from explorer.analysis.attention.inside_head import inside
from explorer.views.attention.presets import TWINS
from explorer.views.attention.sentence import words
from explorer.views.attention.view_presets import ACROSS, COMPARE, INSIDE
from tests.views.opening import defaults

DEFAULTS = defaults("attention")

pytestmark = pytest.mark.weights

OTHERS = [
    "The heron stood in the shallow water, and waited for the fish to come closer.",
    "After the storm, the old ferry carried nobody across the river for three days.",
]


@pytest.fixture(scope="module")
def bert():
    return explorer.load("bert")


def opened(model, preset, text=None):
    chosen = DEFAULTS | preset.values
    trace = model.trace(text or chosen["text"])
    return trace, inside(trace, chosen["layer"], chosen["head"])


def test_a_key_that_fits(bert):
    trace, head = opened(bert, INSIDE[0])
    first, second = (i for i, word in enumerate(words(trace.encoding)) if word == "boat")
    weights = head.weights.clone().fill_diagonal_(0)
    weights[trace.encoding.special] = 0
    assert divmod(int(weights.argmax()), len(weights)) == (second, first)
    products = head.products(second, first)
    assert products[products > 0].sum() > 5 * -products[products < 0].sum()


@pytest.mark.parametrize("text", [None, *OTHERS])
def test_the_word_before(bert, text):
    _, head = opened(bert, INSIDE[1], text)
    for query in range(2, len(head.weights) - 1):
        assert int(head.scores(query).argmax()) == query - 1


@pytest.mark.parametrize("text", [None, *OTHERS])
def test_heavy_and_yet_little(bert, text):
    trace, head = opened(bert, INSIDE[2], text)
    lengths = head.values.norm(dim=1)
    assert lengths[0] < 0.2 * lengths[1:-1].median()
    assert head.weights[1:-1, 0].mean() > 0.6
    if text is None:
        _, position, word = INSIDE[2].values["token"]
        assert words(trace.encoding)[position] == word and words(trace.encoding)[0] == "[cls]"
        assert head.weights[position, 0] > 0.6


def test_after_one_layer_half_is_itself(bert):
    trace = bert.trace(TWINS["text"])
    read = rollout.rollout(rollout.steps(trace))[1]
    itself = read.diagonal()[1:-1]
    assert ((itself >= 0.5) & (itself < 0.6)).all()


@pytest.mark.parametrize("text", [TWINS["text"], *OTHERS])
def test_a_resting_place_swells(bert, text):
    trace = bert.trace(text)
    read = rollout.rollout(rollout.steps(trace))[-1]
    assert (read[1:-1, 0] > 0.5).all()


def test_all_mixed(bert):
    assert "across_special" not in ACROSS[2].values
    trace = bert.trace(TWINS["text"])
    layers = rollout.steps(trace, trace.encoding.special)
    place = layers.shape[-1] - 2
    read = rollout.rollout(layers)[-1, place] * layers.shape[-1]
    assert ((read > 0.5) & (read < 2)).all()


def test_two_words_change_places_and_the_twin_is_gone(bert):
    chosen = DEFAULTS | {"layer": 2, "head": 9}
    place = (chosen["layer"], chosen["head"])
    assert (TWINS["layer"], TWINS["head"]) == place
    first = comparison.by_word(bert.trace(TWINS["text"]))
    for text in (
        "Our boat is behind the bridge, and nobody sees the boat from the bridge.",
        COMPARE[1].values["compare_text"],
    ):
        second = comparison.by_word(bert.trace(text))
        pairs = comparison.align(first.words, second.words)
        moved = comparison.changes(first.pattern, second.pattern, pairs)
        assert divmod(int(moved.argmax()), moved.shape[1]) == place
        assert moved.max() > 3 * moved.median()
    comparison_result = comparison.compare(first.pattern[place], second.pattern[place], pairs)
    boat, same = COMPARE[1].values["compare_cell"]
    assert first.words[boat] == "boat" and boat == same
    twin = 2 + first.words[3:].index("boat") + 1
    assert comparison_result.first[boat, twin] > 0.8 and comparison_result.second[boat, [0, boat]].sum() > 0.8


def test_gpt_never_reads_a_later_word(bert):
    gpt = explorer.load("gpt")
    first, second = (comparison.by_word(m.trace(TWINS["text"])) for m in (bert, gpt))
    layer = TWINS["layer"]
    assert COMPARE[2].values["hide"]
    (words, here), (others, there) = (
        comparison.ordinary(patterns, patterns.pattern[layer].mean(0)) for patterns in (first, second)
    )
    comparison_result = comparison.compare(here, there, comparison.align(words, others))
    assert words == others
    assert comparison_result.second.nan_to_num().triu(1).sum() == 0
    above = torch.ones_like(comparison_result.difference).triu(1).bool()
    assert (comparison_result.difference[above] < 0).all()
