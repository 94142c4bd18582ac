"""Candidates as horizontal bars: a model's guesses for a blank, or for the next token."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.locale import N_, _, format_with, localised
from explorer.views.look.blocklist import DOTS, WHY
from explorer.views.widgets.numbers import short
from explorer.views.widgets.registry import component, component_value

Write = Callable[[float], str]
ROWS_IN_VIEW = 10
# In every view, so that bars can be compared.
FULL_BAR = N_("A full bar would mean that the model is certain.")


def bars(
    rows: Sequence[dict[str, Any]],
    key: str,
    label: str,
    on_click: Callable[[int], None] | None = None,
    visible: int = ROWS_IN_VIEW,
    headings: Sequence[str] = (),
    ghosts: bool = True,
) -> None:
    """Draw a list of candidates as bars; a click calls `on_click` with the row's index.

    `visible` rows are in view, the others scroll. `headings` name the numbers. A full bar is 1. After a
    change, a dashed outline shows for some seconds how long the bar of the same token was, unless `ghosts`
    is False. The keys of a row, all but the first two optional:

    - token
    - probability: 0 to 1; None draws no bar, and `instead` takes the place of the number
    - chance: of being sampled, after temperature and cuts; it is the solid bar, the probability a hollow one
    - beside: the probability in another sentence, as a hollow bar
    - cosine: shown in place of the probability
    - rank: by default the row's number, from 1
    - state: "chosen", "cut" or "highlight"
    - tip: shown on hover after the full numbers
    - pinned: stays in view below the others; pinned rows come last
    - repeats: the word is in the sentence already, and its bar is hatched
    - covered: the token is shown as dots, and a click does nothing
    """

    def clicked() -> None:
        index = component_value(key, "click", range(len(rows)))
        if on_click is not None and index is not None and not rows[index].get("covered"):
            on_click(index)

    component("widgets/bars")(
        key=key,
        data=bars_data(rows, label, visible, headings) | {"active": on_click is not None, "ghosts": ghosts},
        on_click_change=clicked,
    )


def bars_data(
    rows: Sequence[dict[str, Any]], label: str, visible: int = ROWS_IN_VIEW, headings: Sequence[str] = ()
) -> dict[str, Any]:
    """What the component draws of rows as `bars` takes them, where nothing happens at a click."""
    return {
        "rows": [_row(row, number) for number, row in enumerate(rows, 1)],
        "label": label,
        "active": False,
        "visible": visible,
        "headings": list(headings),
        "ghosts": False,
        "cosines": any("cosine" in row for row in rows),
    }


def _row(row: dict[str, Any], number: int) -> dict[str, Any]:
    chance, rank = row.get("chance"), row.get("rank", number)
    notes = [row["tip"]] if row.get("tip") else []
    repeats = bool(row.get("repeats") and not row.get("covered"))
    notes += [_("in the sentence already")] if repeats else []
    notes += [_(WHY)] if row.get("covered") else []
    return {
        "token": DOTS if row.get("covered") else row["token"],
        "covered": bool(row.get("covered")),
        "rank": "" if rank is None else f"{rank:,}",
        "probability": row.get("probability", row.get("cosine")) or 0.0,
        "number": _number(row),
        **({} if chance is None else {"chance": chance, "second": short(chance)}),
        **({"beside": row["beside"]} if "beside" in row else {}),
        "state": row.get("state", ""),
        "repeats": repeats,
        "pinned": bool(row.get("pinned")),
        "tip": ", ".join([*_numbers(row, "{:.6g}".format, "{:.6f}".format), *notes]),
        "said": ", ".join([*_numbers(row, short, "{:.2f}".format), *notes]),
    }


def _numbers(row: dict[str, Any], as_probability: Write, as_cosine: Write) -> list[str]:
    """The numbers of a row, each with its name."""
    names = {
        "probability": N_("probability {number}"),
        "chance": N_("chance {number}"),
        "beside": N_("in the other sentence {number}"),
    }
    cosine = localised(as_cosine(row["cosine"]).replace("-", "−")) if "cosine" in row else ""
    numbers = {key: localised(as_probability(row[key])) for key in names if row.get(key) is not None}
    named = [_("cosine {number}", number=cosine)] if cosine else []
    return named + [_(names[key], number=number) for key, number in numbers.items()]


def _number(row: dict[str, Any]) -> str:
    if "cosine" in row:
        return format_with(row["cosine"], ".2f")
    return row.get("instead", "") if row["probability"] is None else short(row["probability"])
