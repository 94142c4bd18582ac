"""He or she?, run without a browser: what it draws is what the analysis found."""

from functools import partial

import pytest

from explorer.analysis.prediction import template_bias
from explorer.views.masked import sets as masked_sets
from tests.views import opening
from tests.views.opening import defaults, sent, told

DEFAULTS = defaults("masked")

run = partial(opening.opened, "masked")


def test_the_chart_of_sets_is_the_analysis_own(model):
    at = run(view="sets", fillers="maid, soldier, 🙂 zoo", one="he, him", other="she")
    (data,) = sent(at, "template_bias")
    comparison = template_bias.compare_sets(
        model, DEFAULTS["template"], ["maid", "soldier", "🙂 zoo"], ["he", "him"], ["she"]
    )
    expected = sorted(comparison.biases, key=lambda bias: -bias.bits)
    assert [row["name"] for row in data["rows"]] == [bias.filler for bias in expected]
    assert [row["bits"] for row in data["rows"]] == pytest.approx([bias.bits for bias in expected], abs=1e-4)
    assert data["bare"]["bits"] == pytest.approx(comparison.prior.bits, abs=1e-4)
    assert data["limit"] >= max(abs(bias.bits) for bias in [*expected, comparison.prior])
    assert "him 0." in data["rows"][0]["tip"] and "rank" in data["rows"][0]["tip"]


def test_a_class_reads_the_sentence_above_the_chart():
    assert "The … said that ____ was late for work." in told(run(view="sets", present="1"))


def test_words_of_several_pieces_and_unknown_ones_in_a_set():
    at = run(view="sets", template="a [MASK] bridge", one="unbelievably", other="🙂")
    (data,) = sent(at, "template_bias")
    assert data["bare"] is None and len(data["rows"]) == 1 and data["rows"][0]["ratio"] == "only one"
    assert "filled from left to right" in told(at) and "cannot be spelled" in told(at)
    assert "write [SLOT] where these words should go" in told(at)
    at = run(view="sets", one="🙂", other="🙂 🙂")
    assert {row["bits"] for row in sent(at, "template_bias")[0]["rows"]} == {None}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"template": ""}, "There is no [MASK]"),
        ({"one": " , "}, "One of the two sets is empty"),
        ({"fillers": ""}, "There is no word for [SLOT]"),
    ],
)
def test_what_cannot_be_compared_is_said_and_the_page_goes_on(settings, says):
    at = run(view="sets", **settings)
    assert says in told(at) and len(at.button) > 4


@pytest.mark.parametrize("limit", masked_sets.LIMITS)
def test_the_axis_has_its_ends_and_its_middle(limit):
    marks = masked_sets.ticks(limit)
    bits = [mark["bits"] for mark in marks]
    assert bits == [-b for b in reversed(bits)] == sorted(bits, reverse=True)
    assert 3 <= len(marks) <= 2 * masked_sets.MARKS + 1 and max(bits) <= limit
    assert marks[len(marks) // 2]["text"] == "equal"
