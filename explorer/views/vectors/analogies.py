"""a - b + c drawn as arrows on a plane, and the words nearest to where it ends."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist
from explorer.views.frame.blocklist import Blocklist
from explorer.views.frame.settings import Settings
from explorer.views.vectors.plane import plain
from explorer.views.vectors.word_table import rows, shown, table
from explorer.views.widgets.bars import bars
from explorer.views.widgets.marks import mark
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.vectors.words import Analogy, Neighbour, Vectors

TOP = 10
HEIGHT_PX = 356
ROOM = 1.2  # half widths, so that the sum's long name has a place beside its ring
NAMES = ("a", "b", "c")
TARGET = "\0"  # the id of the dot that is no word


def draw(settings: Settings, name: str) -> None:
    """The three words, the plane with its arrows, the ranking."""
    from explorer.analysis import vectors

    _question(settings)
    known = table(name)
    a, b, c = (settings[n].strip() for n in NAMES)
    made = vectors.analogy(known, a, b, c, TOP)
    cover = blocklist.over(name, a, b, c)
    answer = _answer(settings, made)
    left, right = st.columns([7, 5], gap="medium")
    with left.container(gap="xxsmall"):
        _plane(settings, known, made, answer, cover)
    with right.container(gap="xxsmall"):
        _ranking(settings, known, made, answer, cover)


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    a, b, c = (escape(settings[n].strip() or "?") for n in NAMES)
    return (
        f"The arrow from {b} to {a} is their difference; the same arrow, set at {c}, ends in the ring. "
        "The answer is the word whose direction is nearest to the ring’s.",
        "Published figures leave the three words out of the ranking; the switch lets them in. "
        "On the plane near is only a hint: the bars are cosines in the original space.",
    )


def code(settings: Settings) -> str:
    """The same numbers from Python."""
    which = "everything" if settings["asked"] else "answers"
    a, b, c = (settings[n] for n in NAMES)
    return f"""import explorer
from explorer.analysis import vectors

known = vectors.of(explorer.load({settings["model"]!r}))
found = vectors.analogy(known, {a!r}, {b!r}, {c!r}, top={TOP})
for n in found.{which}:
    print(f"{{n.rank:2}} {{n.word:16}} {{n.cosine:.4f}}")"""


def _question(settings: Settings) -> None:
    """[a] - [b] + [c], and the switch."""

    def changed() -> None:
        settings.set(answer="")

    columns = st.columns([20, 2, 20, 2, 20, 36], vertical_alignment="center", gap="small")
    for column, name in zip(columns[:5:2], NAMES):
        with column:
            text_box(settings, name, f"Word {name}", "a word", on_change=changed)
    for column, sign in zip(columns[1:4:2], ("−", "+")):
        column.html(f'<p style="margin:0;font-size:28px;text-align:center">{sign}</p>')
    columns[5].toggle(
        "Let these words take part", key=settings.key("asked"),
        help="Whether a, b and c themselves may be the answer",
    )  # fmt: skip


def _answer(settings: Settings, made: "Analogy") -> "Neighbour | None":
    """The answer that is drawn: the one that was clicked, else the best that is no word of the question."""
    listed = [*made.answers, *(n for n in made.everything if not n.asked)]
    clicked = next((n for n in listed if n.word == settings["answer"]), None)
    return clicked or next(iter(made.answers), None)


def _ranking(
    settings: Settings, known: "Vectors", made: "Analogy", answer: "Neighbour | None", cover: Blocklist
) -> None:
    found = made.everything if settings["asked"] else made.answers

    def clicked(index: int) -> None:
        if not found[index].asked:
            settings.set(answer=found[index].word)

    bars(
        rows(found, cover, answer.word if answer else ""), "vectors/answers",
        "Words nearest to the sum; click one to draw it", clicked, visible=TOP, headings=("cosine",),
    )  # fmt: skip
    st.html(f'<p class="rb-point">{_why(settings, known, made)}</p>')


def _why(settings: Settings, known: "Vectors", made: "Analogy") -> str:
    """What the ranking leaves out, or why a word of the question leads it."""
    parts = {known.find(made.a), known.find(made.c)}
    asked = next((n for n in made.everything if n.id in parts), None)
    if not settings["asked"]:
        lead = (
            f" Else “{asked.word}” would lead, with {asked.cosine:.2f}." if asked and asked.rank == 1 else ""
        )
        return escape(f"Without the three words of the question.{lead}")
    if asked is None:
        return "No word of the question is among the first: the step is long enough to leave them behind."
    place = "first" if asked.rank == 1 else f"at rank {asked.rank}"
    return (
        f"“{escape(asked.word)}” stands {place}: it is a part of the sum itself, and the step between "
        "the other two is short beside it."
    )


def _plane(
    settings: Settings, known: "Vectors", made: "Analogy", answer: "Neighbour | None", cover: Blocklist
) -> None:
    from explorer.analysis import vectors

    words = [known.words[known.id(w)] for w in (made.a, made.b, made.c)]
    drawn = list(dict.fromkeys([*words, *([answer.word] if answer else [])]))
    plane = vectors.plane(known, drawn, made.target)
    middle = (plane.points.amax(0) + plane.points.amin(0)) / 2
    points = plane.points - middle
    a, b, c = words
    dots: list[dict[str, Any]] = [
        {"id": w, "text": shown(w, cover), "mark": 1 if w not in words else 0, "fixed": True, "strong": True}
        for w in drawn
    ]
    total = f"{shown(a, cover)} − {shown(b, cover)} + {shown(c, cover)}"
    dots.append({"id": TARGET, "text": total, "mark": 0, "hollow": True, "fixed": True, "strong": True})
    arrows = [
        {"from": b, "to": c, "kind": "other"},
        {"from": a, "to": TARGET, "kind": "other"},
        {"from": b, "to": a, "kind": "step"},
        {"from": c, "to": TARGET, "kind": "step"},
    ]
    if answer:
        arrows.append({"from": TARGET, "to": answer.word, "kind": "near"})
    data = plain(dots, points, HEIGHT_PX)
    component("vectors/word_map")(
        key="vectors/plane",
        data=data
        | {
            "reach": [ROOM * data["reach"][0], data["reach"][1]],
            "label": f"{made.a} minus {made.b} plus {made.c} on a plane",
            "marks": [mark(0), mark(1)],
            "arrows": [arrow for arrow in arrows if arrow["from"] != arrow["to"]],
        },
        on_lock_change=lambda: None,
    )
    kept = sum(plane.explained)
    st.html(f'<p class="rb-point">PCA of these words’ unit vectors; it keeps {kept:.0%} of the variance.</p>')
