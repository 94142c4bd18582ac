"""A question that was asked twice: a dot for each phone, pale where it was and full where it is now."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.locale import N_, _
from explorer.room import dots
from explorer.room.questions import Question
from explorer.room.result import Result, Row

Rounds = Sequence[tuple[str, str]]  # the first and the second answer of each phone, "" for none
Place = tuple[float, int]  # on the scale and above it; or of a row, and in it
MOST_ROWS = 6
OTHERS = Row("", N_("other answers"))


def moved_data(question: Question, before: Result, after: Result, rounds: Rounds) -> dict[str, Any]:
    """The dots of both rounds: on the question's scale, or in a row for each answer."""
    both = [(before, [first for first, _second in rounds]), (after, [second for _first, second in rounds])]
    keys = [[result.key_of(question, one) if one else None for one in own] for result, own in both]
    names = {row.key: row.name for result, _answers in both for row in result.rows}
    if question.kind == "number":
        rows: list[Row] = []
        old, new = (_on_scale(question, own) for own in keys)
    else:
        rows = _rows(question, before, after)
        at = {row.key: place for place, row in enumerate(rows)}
        if any(key and key not in at for own in keys for key in own):
            rows = [*rows, replace(OTHERS, name=_(OTHERS.name))]
        ats = [[None if key is None else at.get(key, len(rows) - 1) for key in own] for own in keys]
        stayed = [first == second for first, second in zip(*ats, strict=True)]
        old, new = (_in_rows(own, stayed) for own in ats)
    tips = [
        " → ".join(names[key] if key else _("no answer") for key in pair) for pair in zip(*keys, strict=True)
    ]
    return {
        "label": _(
            "The class’s answers, {before} at first and {after} after talking",
            before=before.count,
            after=after.count,
        ),
        "names": [_name(row, place, old, new) for place, row in enumerate(rows)],
        "dots": [
            {"at": to[0], "level": to[1], "tip": tip, "from": origin}
            for origin, to, tip in zip(old, new, tips, strict=True)
            if to is not None
        ],
        "pale": [origin for origin, to in zip(old, new, strict=True) if origin and origin != to],
    }


def _rows(question: Question, before: Result, after: Result) -> list[Row]:
    """All choices in their order; of other answers the most frequent of either round, and the right one."""
    if question.kind == "choice":
        return list(after.rows)
    rows = {row.key: row for row in (*before.rows, *after.rows) if row.count or row.right}
    most = sorted(rows, key=lambda key: -max(_count(before, key), _count(after, key)))[:MOST_ROWS]
    shown = [row for key, row in rows.items() if key in most or row.right]
    return sorted(shown, key=lambda row: [-_count(result, row.key) for result in (before, after)])


def _count(result: Result, key: str) -> int:
    return next((row.count for row in result.rows if row.key == key), 0)


def _on_scale(question: Question, numbers: Sequence[str | None]) -> list[Place | None]:
    """Where each number stands, those that would touch above each other."""
    order = sorted((float(number), phone) for phone, number in enumerate(numbers) if number)
    stack = dots.stacked([dots.place(question, number) for number, _phone in order])
    places: list[Place | None] = [None] * len(numbers)
    for (_number, phone), place in zip(order, stack, strict=True):
        places[phone] = place
    return places


def _in_rows(rows: Sequence[int | None], stayed: Sequence[bool]) -> list[Place | None]:
    """Where each dot stands in its row: first those that are in it in both rounds."""
    lengths: Counter[int] = Counter()
    places: list[Place | None] = [None] * len(rows)
    for at in sorted(range(len(rows)), key=lambda at: not stayed[at]):
        if (row := rows[at]) is not None:
            places[at] = (row, lengths[row])
            lengths[row] += 1
    return places


def _name(row: Row, place: int, old: Sequence[Place | None], new: Sequence[Place | None]) -> dict[str, Any]:
    counts = [sum(one is not None and one[0] == place for one in places) for places in (old, new)]
    return {"name": row.name, "right": row.right, "counts": " → ".join(map(str, counts))}
