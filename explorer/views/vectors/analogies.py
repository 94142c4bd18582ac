"""Analogies: a - b + c drawn as arrows on a plane, and the words nearest to the sum."""

from html import escape
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, localised
from explorer.views import kit
from explorer.views.types import Analogy, Neighbour, Vectors
from explorer.views.vectors import examples
from explorer.views.vectors.settings import ANSWER, ASKED, LOCKED, MODEL, A, B, C
from explorer.views.vectors.word_table import display, measure, ranking_csv, rows, table
from explorer.views.widgets.word_map import draw_map, map_data

TOP = 10
HEIGHT_PX = 356
MARGIN = 1.2  # half widths, so that the sum's long name has a place beside its ring
WORDS = (A, B, C)
TARGET = "\0"  # the id of the dot that is no word

VIEW_TEXT = kit.view_text("vectors", "analogies")


def controls(page: kit.OpenPage[None]) -> None:
    """Draw the boxes of a, b and c, and the switch that lets them be answers."""
    settings = page.settings

    def changed() -> None:
        settings.set(ANSWER.to(""))

    with st.container(key="analogy"):
        columns = st.columns([20, 2, 20, 2, 20, 36], vertical_alignment="center", gap="small")
    for column, name in zip(columns[:5:2], WORDS):
        with column:
            kit.text_box(settings, name, _("Word {name}", name=name), _("a word"), on_change=changed)
    for column, sign in zip(columns[1:4:2], ("−", "+")):
        column.html(f'<p style="margin:0;font-size:28px;text-align:center">{sign}</p>')
    columns[5].toggle(
        _("Allow the question’s words"),
        key=settings.key(ASKED, _("Allow the question’s words")),
        help=_("Otherwise the answer is the best of all other words"),
    )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The plane with its arrows, and the ranking."""
    settings, embeddings = page.settings, table(page.model)
    a, b, c = (settings[word].strip() for word in WORDS)
    analogy = analysis.vectors.analogy(embeddings, a, b, c, TOP)
    ranking = analogy.everything if settings[ASKED] else analogy.answers
    blocked = kit.blocklist.over(settings[MODEL], a, b, c)
    answer = _answer(settings, analogy)
    left, right = st.columns([7, 5], gap="medium")
    with left.container(gap="xxsmall"):
        places = _plane(settings, embeddings, analogy, answer, blocked)
    with right.container(gap="xxsmall"):
        _ranking(settings, embeddings, analogy, answer, blocked)
    file = f"{a}-{b}-{c}"
    return [
        kit.Picture("picture", file),
        kit.Export(N_("Nearest words"), f"{file}.csv", lambda: ranking_csv(ranking, blocked)),
        kit.Export(
            N_("Places on the plane"), f"{file}-plane.csv", lambda: kit.table(["word", "x", "y"], places)
        ),
    ]


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the arrows and the ranking."""
    a, b, c = (kit.quoted(page.settings[word].strip() or "?") for word in WORDS)
    return VIEW_TEXT.reading.filled(b=b, a=a, c=c)


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word the sum of the three leads to."""
    a, b, c = (page.settings[word].strip() for word in WORDS)

    def nearest() -> str:
        return next(
            (one.word for one in analysis.vectors.analogy(table(page.model), a, b, c, TOP).answers), ""
        )

    text = _("What is {a} minus {b} plus {c}?", a=a, b=b, c=c)
    return [kit.Poll(kit.Question("word", text), find_truth=nearest)]


def _answer(settings: kit.Settings, analogy: "Analogy") -> "Neighbour | None":
    """The answer that is drawn: the clicked one, or else the best that is not a, b or c."""
    listed = [*analogy.answers, *(n for n in analogy.everything if not n.in_query)]
    clicked = next((n for n in listed if n.word == settings[ANSWER]), None)
    return clicked or next(iter(analogy.answers), None)


def _ranking(
    settings: kit.Settings,
    embeddings: "Vectors",
    analogy: "Analogy",
    answer: "Neighbour | None",
    blocked: kit.Blocklist,
) -> None:
    ranking = analogy.everything if settings[ASKED] else analogy.answers

    def clicked(index: int) -> None:
        if not ranking[index].in_query:
            settings.set(ANSWER.to(ranking[index].word))

    label = _("Words nearest to the sum; press one to draw it")
    listed = rows(ranking, blocked, answer.word if answer else "")
    kit.bars(listed, "vectors/answers", label, clicked, visible=TOP, headings=(measure(),))
    line = _why(settings, embeddings, analogy)
    if analogy.by_product and not kit.for_class():
        best = display(analogy.by_product, blocked)
        line += " " + _("By product (3CosMul): “{word}”.", word=best)
    st.html(f'<p class="rb-point">{escape(line)}</p>')


def _why(settings: kit.Settings, embeddings: "Vectors", analogy: "Analogy") -> str:
    """A line on what the ranking leaves out, or on why a word of the question ranks high."""
    parts = {embeddings.find(analogy.a), embeddings.find(analogy.c)}
    term = next((n for n in analogy.everything if n.id in parts), None)
    if not settings[ASKED]:
        text = _("The three question words are left out.")
        if term is None or term.rank > 1:
            return text
        otherwise = _(
            "Otherwise “{word}” would come first, with {cosine}.",
            word=term.word,
            cosine=localised(f"{term.cosine:.2f}"),
        )
        return f"{text} {otherwise}"
    if term is None:
        return _(
            "No question word is among the first {count}: the difference leads far enough away.", count=TOP
        )
    if term.rank == 1:
        return _(
            "“{word}” comes first: it is part of the sum itself, and the difference of the other two is "
            "small compared with it.",
            word=term.word,
        )
    return _(
        "“{word}” is at rank {rank}: it is part of the sum itself, and the difference of the other two is "
        "small compared with it.",
        word=term.word,
        rank=term.rank,
    )


def _plane(
    settings: kit.Settings,
    embeddings: "Vectors",
    analogy: "Analogy",
    answer: "Neighbour | None",
    blocked: kit.Blocklist,
) -> list[tuple[str, float, float]]:
    """Draw the words, the ring and the arrows; the name and place of each."""
    data, places, variance = plane_data(embeddings, analogy, answer, blocked)
    draw_map(settings, "vectors/plane", data, LOCKED)
    if not kit.for_class():
        keeps = _(
            "PCA of these words’ unit vectors; it keeps {share} of the variance.",
            share=kit.whole_percent(variance),
        )
        st.html(f'<p class="rb-point">{keeps}</p>')
    return places


def plane_data(
    embeddings: "Vectors", analogy: "Analogy", answer: "Neighbour | None", blocked: kit.Blocklist
) -> tuple[dict[str, Any], list[tuple[str, float, float]], float]:
    """The words, the ring and the arrows; the name and place of each; the share of the variance."""
    terms = [embeddings.words[embeddings.id(w)] for w in (analogy.a, analogy.b, analogy.c)]
    words = list(dict.fromkeys([*terms, *([answer.word] if answer else [])]))
    plane = analysis.vectors.plane(embeddings, words, analogy.target)
    middle = (plane.points.amax(0) + plane.points.amin(0)) / 2
    points = plane.points - middle
    a, b, c = terms
    fixed: dict[str, Any] = {"fixed": True, "strong": True}
    dots = [fixed | {"id": w, "text": display(w, blocked), "mark": int(w not in terms)} for w in words]
    total = f"{display(a, blocked)} − {display(b, blocked)} + {display(c, blocked)}"
    dots.append(fixed | {"id": TARGET, "text": total, "mark": 0, "hollow": True})
    arrows = [
        {"from": b, "to": c, "kind": "other"},
        {"from": a, "to": TARGET, "kind": "other"},
        {"from": b, "to": a, "kind": "step"},
        {"from": c, "to": TARGET, "kind": "step"},
    ]
    if answer:
        arrows.append({"from": TARGET, "to": answer.word, "kind": "near"})
    data = map_data(dots, points, HEIGHT_PX)
    data |= {
        "reach": [MARGIN * data["reach"][0], data["reach"][1]],
        "label": _("{a} minus {b} plus {c} on a plane", a=analogy.a, b=analogy.b, c=analogy.c),
        "marks": [kit.mark(0), kit.mark(1)],
        "arrows": [arrow for arrow in arrows if arrow["from"] != arrow["to"]],
    }
    places = [(dot["text"], x, y) for dot, (x, y) in zip(dots, points.tolist())]
    return data, places, sum(plane.explained)


def now(page: kit.OpenPage[None]) -> str:
    """Which word the arrow ends near."""
    settings, embeddings = page.settings, table(page.model)
    a, b, c = (settings[word].strip() for word in WORDS)
    answer = next(iter(analysis.vectors.analogy(embeddings, a, b, c, 1).answers), None)
    if answer is None or (a, b, c) == (A.default, B.default, C.default):
        return ""
    word = display(answer.word, kit.blocklist.over(settings[MODEL], a, b, c))
    return _(
        "From “{a}”, the step from “{b}” to “{c}” ends near <b>“{word}”</b>, cosine {cosine}.",
        a=kit.quoted(a),
        b=kit.quoted(b),
        c=kit.quoted(c),
        word=kit.quoted(word),
        cosine=localised(f"{answer.cosine:.2f}"),
    )


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading, change=now),
    settings=(A, B, C, ASKED, ANSWER),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        examples.analogy,
        model=kit.Load(page.settings[MODEL]),
        **{str(word): page.settings[word].strip() for word in WORDS},
        with_the_three=page.settings[ASKED],
        top=TOP,
    ),
    stage=kit.Stage(
        covered=(".near, .leaders, .dot:nth-child(n+4), .word:nth-child(n+4), .token, .rb-point",),
        boxes=WORDS,
        polls=asks,
    ),
)
