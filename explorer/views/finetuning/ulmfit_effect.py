"""The measured effect of ULMFiT's tricks: a row for each choice, a mark for each draw."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from explorer.views.finetuning import ways
from explorer.views.finetuning.learning_curves_chart import spread
from explorer.views.frame.chart import chart
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, table

HEIGHT = 270
MARGIN = {"l": 220, "r": 70, "t": 10, "b": 58}


def stored() -> dict[str, Any]:
    """The figures with the command that made them."""
    from explorer.finetuning import library

    return library.compared("ulmfit")


def draw() -> None:
    """Rows of marks with their mean."""
    figures = stored()
    scores = figures["scores"]
    means = {way: spread(values).mean for way, values in scores.items()}
    st.html(
        f'<p class="rb-how">Measured: our gpt on {figures["train"]:,} film reviews (SST-2), '
        f"{figures['test']:,} others to test it; {len(next(iter(scores.values())))} draws each, all with as "
        f"many rounds. {effect_in_words(scores)}</p>"
    )
    colours = palette()
    plot = ways.empty_figure(colours, HEIGHT, MARGIN)
    names = list(scores)
    values = [value for by_draw in scores.values() for value in by_draw]
    plot.add_scatter(
        x=values,
        y=[names.index(way) for way, by_draw in scores.items() for _ in by_draw],
        mode="markers",
        marker={"symbol": "circle-open", "size": 12, "color": colours.quiet, "line": {"width": 2}},
        hovertemplate="one draw: %{x:.1%}<extra></extra>",
    )
    plot.add_scatter(
        x=list(means.values()),
        y=list(range(len(names))),
        mode="markers+text",
        text=[f"{value:.0%}" for value in means.values()],
        textposition="top center",
        marker={"symbol": "square", "size": 15, "color": colours.accent},
        hovertemplate="mean: <b>%{x:.1%}</b><extra></extra>",
    )
    plot.update_xaxes(range=[min([0.45, *values]) - 0.02, max(values) + 0.05])
    ways.name_rows(plot, names, "right on the test set", colours)
    chart(plot, "finetuning/ulmfit-effect")


def saves() -> list[Export]:
    """The accuracy of every draw."""
    rows = [
        (way, seed, value) for way, values in stored()["scores"].items() for seed, value in enumerate(values)
    ]
    heads = ["way", "draw", "accuracy"]
    return [Export("What was measured", "ulmfit-effect.csv", lambda: table(heads, rows))]


def effect_in_words(scores: Mapping[str, Sequence[float]]) -> str:
    """Whether the tricks helped; a gain within the spread of the draws does not count."""
    every, plain = (spread(scores[way]) for way in ("all four", "plain fine-tuning"))
    gain = every.mean - plain.mean
    if abs(gain) <= max(every.best - every.worst, plain.best - plain.worst):
        return "All four and plain fine-tuning differ by less than the draws of each do: no gain is seen."
    more = "more" if gain > 0 else "fewer"
    return f"With all four, {abs(gain):.0%} {more} of the answers are right than with plain fine-tuning."
