"""Analogies: a - b + c drawn as arrows on a plane, and the words nearest to where it ends."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist
from explorer.views.frame.blocklist import Blocklist
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture
from explorer.views.frame.saving import table as csv_table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.vectors import examples
from explorer.views.vectors.plane import map_data
from explorer.views.vectors.presets import PRESETS
from explorer.views.vectors.settings import ANSWER, ASKED, MODEL, A, B, C
from explorer.views.vectors.word_table import ranking_csv, rows, shown, table
from explorer.views.widgets.bars import bars
from explorer.views.widgets.marks import mark
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.vectors import Analogy, Neighbour, Vectors


# `asked` lets a, b and c themselves into the ranking.

TOP = 10
HEIGHT_PX = 356
MARGIN = 1.2  # half widths, so that the sum's long name has a place beside its ring
WORDS = (A, B, C)
TARGET = "\0"  # the id of the dot that is no word


def controls(page: Page[None]) -> None:
    """[a] - [b] + [c], and the switch."""
    settings = page.settings

    def changed() -> None:
        settings.set(ANSWER.to(""))

    columns = st.columns([20, 2, 20, 2, 20, 36], vertical_alignment="center", gap="small")
    for column, name in zip(columns[:5:2], WORDS):
        with column:
            text_box(settings, name, f"Word {name}", "a word", on_change=changed)
    for column, sign in zip(columns[1:4:2], ("−", "+")):
        column.html(f'<p style="margin:0;font-size:28px;text-align:center">{sign}</p>')
    columns[5].toggle(
        "Let these words take part",
        key=settings.key(ASKED, "Let these words take part"),
        help="Whether a, b and c themselves may be the answer",
    )


def draw(page: Page[None]) -> Saves:
    """The plane with its arrows, and the ranking."""
    from explorer.analysis import vectors

    settings, known = page.settings, table(page.model)
    a, b, c = (settings[word].strip() for word in WORDS)
    made = vectors.analogy(known, a, b, c, TOP)
    found = made.everything if settings[ASKED] else made.answers
    blocked = blocklist.over(settings[MODEL], a, b, c)
    answer = _answer(settings, made)
    left, right = st.columns([7, 5], gap="medium")
    with left.container(gap="xxsmall"):
        places = _plane(known, made, answer, blocked)
    with right.container(gap="xxsmall"):
        _ranking(settings, known, made, answer, blocked)
    file = f"{a}-{b}-{c}"
    return [
        Picture("picture", file),
        Export("Nearest words", f"{file}.csv", lambda: ranking_csv(found, blocked)),
        Export("Places on the plane", f"{file}-plane.csv", lambda: csv_table(["word", "x", "y"], places)),
    ]


def reading(page: Page[None]) -> Reading:
    """How to read the arrows and the ranking."""
    a, b, c = (quoted(page.settings[word].strip() or "?") for word in WORDS)
    return Reading(
        f"The arrow from {b} to {a} is the difference of their vectors; the same arrow, starting at {c}, "
        "ends in the ring. The answer is the word whose direction is nearest to the ring’s.",
        "Published figures leave the three words out of the ranking; the switch lets them in. Distances on "
        "the plane are only a hint: the bars are cosines in the original space.",
    )


def example(page: Page[None]) -> Example:
    """The same ranking from Python."""
    settings = page.settings
    return Example(
        examples.analogy,
        model=Load(settings[MODEL]),
        **{str(word): settings[word].strip() for word in WORDS},
        with_the_three=settings[ASKED],
        top=TOP,
    )


def _answer(settings: Settings, made: "Analogy") -> "Neighbour | None":
    """The answer that is drawn: the one that was clicked, else the best that is no word of the question."""
    listed = [*made.answers, *(n for n in made.everything if not n.in_query)]
    clicked = next((n for n in listed if n.word == settings[ANSWER]), None)
    return clicked or next(iter(made.answers), None)


def _ranking(
    settings: Settings, known: "Vectors", made: "Analogy", answer: "Neighbour | None", blocked: Blocklist
) -> None:
    found = made.everything if settings[ASKED] else made.answers

    def clicked(index: int) -> None:
        if not found[index].in_query:
            settings.set(ANSWER.to(found[index].word))

    label = "Words nearest to the sum; click one to draw it"
    listed = rows(found, blocked, answer.word if answer else "")
    bars(listed, "vectors/answers", label, clicked, visible=TOP, headings=("cosine",))
    st.html(f'<p class="rb-point">{escape(_why(settings, known, made))}</p>')


def _why(settings: Settings, known: "Vectors", made: "Analogy") -> str:
    """What the ranking leaves out, or why a word of the question leads it."""
    parts = {known.find(made.a), known.find(made.c)}
    asked = next((n for n in made.everything if n.id in parts), None)
    if not settings[ASKED]:
        told = "The three words of the question are left out."
        if asked is None or asked.rank > 1:
            return told
        return f"{told} Otherwise “{asked.word}” would come first, with {asked.cosine:.2f}."
    if asked is None:
        return f"No word of the question is among the first {TOP}: the difference leads far enough away."
    place = "comes first" if asked.rank == 1 else f"is at rank {asked.rank}"
    return (
        f"“{asked.word}” {place}: it is part of the sum itself, and the difference of the other two is "
        "small beside it."
    )


def _plane(
    known: "Vectors", made: "Analogy", answer: "Neighbour | None", blocked: Blocklist
) -> list[tuple[str, float, float]]:
    """The words, the ring and the arrows; the names and places of what is drawn."""
    from explorer.analysis import vectors

    words = [known.words[known.id(w)] for w in (made.a, made.b, made.c)]
    drawn = list(dict.fromkeys([*words, *([answer.word] if answer else [])]))
    plane = vectors.plane(known, drawn, made.target)
    middle = (plane.points.amax(0) + plane.points.amin(0)) / 2
    points = plane.points - middle
    a, b, c = words
    dots: list[dict[str, Any]] = [
        {
            "id": w,
            "text": shown(w, blocked),
            "mark": 1 if w not in words else 0,
            "fixed": True,
            "strong": True,
        }
        for w in drawn
    ]
    total = f"{shown(a, blocked)} − {shown(b, blocked)} + {shown(c, blocked)}"
    dots.append({"id": TARGET, "text": total, "mark": 0, "hollow": True, "fixed": True, "strong": True})
    arrows = [
        {"from": b, "to": c, "kind": "other"},
        {"from": a, "to": TARGET, "kind": "other"},
        {"from": b, "to": a, "kind": "step"},
        {"from": c, "to": TARGET, "kind": "step"},
    ]
    if answer:
        arrows.append({"from": TARGET, "to": answer.word, "kind": "near"})
    data = map_data(dots, points, HEIGHT_PX)
    component("vectors/word_map")(
        key="vectors/plane",
        data=data
        | {
            "reach": [MARGIN * data["reach"][0], data["reach"][1]],
            "label": f"{made.a} minus {made.b} plus {made.c} on a plane",
            "marks": [mark(0), mark(1)],
            "arrows": [arrow for arrow in arrows if arrow["from"] != arrow["to"]],
        },
        on_lock_change=lambda: None,
    )
    kept = sum(plane.explained)
    st.html(f'<p class="rb-point">PCA of these words’ unit vectors; it keeps {kept:.0%} of the variance.</p>')
    return [(dot["text"], x, y) for dot, (x, y) in zip(dots, points.tolist())]


VIEW = View(
    label="Analogies",
    first=Hints(
        "From king, take the step that leads from man to woman: it ends near queen.",
        "Change king to uncle. Where does the arrow end?",
    ),
    settings=(A, B, C, ASKED, ANSWER),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
