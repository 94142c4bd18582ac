"""Examples from a table that a person has: CSV or TSV, its columns found by their names.

classes   text, label                       pairs     first, second, label
tags      words, tags (spaces between)      answers   passage, question, answer
"""

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

from explorer.errors import ExplorerError, TextError
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.typed import MOST, spread

MOST_MB = 5
KINDS = ("csv", "tsv")
_TEXT = ("text", "sentence", "review", "message", "utterance")
_LABEL = ("label", "class", "category", "sentiment", "intent", "target")
# The columns of each task, and what else they may be called; the first name is the one that we ask for.
COLUMNS: Mapping[str, Sequence[Sequence[str]]] = {
    "classes": (_TEXT, _LABEL),
    "pairs": (
        ("first", "sentence1", "premise", "text1", "question1"),
        ("second", "sentence2", "hypothesis", "text2", "question2"),
        _LABEL,
    ),
    "tags": (("words", "tokens", "text", "sentence"), ("tags", "slots", "ner_tags", "labels")),
    "answers": (("passage", "context", "paragraph"), ("question",), ("answer", "answers", "answer_text")),
}
_MADE: Mapping[str, Callable[..., Example]] = {
    "classes": Labelled,
    "pairs": LabelledPair,
    "tags": lambda words, tags: Tagged(tuple(words.split()), tuple(tags.split())),
    "answers": Question,
}


def read(kind: str, name: str, data: bytes) -> tuple[list[Example], str]:
    """The examples of a table and what is to be said of it: "" where nothing is.

    >>> read("classes", "mine.csv", b"text,label\\nSo good.,yes")[0]
    [Labelled(text='So good.', label='yes')]

    Raises TextError for another kind of file, a larger one, a missing column, and a row that is no example.
    """
    ending = PurePath(name).suffix.lower().lstrip(".")
    if ending not in KINDS:
        raise TextError(f"{name} is no table that is read here.", "Save it as .csv or .tsv.")
    if len(data) > MOST_MB * 1_000_000:
        size = math.ceil(len(data) / 1e5) / 10
        raise TextError(f"{name} has {size:g} MB; {MOST_MB} MB is the most.", "Take a part of its rows.")
    try:
        text = data.decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(ending, text)))
    except (UnicodeDecodeError, csv.Error) as error:
        raise TextError(f"{name} cannot be read as a table.", "Save it as CSV in UTF-8.") from error
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise TextError(f"{name} has no rows below its first line.", "The first line names the columns.")
    places = _places(kind, name, rows[0])
    numbered = spread(list(enumerate(rows[1:], 2)), MOST)
    note = (
        f"{len(numbered):,} of {len(rows) - 1:,} rows are read, evenly spread."
        if len(rows) - 1 > MOST
        else ""
    )
    return [_example(kind, row, places, number) for number, row in numbered], note


def _delimiter(ending: str, text: str) -> str:
    head = text.partition("\n")[0]
    return "\t" if ending == "tsv" or "\t" in head else ";" if head.count(";") > head.count(",") else ","


def _places(kind: str, name: str, header: Sequence[str]) -> list[int]:
    known = [cell.strip().lower() for cell in header]
    places = []
    for names in COLUMNS[kind]:
        found = next((known.index(one) for one in names if one in known), None)
        if found is None:
            raise TextError(
                f"{name} has no column “{names[0]}”; its columns are {', '.join(header):.100}.",
                f"Name the columns {', '.join(each[0] for each in COLUMNS[kind])} in the first line.",
            )
        places.append(found)
    return places


def _example(kind: str, row: Sequence[str], places: Sequence[int], number: int) -> Example:
    cells = [row[place].strip() if place < len(row) else "" for place in places]
    try:
        if kind in ("classes", "pairs") and not cells[-1]:
            raise TextError("There is no label.", "Give each row a label.")
        return _MADE[kind](*cells)
    except ExplorerError as error:
        raise TextError(f"Row {number}: {error.message}", error.hint) from error
