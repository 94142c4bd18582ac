"""How the sentences of a file are read: what is bounded, and what is passed over."""

import io
import random

import pytest

from explorer.corpus import rows
from explorer.corpus.inspection import inspect
from explorer.corpus.rows import PIECE, ROWS, Report, read


def sentences(text: str, name: str = "x.txt", **bounds) -> tuple[list[str], list[str], int]:
    """The sentences of a file, the notes on it, and how often `step` was called."""
    file, report, steps = io.BytesIO(text.encode()), Report(), []
    contents = inspect(name, file)
    every = [sentence.text for sentence in read(contents, file, report, lambda: steps.append(1), **bounds)]
    return every, report.notes(contents), len(steps)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", " \n\t\n"])
def test_millions_of_empty_lines_are_passed_over_with_a_step_now_and_then(end):
    text = end * (20 * PIECE // len(end)) + "It rained." + end * (20 * PIECE // len(end)) + "We sat."
    every, _, steps = sentences(text)
    assert every == ["It rained.", "We sat."] and steps >= 20


def test_empty_rows_of_a_table_too():
    row = "It rained all day and all night.,y\n"
    every, notes, steps = sentences(f"text,sense\n{row}" + ",x\n" * (3 * ROWS) + row, "x.csv")
    assert len(every) == 2 and steps == 3 and "passed over" in notes[0]


def test_what_is_beyond_the_bound_is_said():
    every, notes, _ = sentences("a\n" * 50, most=20)
    assert len(every) == 20 and notes == ["Only the first 20 sentences of x.txt were read."]
    assert sentences("a\n" * 20, most=20)[1] == []


def test_lines_are_read_in_blocks_as_they_are_one_by_one():
    draw = random.Random(0)
    parts = ["a", "b c", "\n", " ", "\u2028", "\f", "é" * 99, "x" * (PIECE // 3)]
    for _ in range(20):
        text = "".join(draw.choices(parts, k=60))
        pieces = list(rows._pieces(io.StringIO(text), lambda: None))
        assert "".join("".join(pieces).split()) == "".join(text.split())
        assert all("\n" not in piece[:-1] for piece in pieces)
        lines = [line for line in text.split("\n") if line.strip()]
        assert [line for line in "".join(pieces).split("\n") if line.strip()] == lines
