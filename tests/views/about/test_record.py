"""A training's record: what the page reads of it; anything else is said to be damaged."""

import json

import pytest

from explorer.assets import RECORD
from explorer.errors import FormatError
from explorer.views.about import record
from explorer.views.frame.trained import duration
from tests import records


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the record of a checkpoint called “it” would be."""
    monkeypatch.setattr(record, "CHECKPOINTS", tmp_path)
    (tmp_path / "it").mkdir()
    return tmp_path / "it"


def test_what_a_record_holds_is_read(folder):
    data = records.gpt(3)
    records.write(folder, data)
    training = record.read("it")
    assert training.sentences == data["sentences"]
    assert [p.tokens for p in training.snapshots] == records.moments(3)
    assert training.last.figures == data["points"][-1]["figures"]
    assert training.last.continuations == data["points"][-1]["continuations"]
    assert [list(guess) for guess in training.guesses(0)[2]] == data["points"][2]["predictions"][0]


def test_no_record_is_none(folder):
    assert record.read("it") is None
    assert record.read("nobody") is None


def test_points_come_in_order(folder):
    data = records.bert(3)
    data["points"].reverse()
    records.write(folder, data)
    assert [p.tokens for p in record.read("it").snapshots] == records.moments(3)


@pytest.mark.parametrize(
    "damage",
    [
        "[]",
        "{",
        '{"sentences": []}',
        '{"sentences": [], "points": []}',
        '{"sentences": [], "points": [{}]}',
        '{"sentences": "x", "points": 3}',
        json.dumps(records.bert(3) | {"sentences": ["only one"]}),
        json.dumps(records.bert(3) | {"curve": {"tokens": [1, 2], "loss": [1.0]}}),
        json.dumps(records.bert(3)).replace("0.0009", '"high"', 1),
        json.dumps(
            records.bert(3)
            | {"points": [*records.bert(3)["points"][:2], {"tokens": 9, "steps": 1, "seconds": 1}]}
        ),
    ],
)
def test_a_damaged_record_says_so(folder, damage):
    (folder / RECORD).write_text(damage, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        record.read("it")
    assert "it" in caught.value.message and RECORD in caught.value.hint


def test_a_record_without_guesses_has_its_figures(folder):
    data = records.gpt(3)
    for point in data["points"]:
        del point["predictions"], point["continuations"]
    records.write(folder, data)
    training = record.read("it")
    assert training.last.guesses == [] and training.last.figures["odd one"] == 14


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0"), (512, "512"), (999, "999"), (1000, "1 k"), (40_960, "41 k"), (163_200, "163 k"),
        (999_400, "999 k"), (999_900, "1 M"), (2_611_200, "2.61 M"), (1_170_000_000, "1.17 B"),
    ],
)  # fmt: skip
def test_numbers_are_short(number, words):
    assert record.count(number) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (3599, "1 h"), (5302, "1 h 28 min"), (36_000, "10 h")],
)
def test_times_are_as_one_says_them(seconds, words):
    assert duration(seconds) == words
