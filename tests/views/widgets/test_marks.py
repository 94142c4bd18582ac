"""What the word senses page draws: marks, names and lines, made of plain data."""

import subprocess
import sys

import pytest

from explorer.views.look.theme import DARK, LIGHT, contrast
from explorer.views.widgets import marks as charts


def test_charts_do_not_need_streamlit():
    code = (
        "import sys, explorer.views.widgets.marks; sys.exit(bool({'streamlit', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_senses_keep_the_order_in_which_they_appear():
    assert charts.order(["river", None, "money", "river"]) == ["river", "money"]


def test_every_group_has_its_own_pair_of_colour_and_shape():
    marks = [tuple(charts.mark(group).values()) for group in range(30)]
    assert len(set(marks)) == 30
    assert charts.mark(None)["colour"] == -1


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_names_in_a_senses_colour_can_be_read(palette):
    for colour in (*palette.senses, palette.unknown):
        assert contrast(colour, palette.ground) >= 4.5


def test_parts_are_the_text_and_cut_at_words():
    text = "We sat on the grassy bank and slept."
    assert "".join(charts.parts(text, (21, 25))) == text
    assert charts.parts(text, (21, 25), before=8, after=7) == ("…grassy ", "bank", " and…")
    assert charts.parts("bank", (0, 4), 3, 3) == ("", "bank", "")
