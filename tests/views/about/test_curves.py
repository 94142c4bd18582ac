"""The curves of a training: one picture a unit, chance only where the card has it."""

import json
import subprocess
import sys

import pytest

from explorer.assets import CHECKPOINTS
from explorer.views.about import curves, record
from explorer.views.look.theme import DARK, LIGHT, SMALLEST, contrast
from tests import records

CARD = "| tokens read | next sentence (chance 50 %) | bits per byte |"


def test_the_charts_need_neither_streamlit_nor_torch():
    code = (
        "import sys, explorer.views.about.curves, explorer.views.about.milestones;"
        "sys.exit(bool({'torch', 'plotly', 'streamlit'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_each_unit_has_its_picture_and_a_name_that_nobody_knows_stays():
    pictures = curves.pictures(record.parse(records.bert(8)), CARD)
    assert list(pictures) == [curves.LOSS, curves.SHARE, "bits", "odd one"]
    assert [line.name for line in pictures[curves.LOSS]] == ["training loss", "masked words, held out"]
    assert [line.measured for line in pictures[curves.LOSS]] == [False, True]
    assert [line.name for line in pictures[curves.SHARE]] == ["masked word, first guess", "next sentence"]
    assert [curves.title(p) for p in pictures] == ["Loss", "Right answers", "Bits per byte", "odd one"]


@pytest.mark.parametrize("name", sorted(path.parent.name for path in CHECKPOINTS.glob("*/training.json")))
def test_names_are_the_cards_own(name):
    """The card tells the same figures; a reader must find them again there."""
    card = (CHECKPOINTS / name / "card.md").read_text(encoding="utf-8")
    header = next(line for line in card.splitlines() if line.startswith("| tokens read |"))
    labels = {cell.strip().partition(" (")[0] for cell in header.split("|")[2:-1]}
    points = json.loads((CHECKPOINTS / name / "training.json").read_text(encoding="utf-8"))["points"]
    shown = [curves.NAMES[figure][0] for figure in points[-1]["figures"] if figure in curves.NAMES]
    for label in labels - {"first guess repeats a word"}:  # of `NO_CURVE`
        assert any(label in name for name in shown), label


def test_chance_is_drawn_only_where_the_card_gives_it():
    training = record.parse(records.bert(8))
    assert [line.chance for line in curves.pictures(training, CARD)[curves.SHARE]] == [None, 0.5]
    assert [line.chance for line in curves.pictures(training, "")[curves.SHARE]] == [None, None]
    assert curves.chance("next sentence (chance 0.5)", "next sentence") == 0.5
    assert curves.chance("next sentence, with a (chance 50 %)", "sentence") == 0.5
    assert curves.chance("next sentence (50 %)", "next sentence") is None


def test_marks_are_the_points_and_powers_of_ten_before_them():
    marked = curves.marks([0, 40_960, 81_920], 20, 81_920)
    assert list(marked.values()) == ["81.9 k", "41 k", "0", "100", "1 k", "10 k"]
    assert list(marked) == [81_920, 40_960, 20, 100, 1000, 10_000]
    assert curves.marks([2_000_000], 1_200_000, 2_000_000) == {2_000_000: "2 M"}
    near = curves.marks([100, 101, 200], 50, 200)
    assert near[101] == "101" and near[100] == "", "the later point keeps its label"


@pytest.mark.parametrize("points", [1, 3, 8, 12])
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_picture_can_be_drawn_and_read(points, palette):
    training = record.parse(records.bert(points))
    for name, lines in curves.pictures(training, CARD).items():
        figure = curves.figure(name, lines, [p.tokens for p in training.snapshots], palette)
        low, high = figure.layout.yaxis.range
        assert low < high and figure.layout.font.size >= SMALLEST
        left, right = figure.layout.xaxis.range
        for line in lines:
            trace = next(trace for trace in figure.data if trace.name == line.name)
            values = line.values if line.measured else curves.smooth(line.values)
            assert trace.y == tuple(value for _, value in values)
            assert all(low <= value <= high for value in trace.y)
            assert all(10**left <= tokens <= 10**right for tokens in trace.x)
        for label in figure.layout.annotations:
            assert contrast(label.font.color, palette.ground) >= 4.5
        assert sum(line.name in label.text for line in lines for label in figure.layout.annotations) >= len(
            lines
        )


def test_nothing_read_stands_left_of_the_first_point():
    training = record.parse(records.bert(3))
    lines = curves.pictures(training)[curves.SHARE]
    figure = curves.figure(curves.SHARE, lines, [0, 1_305_600, 2_611_200], LIGHT)
    assert figure.data[0].x == (652_800, 1_305_600, 2_611_200)
    assert figure.data[0].customdata == ("0", "1.31 M", "2.61 M")


def test_a_record_of_nothing_but_its_start_can_be_drawn():
    lines = [curves.Line("cloze", [(0, 0.0)])]
    figure = curves.figure(curves.SHARE, lines, [0], LIGHT)
    assert figure.data[0].x == (1.0,) and figure.layout.xaxis.range[0] < 0 < figure.layout.xaxis.range[1]


def test_names_bring_no_markup():
    figure = curves.figure(curves.SHARE, [curves.Line("<b>x</b>", [(1, 0.5)])], [1], LIGHT)
    assert "<b>x" not in figure.data[0].hovertemplate
    assert all("<b>x" not in label.text for label in figure.layout.annotations)
