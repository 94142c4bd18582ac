"""Figures by layer: where labels stand, what is drawn for whom, and hostile names."""

import pytest

from explorer.views.look.theme import DARK, LIGHT
from explorer.views.widgets.layer_chart import Level, Line, describe, figure, fitting

LINES = [
    Line("BERT", [0.2, 0.5, 0.9, 0.8], 0, chosen=True),
    Line("ELMo", [0.3, 0.6], 1),
    Line("<b>evil</b>", [0.8, 0.8, 0.79, -0.81], 2),
]
LEVELS = [Level("word2vec", 0.33), Level("bag of words", 0.34)]


def texts(made) -> dict[str, dict]:
    return {a.text: a for a in made.layout.annotations}


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_and_levels_are_all_there(palette):
    made = figure({"a figure": (LINES, LEVELS)}, palette, span=(-1.0, 1.04))
    by_name = {trace.name: trace for trace in made.data if trace.name}
    assert list(by_name) == ["ELMo", "<b>evil</b>", "BERT"], "the chosen one on top"
    assert (
        by_name["BERT"].line.color == palette.accent
        and by_name["BERT"].line.width > by_name["ELMo"].line.width
    )
    assert len({trace.marker.symbol for trace in by_name.values()}) == 3, "told apart by shape"
    assert list(by_name["BERT"].y) == [0.2, 0.5, 0.9, 0.8]
    flat = [trace for trace in made.data if not trace.name]
    assert [trace.y[0] for trace in flat] == [0.33, 0.34] and len({trace.line.dash for trace in flat}) == 2


def test_names_stand_at_the_ends_and_do_not_meet():
    written = texts(figure({"a figure": (LINES, LEVELS)}, LIGHT, span=(-1.0, 1.04)))
    assert "<b>0.80</b> ● BERT" in written and "<b>−0.81</b> ▲ &lt;b&gt;evil&lt;/b&gt;" in written
    short = written["<b>0.60</b> ■ ELMo"]
    assert (short.x, short.y, short.xref) == (1, 0.6, "x"), "where its line ends"
    one, other = written["0.33 word2vec"], written["0.34 bag of words"]
    assert other.y - one.y > 0.1 and one.xref == other.xref == "x domain"


def test_pictures_in_a_row_have_scales_of_their_own():
    made = figure({"one": (LINES, []), "two": ([Line("GPT", [0.1, float("nan"), 0.2], 3)], LEVELS)}, LIGHT)
    assert made.layout.xaxis.domain[1] < made.layout.xaxis2.domain[0]
    assert made.layout.yaxis.range[0] < -0.81 and made.layout.yaxis2.range == (0.0, pytest.approx(0.3604))
    gpt = next(trace for trace in made.data if trace.name == "GPT")
    assert list(gpt.y) == [0.1, None, 0.2] and gpt.xaxis == "x2"
    assert texts(made)["<b>0.20</b> ◆ GPT"].yref == "y2"


def test_a_span_holds_zero_and_everything():
    low, high = fitting(LINES, LEVELS)
    assert low < -0.81 and high > 0.9
    assert fitting([], []) == (0.0, 0.06)


def test_a_picture_is_told_in_words():
    text = describe("macro-F1", LINES[:2], LEVELS)
    assert text.startswith("macro-F1. BERT, from the embedding up: 0.20, 0.50, 0.90, 0.80. ELMo, ")
    assert text.endswith("word2vec: 0.33. bag of words: 0.34.")
