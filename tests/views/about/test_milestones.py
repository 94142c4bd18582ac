"""What the table of guesses says: places, stories, filled sentences, dots for listed words."""

import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.views.about import milestones, record
from explorer.views.look import blocklist
from tests import records

OPEN = blocklist.Blocklist(on=False, typed_words=frozenset())


def table_of(training, sentence, blocked):
    return milestones.table(training, sentence, blocked, range(len(training.snapshots)))


def texts_of(training, sentence, blocked):
    return milestones.texts(training, sentence, blocked, range(len(training.snapshots)))


def test_of_many_snapshots_those_well_spread_are_shown():
    training = record.read("gpt")
    shown = milestones.snapshots_shown(training, 16)
    assert len(training.snapshots) == 17 and len(shown) == milestones.MOST_SHOWN
    assert shown == sorted(shown) and shown[0] == 0 and shown[-1] == 16
    assert all(place in milestones.snapshots_shown(training, place) for place in range(17))
    few = record.parse(records.bert(8))
    assert milestones.snapshots_shown(few, 0) == list(range(8))


@pytest.mark.parametrize(
    ("sentence", "token", "parts"),
    [
        ("We walk [MASK] home.", "back", ("We walk ", "back", " home.")),
        ("We walk [MASK] home.", "##ing", ("We walk", "ing", " home.")),
        ("We walk [MASK] home.", "##", ("We walk ", "##", " home.")),
        ("We walk [MASK]", ".", ("We walk", ".", "")),
        ("[MASK] and [MASK]", "[UNK]", ("", "[UNK]", " and [MASK]")),
        ("Once upon a", " time", ("Once upon a ", "time", "")),
        ("Once upon a walk", "ing", ("Once upon a walk", "ing", "")),
        ("Once", "  ", ("Once ", "␣", "")),
        ("Once", "\n", ("Once", "↵", "")),
        ("", "", ("", "∅", "")),
    ],
)
def test_a_guess_stands_in_its_sentence(sentence, token, parts):
    assert milestones.fill(sentence, token) == parts


@given(st.text(max_size=8))
def test_no_token_is_invisible(token):
    visible = milestones.readable(token)
    assert visible and "\n" not in visible
    assert visible.strip(" ") or token.strip(" ")


@pytest.mark.parametrize("points", [1, 3, 8, 12])
def test_the_table_has_a_column_for_each_point(points):
    training = record.parse(records.bert(points))
    table = table_of(training, 0, OPEN)
    assert len(table["columns"]) == points
    words = [word["token"] for word in table["words"]]
    for column, point in zip(table["columns"], training.snapshots):
        assert [words[cell["word"]] for cell in column["cells"]] == [token for token, _ in point.guesses[0]]
        assert all(0 <= cell["width"] <= 1 for cell in column["cells"])
    assert words[table["final"]] == "hospital"
    assert table["columns"][-1]["word"] == "hospital"
    assert len(words) == len(set(words))


def test_one_scale_for_all_columns():
    cells = [c["cells"][0] for c in table_of(record.parse(records.bert(8)), 0, OPEN)["columns"]]
    assert cells[-1]["width"] == pytest.approx(0.6) and cells[0]["width"] == pytest.approx(0.0009)
    assert cells[0]["number"] == "<1%" and cells[-1]["number"] == "60%"
    assert cells[0]["tip"] == "probability 0.0009, rank 1"


def test_a_point_is_told_in_full():
    table = table_of(record.parse(records.bert(8)), 0, OPEN)
    assert table["columns"][0]["when"] == "before the first step"
    assert table["columns"][-1]["when"] == "2,611,200 tokens read, 1,275 steps, 1 h 27 min"


def test_a_listed_word_is_dots_and_keeps_its_place():
    listed = next(word for word in sorted(blocklist.listed()) if len(word) == 5)
    data = records.bert(3)
    for point in data["points"]:
        point["predictions"][0][0] = [listed, 0.5]
    training = record.parse(data)
    table = table_of(training, 0, blocklist.over("bert"))
    assert table["words"][table["final"]]["text"] == table["columns"][0]["word"] == blocklist.DOTS
    assert table["columns"][0]["cells"][0]["number"] == "50%"
    assert table_of(training, 0, OPEN)["columns"][0]["word"] == listed
    assert codecs.encode(listed, "rot13") in blocklist.LIST.read_text(encoding="utf-8")


def test_what_was_written_is_one_line_with_dots_for_listed_words():
    listed = next(word for word in sorted(blocklist.listed()) if len(word) == 5)
    data = records.gpt(3)
    data["points"][1]["continuations"] = [f" girl, {listed}\nand"]
    rows = texts_of(record.parse(data), 0, blocklist.over("gpt"))
    assert [row["tokens"] for row in rows] == ["0", "1.31 M", "2.61 M"]
    assert rows[1]["text"] == f" girl, {blocklist.DOTS} ↵ and"
    assert rows[2]["text"] == " girl who had 100 </script> ↵ and more of them than"


def test_what_a_discriminator_suspects_is_marked_where_it_stands():
    training = record.read("electra-discriminator")
    for number, sentence in enumerate(training.sentences):
        for column, best in zip(
            table_of(training, number, OPEN)["columns"], training.guesses(number), strict=True
        ):
            token, words = best[0][0], re.findall(r"\w+|[^\w\s]", sentence.lower())
            visible = (column["before"] + column["word"] + column["after"]) == sentence
            assert column["word"].lower().removeprefix("##") == token.removeprefix("##")
            if not token.startswith("##"):
                assert visible == (sum(word.startswith(token) for word in words) == 1), (sentence, token)
