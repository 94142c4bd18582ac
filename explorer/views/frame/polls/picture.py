"""The teacher's picture of a question: what the class has answered, beside what the model answers."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from explorer.locale import N_, _, close_up, ngettext
from explorer.room import dots
from explorer.room.questions import Question
from explorer.room.result import Result, Row, count_answers, number_name, whole_percent
from explorer.room.result_html import taste
from explorer.room.tally import key
from explorer.server.session import Session
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.polls.rounds import Rounds, moved_data
from explorer.views.frame.polls.verdict import verdict
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.look import blocklist, theme
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.token_strip import token_strip

BOX = "poll"  # the key of the container of a question with its picture
ROWS, MOST_IN_CLOUD = 10, 60
ON_STAGE = 6  # answers of the class
LONG = 14  # characters of a choice that is a sentence
MERGED = Session[dict[int, dict[str, str]]]("/room/merged", {}, of="room")  # by question, as `Result.merged`
COLUMNS = ("answer", "count", "share", "model", "right")


def result_of(poll: Poll, answers: list[str], number: int, first: Sequence[str] = ()) -> Result:
    """The class's answers to question `number`, merged, beside the model's; slurs are dots.

    `first` are those to the first round of one that was asked again.
    """
    blocked = blocklist.over("", poll.question.context)
    result = count_answers(poll.question, answers, poll.model, poll.truth, poll.who, merged(number))
    rows = [replace(row, name=blocklist.written(blocked, [row.name])[0]) for row in result.rows]
    if poll.question.kind == "side":  # a model is not steered with what is covered
        rows = [row if row.name in answers else replace(row, count=0) for row in rows]
    result = replace(result, rows=tuple(rows), taste=poll.taste)
    says = "" if poll.taste and not first else verdict(result, poll, first)  # phones say of taste what it is
    return replace(result, says=says)


def draw_rounds(poll: Poll, result: Result, number: int, rounds: Rounds) -> None:
    """Both rounds of a question that was asked again, in one picture."""
    before = result_of(poll, [first for first, _ in rounds if first], number)
    numbers = dots_data(poll.question, result) if poll.question.kind == "number" else {"lines": []}
    data = numbers | moved_data(poll.question, before, result, rounds)
    component("frame/polls/answer_dots")(key=f"poll/{number}", data=data)


def draw(poll: Poll, result: Result, number: int, changed: Callable[[], None], rounds: Rounds) -> None:
    """The picture of a question's kind, or of its two `rounds`.

    `changed` is called when the teacher has merged answers.
    """
    question = poll.question
    if rounds:
        draw_rounds(poll, result, number, rounds)
    elif question.kind == "number":
        component("frame/polls/answer_dots")(key=f"poll/{number}", data=dots_data(question, result))
    elif question.kind == "token":
        for who, words in sentences(result, theme.palette(st.context.theme.type)).items():
            st.html(f'<p class="rb-how"><b>{quoted(who)}</b></p>')
            token_strip(words, f"poll/{number}/{who}", who)
    else:
        _draw_answers(question, result, number, changed, answers_data(question, result))
    if result.says:
        st.html(f'<p class="rb-how">{quoted(result.says)}</p>')


def draw_on_stage(
    poll: Poll, result: Result, number: int, changed: Callable[[], None], rounds: Rounds, merges: bool
) -> None:
    """The class's answers, or both their `rounds`, as they fill the stage.

    With `merges` the teacher can count answers as one.
    """
    question = poll.question
    if rounds:
        draw_rounds(poll, result, number, rounds)
    elif question.kind == "number":
        component("frame/polls/answer_dots")(key=f"poll/{number}", data=dots_data(question, result))
    else:
        data = stage_data(question, result)
        _draw_answers(question, result, number, changed, data | {"merges": merges and data["merges"]})
    if says := " ".join(filter(None, (taste() if result.taste else "", result.says))):
        st.html(f'<p class="rb-verdict">{quoted(close_up(says))}</p>')


def _draw_answers(
    question: Question, result: Result, number: int, changed: Callable[[], None], data: dict[str, Any]
) -> None:
    mount = f"poll/{number}"
    names = {row.key: row.name if key(row.name) == row.key else row.key for row in result.rows}

    def merge() -> None:
        pair = component_value(mount, "merge", {"answer": [*names], "into": [*names]})
        if pair is not None and question.kind == "side":
            out = merged(number)
            if out.pop(pair["answer"], None) is None:
                out[pair["answer"]] = ""
            changed()
        elif pair is not None and pair["answer"] != pair["into"]:
            join(number, pair["answer"], names[pair["into"]])
            changed()

    def undo() -> None:
        MERGED.get()[number] = {}
        changed()

    component("frame/polls/answers")(key=mount, data=data, on_merge_change=merge, on_undo_change=undo)


def merged(number: int) -> dict[str, str]:
    """What the teacher has merged in question `number`."""
    return MERGED.get().setdefault(number, {})


def ask_again(number: int, second: int) -> None:
    """Merge in the second round of question `number` what was merged in the first."""
    merged(second).update(merged(number))


def join(number: int, answer: str, target: str) -> None:
    """Count an answer, by its key, with another; what was counted with it goes along."""
    with_it = [own for own, other in merged(number).items() if key(other) == answer]
    merged(number).update(dict.fromkeys([answer, *with_it], target))


def answers_data(question: Question, result: Result) -> dict[str, Any]:
    """Bars of words or of choices; words without a model are a cloud."""
    if question.kind == "side":
        return sides_data(question, result)
    is_choice = question.kind == "choice"
    layout = "beside" if result.who else "alone" if is_choice else "cloud"
    rows = result.strongest(MOST_IN_CLOUD if layout == "cloud" else ROWS)
    longest = max((row.larger for row in rows), default=1.0)
    return {
        "label": _("The class’s answers, {count}, beside {who}", count=result.count, who=result.who)
        if result.who
        else _("The class’s answers, {count}", count=result.count),
        "layout": layout,
        "long": is_choice and any(len(row.name) > LONG for row in rows),
        "rows": [_row_data(row, result) for row in rows],
        "who": result.who,
        "scale": next((scale for scale in (0.25, 0.5) if longest <= scale), 1.0),
        "sorts": not is_choice,
        "merges": not is_choice and len(rows) > 1,
        "merged": bool(result.merged),
    }


def stage_data(question: Question, result: Result) -> dict[str, Any]:
    """The class's answers as bars with their counts and the model's below: choices in order, others by votes.

    The right answer and the model's first are there although nobody gave them, and rare ones share a row.
    Where nobody has answered there is nothing to count.
    """
    rows = list(result.rows)
    if question.kind == "side":
        return sides_data(question, result)
    if question.kind != "choice":
        given = sorted((row for row in rows if row.count), key=lambda row: -row.count)
        shown = given if len(given) <= ON_STAGE + 1 else given[:ON_STAGE]
        best = [max(rows, key=lambda row: row.model or 0.0)] if result.who else []
        rows = list(dict.fromkeys([*shown, *(row for row in rows if row.right), *best]))
        if others := [row for row in given if row not in rows]:
            count = sum(row.count for row in others)
            name = ngettext("{count} other answer", "{count} other answers", len(others))
            rows.append(Row("", name, count, count / result.count))
    return answers_data(question, replace(result, rows=tuple(rows))) | {
        "layout": "stage",
        "scale": 1.0,
        "sorts": False,
        "merges": question.kind in ("word", "free") and len(rows) > 1,
        "rows": [_row_data(row, result) | {"share_text": _count_text(row, result)} for row in rows],
    }


def sides_data(question: Question, result: Result) -> dict[str, Any]:
    """The sentences for either side; a press takes one out, or puts it back."""
    out, back = _("✕ take it out"), _("↺ put it back")
    rows = [
        asdict(row) | {"name": row.name[2:], "tip": f"{row.name[2:]} {out if row.count else back}"}
        for row in result.rows
    ]
    return {
        "label": _("The class’s sentences, {count}", count=result.count),
        "layout": "sides",
        "sides": question.choices,
        "rows": rows,
        "merges": False,
    }


def strip_data(question: Question, result: Result) -> dict[str, Any]:
    """The class's first answer for a line: its name, its count, and whether it is right.

    Numbers have none: a line says where their middle is. Nor has a class that is divided, but among equals
    the right one stands for all.
    """
    leaders = [row for row in result.leaders if row.right] or result.leaders
    if len(leaders) != 1 or question.kind in ("number", "side"):
        return {"name": "", "count": 0, "of": result.count, "right": False}
    (first,) = leaders
    return {"name": first.name, "count": first.count, "of": result.count, "right": first.right}


def _count_text(row: Row, result: Result) -> str:
    return _("{count} of {every}", count=row.count, every=result.count) if result.count else ""


def _row_data(row: Row, result: Result) -> dict[str, Any]:
    return asdict(row) | {"share_text": whole_percent(row.share), "tip": _tip(row, result)}


def _tip(row: Row, result: Result) -> str:
    tip = _("{label}: {text}", label=row.name, text=_count_text(row, result))
    if row.count:
        tip += f", {whole_percent(row.share)}"
    if result.who:
        tip += f"; {result.who} {row.model_text if row.model is None else whole_percent(row.model)}"
    return tip


def sentences(result: Result, colours: theme.Palette) -> dict[str, list[dict[str, Any]]]:
    """The sentence as tokens, shaded by the class's votes, and shaded by the model's pattern."""
    votes = [(row.share, str(row.count)) for row in result.rows]
    pattern = [(row.model or 0.0, row.model_text) for row in result.rows]
    sides = {_("The class"): (colours.accent, votes)}
    if result.who:
        sides[result.who] = colours.probability[1], pattern
    return {who: _shaded(result.rows, colours.panel, *side) for who, side in sides.items()}


def _shaded(
    rows: tuple[Row, ...], ground: str, full: str, numbers: list[tuple[float, str]]
) -> list[dict[str, Any]]:
    """Tokens with their numbers below them, if they have any."""
    most = max((share for share, _text in numbers), default=0.0) or 1.0
    tokens: list[dict[str, Any]] = []
    for row, (share, text) in zip(rows, numbers, strict=True):
        colour = theme.mix((ground, full), share / most)
        name = f"{row.name} ✓" if row.right else row.name
        note = text if share else ""
        tokens.append({"text": name, "note": note, "colour": colour, "ink": theme.text_on(colour)})
    return tokens


def dots_data(question: Question, result: Result) -> dict[str, Any]:
    """A dot for each phone on the question's scale, and a line for the model's number."""
    rows = [row for row in result.rows for _each in range(row.count)]
    stack = dots.stacked([dots.place(question, float(row.key)) for row in rows])
    ticks = [(tick, number_name(question, tick), "tick") for tick in dots.ticks(question)]
    models = [
        (float(row.key), _("{label}: {text}", label=result.who, text=row.name), "model")
        for row in result.rows
        if row.model is not None
    ]
    models += [(float(row.key), f"✓ {row.name}", "right") for row in result.rows if row.right]
    return {
        "label": _("The class’s numbers, {count}", count=result.count),
        "names": [],
        "dots": [
            {"at": at, "level": level, "tip": row.name, "from": None}
            for row, (at, level) in zip(rows, stack, strict=True)
        ],
        "pale": [],
        "lines": [
            {"at": dots.place(question, number), "text": text, "look": look}
            for number, text, look in ticks + models
        ],
    }


def saves(read: Callable[[], Result]) -> list[Export | Picture]:
    """The picture, and its numbers as they are when they are saved."""
    return [
        Picture(BOX, "class-answers", N_("The class’s answers")),
        Export(N_("The class’s answers"), "class-answers.csv", lambda: table(COLUMNS, csv_rows(read()))),
    ]


def csv_rows(result: Result) -> list[list[Any]]:
    """The rows of a table with `COLUMNS`."""
    return [
        [row.name, row.count, row.share, "" if row.model is None else row.model, "right" if row.right else ""]
        for row in result.rows
    ]
