"""Measured: stored figures of models that were compared, one comparison at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from explorer import assets
from explorer.analysis import ablations
from explorer.views.about import families, measured_chart
from explorer.views.about import measured_scores as scores
from explorer.views.about.choice import Training
from explorer.views.about.record import count
from explorer.views.about.settings import MEASURED
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import Reading, view_text
from explorer.views.look.theme import Palette
from explorer.views.types import go
from explorer.views.widgets.controls import menu
from explorer.views.widgets.html_table import html_table

Scores = Mapping[str, Mapping[Any, Sequence[float]]]  # what is compared -> where it was measured -> each draw
Rows = Sequence[Sequence[str]]
NAMES = assets.table(assets.TEXTS / "measured.toml")
RUNS, TASKS, PRETRAINING = NAMES["runs"], NAMES["tasks"], NAMES["pretraining"]
WAYS, SETS, MEASURES = NAMES["ways"], NAMES["sets"], NAMES["measures"]
VIEW_TEXT = view_text("models", "measured")


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """A choice of this view.

    `see` is a line on its picture, `read` gives its scores, `compared` and `where` are what their keys are.
    `rows` are those of the table below the picture, with the heads first, and `sources` is what follows it
    as HTML. `export` is the file of its figures, if that is not a line for each score.
    """

    title: str
    see: str
    read: Callable[[], Scores]
    compared: str
    where: str
    draw: Callable[[Scores, Palette], "go.Figure"]
    reading: Callable[[], Reading]
    rows: Callable[[Scores], Rows]
    sources: Callable[[], str] = lambda: ""
    export: Callable[[], str] | None = None


def controls(page: OpenPage[Training]) -> None:
    """What was measured."""
    titles = {name: comparison.title for name, comparison in COMPARISONS.items()}
    menu(page.settings, MEASURED, "What was measured", titles, label_visibility="collapsed")


def draw(page: OpenPage[Training]) -> Saves:
    """The chart of the chosen comparison."""
    name = page.settings[MEASURED]
    comparison = COMPARISONS[name]
    stored = comparison.read()
    chart(comparison.draw(stored, palette()), f"models/measured/{name}", least=820)
    make = comparison.export or partial(scores_csv, comparison, stored)
    return [Picture("picture", f"measured-{name}"), Export("Figures", f"measured-{name}.csv", make)]


def scores_csv(comparison: Comparison, stored: Scores) -> str:
    """A line for each score."""
    lines = [
        (series, place, draw, score)
        for series, by_place in stored.items()
        for place, draws in by_place.items()
        for draw, score in enumerate(draws, 1)
    ]
    return table([comparison.compared, comparison.where, "draw", "score"], lines)


def below(page: OpenPage[Training]) -> None:
    """The figures as a table, and where they come from."""
    name = page.settings[MEASURED]
    comparison = COMPARISONS[name]
    heads, *rows = comparison.rows(comparison.read())
    st.html(html_table(f"rb-figures rb-{name}", heads, rows) + comparison.sources())


def example(page: OpenPage[Training]) -> Example:
    """The stored scores from Python."""
    read = COMPARISONS[page.settings[MEASURED]].read
    return Example(read.func, **read.keywords) if isinstance(read, partial) else Example(read)


def score_rows(
    where: str, places: Mapping[Any, str], names: Mapping[str, str], stored: Scores
) -> list[list[str]]:
    """A row for each place, with a column for each series; a series without a score was not asked."""
    rows = [[where, *(names[series] for series in stored)]]
    for place, label in places.items():
        draws = [by_place.get(place, []) for by_place in stored.values()]
        rows.append([label, *(measured_chart.in_words(one) if one else "not asked" for one in draws)])
    return rows


def _sizes(stored: Scores, palette: Palette) -> "go.Figure":
    up, ticks = "last words of LAMBADA guessed right, zero-shot", [10**n for n in range(6, 12)]
    return measured_chart.lines(stored, {}, up, "parameters", ticks, palette)


def _size_rows(stored: Scores) -> Rows:
    heads = ["model", "year", "parameters", "text it read", "LAMBADA, zero-shot", "source"]
    return [heads, *families.rows()]


def _papers() -> str:
    cited = " ".join(f"<b>{year}</b>: {escape(paper)}." for year, paper in families.papers().items())
    return f'<p class="rb-quiet">{cited}</p>'


def _parts(stored: Scores, palette: Palette) -> "go.Figure":
    panels = {label: {run: {run: stored[run][task]} for run in RUNS} for task, label in TASKS.items()}
    return measured_chart.rows(panels, RUNS, palette)


def _parts_reading() -> Reading:
    results = ablations.stored()
    counts = {name: count(getattr(results, name)) for name in ("tokens", "learnt", "test")}
    return VIEW_TEXT.readings["parts"].filled(**counts)


def _heads(stored: Scores, palette: Palette) -> "go.Figure":
    rows = {
        _test_set(place): {way: by_place[place] for way, by_place in stored.items()} for place in MEASURES
    }
    return measured_chart.rows({"": rows}, WAYS, palette)


def _head_rows(stored: Scores) -> Rows:
    from explorer.finetuning import library

    heads, *rows = score_rows("test set", {place: _test_set(place) for place in MEASURES}, WAYS, stored)
    counts = [f"{library.measured(place.partition(',')[0])['test']:,}" for place in MEASURES]
    return [[*heads, "test examples"], *([*row, number] for row, number in zip(rows, counts, strict=True))]


def _test_set(place: str) -> str:
    return f"{SETS[place.partition(',')[0]]}, {MEASURES[place]}"


def _learning(name: str) -> Comparison:
    """The scores on a test set after few and many examples."""
    phrases = VIEW_TEXT.phrases

    def stored() -> Any:
        from explorer.finetuning import library

        return library.curve(name)

    def draw(scores: Scores, palette: Palette) -> "go.Figure":
        measure = {"accuracy": "accuracy", "f1": "F1"}[stored()["measure"]]
        sizes = list(next(iter(scores.values())))
        up, across = f"{measure} on the test set", "examples to learn from"
        return measured_chart.lines(scores, WAYS, up, across, sizes, palette)

    def rows(scores: Scores) -> Rows:
        sizes = {size: f"{size:,} examples" for size in next(iter(scores.values()))}
        return score_rows("after", sizes, WAYS, scores)

    return Comparison(
        title=f"How many examples: {SETS[name]}",
        see=phrases["examples"].format(question=phrases.get(f"question-{name}", phrases["question"])),
        read=partial(scores.by_examples, name=name),
        compared="way",
        where="examples",
        draw=draw,
        reading=lambda: VIEW_TEXT.readings["examples"].filled(test=stored()["test"]),
        rows=rows,
    )


COMPARISONS: Mapping[str, Comparison] = {
    "scale": Comparison(
        title="From GPT to GPT-3",
        see=VIEW_TEXT.phrases["scale"],
        read=scores.by_size,
        compared="model",
        where="parameters",
        draw=_sizes,
        reading=lambda: VIEW_TEXT.readings["scale"],
        rows=_size_rows,
        sources=_papers,
        export=families.scale_csv,
    ),
    "parts": Comparison(
        title="What each part of BERT’s training is for",
        see=VIEW_TEXT.phrases["parts"],
        read=scores.by_part,
        compared="trained",
        where="measure",
        draw=_parts,
        reading=_parts_reading,
        rows=partial(score_rows, "measured", TASKS | PRETRAINING, RUNS),
    ),
    "scores": Comparison(
        title="BERT, fine-tuned: test sets",
        see=VIEW_TEXT.phrases["scores"],
        read=scores.by_test_set,
        compared="way",
        where="test set and measure",
        draw=_heads,
        reading=lambda: VIEW_TEXT.readings["scores"],
        rows=_head_rows,
        sources=lambda: f'<p class="rb-how">{with_terms(VIEW_TEXT.phrases["benchmarks"])}</p>',
    ),
    **{name: _learning(name) for name in SETS},
}

VIEW = View(
    text=VIEW_TEXT,
    settings=(MEASURED,),
    controls=controls,
    draw=draw,
    below=below,
    reading=lambda page: COMPARISONS[page.settings[MEASURED]].reading(),
    example=example,
    now=lambda page: with_terms(COMPARISONS[page.settings[MEASURED]].see),
)
