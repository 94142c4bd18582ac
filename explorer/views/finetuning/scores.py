"""Scores: the bundled bert on labelled test sets, beside baselines."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import ways
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.glossary import marked
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.theme import Palette
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets.html_table import html_table

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROW_PX, SPARE_PX = 58, 98
MARGIN = {"l": 250, "r": 24, "t": 36, "b": 58}
SIZE = {"line-ns-open": 18}
ROWS = ("majority", "bag of words", "frozen", "tuned")
# Goals by set and measure, set before anything was trained.
GOALS = {("sst2", "accuracy"): 0.87, ("slots", "f1"): 0.9, ("answers", "exact"): 0.4, ("answers", "f1"): 0.52}
MEASURES = {"accuracy": "accuracy", "f1": "F1", "exact": "exact match"}
BENCHMARKS = """\
<b>GLUE</b> (Wang et al. 2018) is nine tasks on one sentence or two, SST-2 and RTE among them, each with test
labels that are kept secret. Its score is the mean over the tasks: BERT’s paper reports 79.6 for its base
model, of 110 million parameters, and 82.1 for the large one.<br>
<b>SQuAD</b> (Rajpurkar et al. 2016) is over 100,000 questions on passages of Wikipedia, measured by exact
match and F1; its second version adds questions without an answer. Asked here are questions of XQuAD.
"""


def draw(page: OpenPage[None]) -> Saves:
    """The sets as rows of marks."""
    figures = measured()
    chart(figure(figures, palette()), "finetuning/scores")
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
    ways.name_rows(plot, [ways.SETS[name] for name in names], "of the main measure", colours)
    return plot


def below(page: OpenPage[None]) -> None:
    """The figures with their goals, and what the two benchmarks are."""
    heads = ("test set", "examples", "measure", *(ways.NAMES[way] for way in ROWS), "goal")
    cells = html_table("rb-tuned", heads, _rows(measured()))
    st.html(f'<style>{CSS}</style>{cells}<p class="rb-how">{marked(BENCHMARKS)}</p>')


def reading(page: OpenPage[None]) -> Reading:
    """How to read the rows."""
    return Reading(
        "Further right is better. The upright stroke is what always saying the most frequent class reaches. "
        "Frozen layers with a head are the circle; the square is the same model with small changes to its "
        "layers.",
        "The model is small, and some splits are ours: do not compare with published figures. Pointing at a "
        "mark tells how many test examples there are.",
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
            goal = GOALS.get((name, measure))
            outcome = "reached" if goal is not None and tuned[measure] >= goal else "missed"
            values = [f"{stored['scores'][way][measure]:.1%}" for way in ROWS]
            goal_cell = "" if goal is None else f"{goal:.0%}, {outcome}"
            rows.append([ways.SETS[name], f"{stored['test']:,}", MEASURES[measure], *values, goal_cell])
    return rows


CSS = """
.rb-tuned { border-collapse: collapse; margin: 8px 0 12px; font-size: 17px; line-height: 1.35; }
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
        "Each row is a test set; the square is the model after fine-tuning, the diamond a bag of words.",
        "Look where the diamond is near the square: there the words alone say almost everything.",
    ),
    draw=draw,
    below=below,
    reading=reading,
    example=example,
)
