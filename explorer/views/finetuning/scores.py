"""Scores: the bundled bert on labelled test sets, beside baselines."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import ways
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.look.theme import Palette
from explorer.views.widgets.html_table import html_table

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROW_PX, SPARE_PX = 58, 98
MARGIN = {"l": 250, "r": 24, "t": 36, "b": 58}
SIZE = {"line-ns-open": 18}
ROWS = ("majority", "bag of words", "frozen", "tuned")
MEASURES = {"accuracy": "accuracy", "f1": "F1", "exact": "exact match"}
BENCHMARKS = """\
<b>GLUE</b> (Wang et al. 2018) has nine tasks on one sentence or two, among them SST-2 and RTE. The labels of
its test sets are secret. Its score is the mean over the tasks. BERT’s paper reports 79.6 for the base model,
with 110 million parameters, and 82.1 for the large one.<br>
<b>SQuAD</b> (Rajpurkar et al. 2016) has over 100,000 questions on passages of Wikipedia, measured by exact
match and F1. Its second version adds questions without an answer. Here the test questions are those of XQuAD.
"""


def draw(page: OpenPage[None]) -> Saves:
    """The sets as rows of marks."""
    figures = measured()
    chart(figure(figures, palette()), "finetuning/scores", least=480)
    rows = [
        (name, measure, way, value)
        for name, stored in figures.items()
        for way, values in stored["scores"].items()
        for measure, value in values.items()
    ]
    return [
        Picture("picture", "fine-tuning-scores"),
        Export("Scores", "fine-tuning-scores.csv", lambda: table(["set", "measure", "way", "score"], rows)),
    ]


def figure(scores: Mapping[str, Mapping[str, Any]], colours: Palette) -> "go.Figure":
    """The main score of each set, by way; `scores` are the stored figures of each set."""
    plot = ways.empty_figure(colours, ROW_PX * len(scores) + SPARE_PX, MARGIN)
    styles = ways.styles(colours)
    names = list(scores)
    for way in ROWS:
        colour, symbol = styles[way]
        points = [(name, *next(iter(scores[name]["scores"][way].items()))) for name in names]
        plot.add_scatter(
            x=[value for _, _, value in points],
            y=[names.index(name) for name, _, _ in points],
            customdata=[
                [escape(ways.MEASURES[measure]), f"{scores[name]['test']:,}"] for name, measure, _ in points
            ],
            mode="markers",
            name=ways.NAMES[way],
            marker={
                "symbol": symbol,
                "size": SIZE.get(symbol, 15),
                "color": colour,
                "line": {"width": 3 if symbol in SIZE else 0, "color": colour},
            },
            hovertemplate=f"{ways.NAMES[way]}: <b>%{{x:.1%}}</b><br>%{{customdata[0]}} on %{{customdata[1]}} "
            "test examples<extra></extra>",
        )
    plot.update_layout(
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False},
    )
    plot.update_xaxes(range=[0, 1.02])
    ways.name_rows(plot, [ways.SETS[name] for name in names], "score on the main metric", colours)
    return plot


def below(page: OpenPage[None]) -> None:
    """The figures, and what the two benchmarks are."""
    heads = ("test set", "examples", "metric", *(ways.NAMES[way] for way in ROWS))
    cells = html_table("rb-tuned", heads, _rows(measured()))
    st.html(f'<style>{CSS}</style>{cells}<p class="rb-how">{with_terms(BENCHMARKS)}</p>')


READING = Reading(
    "Further right is better. The upright stroke is the score of always choosing the most frequent "
    "class. The circle is a head on frozen layers, and the square is the same model with small "
    "changes to its layers.",
    "The model is small, and some splits are ours, so the figures cannot be compared with published "
    "ones. Point at a mark to see how many test examples there are.",
)


def example(page: OpenPage[None]) -> Example:
    """The stored figures from Python."""
    return Example(stored_scores)


def stored_scores() -> dict[str, dict[str, dict[str, float]]]:
    """For each test set the scores of each way, by measure."""
    from explorer.finetuning import library

    return {name: library.measured(name)["scores"] for name in library.heads()}


def measured() -> dict[str, dict[str, Any]]:
    """The stored figures of each set that has some, in the order of the page."""
    from explorer.finetuning import library

    return {name: library.measured(name) for name in ways.in_order(library.heads())}


def _rows(figures: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    rows = []
    for name, stored in figures.items():
        tuned = stored["scores"]["tuned"]
        # A word without a tag is easily right: of slots and names F1 alone says something.
        tags = name in ("slots", "names")
        for measure in (m for m in tuned if m in MEASURES and not (tags and m == "accuracy")):
            values = [f"{stored['scores'][way][measure]:.1%}" for way in ROWS]
            rows.append([ways.SETS[name], f"{stored['test']:,}", MEASURES[measure], *values])
    return rows


CSS = """
.rb-tuned { border-collapse: collapse; margin: 8px 0 12px;
  font-size: 17px; line-height: 1.35; min-width: 700px; }
.rb-tuned td { font-variant-numeric: tabular-nums; }
.rb-tuned th, .rb-tuned td { padding: 6px 20px 6px 0 !important; border: 0 !important; text-align: right; }
.rb-tuned th { font-weight: 600; }
.rb-tuned tr { border-bottom: 1px solid var(--rb-hairline); }
.rb-tuned td:first-child, .rb-tuned th:first-child { text-align: left; }
"""


VIEW = View(
    label="Scores",
    audience="For those who compare models: scores on labelled sets.",
    first=Hints(
        "Each row is a test set. The square is the fine-tuned model, and the diamond is a bag of words.",
        "Find the rows where the diamond is near the square. There the words alone are almost enough.",
    ),
    draw=draw,
    below=below,
    reading=READING,
    example=example,
)
