"""Each preset of the attention page makes its point on the shipped weights."""

import pytest

import explorer
from explorer.analysis.attention.weights import head_view
from explorer.trace import Capture
from explorer.views.attention.presets import IT, PRESETS, WIDE
from tests.views.opening import defaults

DEFAULTS = defaults("attention")

pytestmark = pytest.mark.weights

WHO, ALWAYS, TWINS, BEFORE, REST = PRESETS
OTHERS = [
    "The heron stood in the shallow water and waited for the fish to come closer.",
    "After the storm, the old ferry carried nobody across the river for three days.",
]


def view(preset, text=None, hide_special=False):
    """The head of a preset on its own text, or on another."""
    chosen = DEFAULTS | preset.values
    trace = explorer.load(chosen["model"]).trace(text or chosen["text"], capture=Capture.ATTENTION)
    return head_view(trace, chosen["layer"], chosen["head"], hide_special)


def test_the_page_opens_on_the_first_preset():
    assert len(PRESETS) == 5 and WHO.values == {}


def test_who_was_tired():
    rows = {}
    for last, text in (("tired", DEFAULTS["text"]), ("wide", WIDE)):
        found = view(WHO, text)
        rows[last] = {token: float(weight) for token, weight in zip(found.tokens, found.pattern[IT[1]])}
        assert found.tokens[IT[1]] == "it" and last in rows[last]
    assert rows["tired"]["animal"] > 0.5 > 5 * rows["tired"]["street"]
    assert rows["wide"]["street"] > 2 * rows["wide"]["animal"]


@pytest.mark.parametrize(
    ("text", "twins"),
    [
        (TWINS.values["text"], ["boat", "bridge"]),
        ("The bank on Mill Street closed, so we sat on the river bank and counted our money.", ["bank"]),
    ],
)
def test_the_same_word_again(text, twins):
    found = view(TWINS, text)
    for word in twins:
        first, second = (i for i, token in enumerate(found.tokens) if token == word)
        for query, key in [(first, second), (second, first)]:
            row = found.pattern[query]
            assert row[1:].argmax() + 1 == key and row[key] > 0.2, (word, row[key])
    alone = [i for i, token in enumerate(found.tokens) if found.tokens.count(token) == 1 and token.isalpha()]
    assert found.pattern[alone, 0].mean() > 0.5, "a word without a twin rests on [CLS]"
    assert (found.pattern[alone, 0] + found.pattern[alone, alone]).mean() > 0.8, "or on itself"


@pytest.mark.parametrize("text", [None, *OTHERS])
def test_the_word_before(text):
    pattern = view(BEFORE, text).pattern
    assert pattern.diagonal(offset=-1).mean() > 0.9


@pytest.mark.parametrize("text", [None, *OTHERS])
def test_a_place_to_rest(text):
    assert view(REST, text).pattern[:, 0].mean() > 0.7
    assert view(REST, text, hide_special=True).dropped_mass.mean() > 0.7
