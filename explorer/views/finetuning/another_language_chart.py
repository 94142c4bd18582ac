"""Another language, by layer: a line for each figure, a band for its interval, dashes for baselines."""

from collections.abc import Sequence
from typing import Any

from explorer.views.look.theme import Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import axes, band, below, blank, look, title
from explorer.views.widgets.curves import name_ends

HEIGHT = 372
MARGIN = {"l": 56, "r": 118, "t": 34, "b": 60}
DASHES = ("dash", "dot", "dashdot")


Figures = dict[str, Any]  # of a line or a level


def figure(lines: Sequence[Figures], levels: Sequence[Figures], axis: str, palette: Palette) -> "go.Figure":
    """The chart of what `transfer.by_layer` has; its first line is the main one. `axis` says of what."""
    chart = blank()
    look(chart, palette, HEIGHT, margin=MARGIN)
    axes(chart, palette)
    last = len(lines[0]["values"]) - 1
    colours = [(palette.accent, "square"), (palette.senses[3], "diamond")]
    for dash, level in zip(DASHES, levels):
        chart.add_scatter(
            x=[-0.25, last + 0.25],
            y=[level["value"]] * 2,
            mode="lines",
            line={"color": palette.quiet, "width": 1.5, "dash": dash},
            hovertemplate=f"{level['name']}<br><b>{level['value']:.1%}</b><extra></extra>",
        )
    for line, (colour, symbol) in reversed(list(zip(lines, colours))):  # the first one on top
        if line["ends"]:
            band(chart, range(last + 1), line["ends"], colour)
        chart.add_scatter(
            x=list(range(last + 1)),
            y=line["values"],
            customdata=[f"<br>95% interval {low:.0%} to {high:.0%}" for low, high in line["ends"]]
            or [""] * (last + 1),
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"symbol": symbol, "size": 11, "color": colour},
            hovertemplate=f"{line['name']}, layer %{{x}}<br><b>%{{y:.1%}}</b>%{{customdata}}<extra></extra>",
        )
    names = [(line["name"], line["values"][-1], colour) for line, (colour, _) in zip(lines, colours)]
    names += [(level["name"], level["value"], palette.quiet) for level in levels]
    name_ends(chart, names, HEIGHT - MARGIN["t"] - MARGIN["b"], palette, x=1, xref="paper", xshift=12)
    chart.update_yaxes(range=[0, 1.02], tickformat=".0%")
    step = max(1, round(last / 12))
    chart.update_xaxes(range=[-0.25, last + 0.25], tickvals=list(range(0, last + 1, step)))
    title(chart, axis, palette)
    below(chart, "layer (0: the embedding)", palette)
    return chart


def in_words(axis: str, lines: Sequence[Figures], levels: Sequence[Figures]) -> str:
    """The chart in words."""
    parts = [
        f"{line['name']}, from the embedding up: {', '.join(f'{value:.0%}' for value in line['values'])}."
        for line in lines
    ]
    return " ".join([f"{axis}.", *parts, *(f"{level['name']}: {level['value']:.0%}." for level in levels)])
