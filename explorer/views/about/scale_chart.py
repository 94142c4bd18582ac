"""The chart of published models and ours: accuracy against the number of parameters."""

from collections.abc import Mapping
from html import escape
from math import log10

from explorer.views.about.record import count
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import REACH_PX, axes, below, blank, look, say, title
from explorer.views.widgets.curves import name_ends

HEIGHT = 376
LANE = -0.2  # the place of what has no score, below 0%
UP, ACROSS = "last words of LAMBADA guessed right, zero-shot", "parameters"
OURS = ", ours"  # ends the name of a bundled model


def figure(scores: Mapping[str, Mapping[int, float | None]], palette: Palette) -> "go.Figure":
    """A line for each paper against the parameters, on a logarithmic axis.

    Models without a score are in a lane below 0%, and so are our own.
    """
    chart = blank()
    look(chart, palette, HEIGHT, margin={"l": 84, "r": 150, "t": 34, "b": 52}, hoverdistance=REACH_PX)
    axes(chart, palette)
    papers = [name for name in scores if not name.endswith(OURS)]
    largest = max(parameters for name in papers for parameters in scores[name])
    for number, name in enumerate(papers):
        colour, by_size = palette.senses[number], dict(sorted(scores[name].items()))
        heights = [LANE if score is None else score for score in by_size.values()]
        words = ["no score" if score is None else f"{score:.1%}" for score in by_size.values()]
        chart.add_scatter(
            x=list(by_size),
            y=heights,
            customdata=list(zip(map(count, by_size), words)),
            name=escape(name),
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"symbol": SENSE_SHAPES[number], "size": 12, "color": colour},
            hovertemplate=f"{escape(name)}, %{{customdata[0]}}<br><b>%{{customdata[1]}}</b><extra></extra>",
        )
        goes_on = max(by_size) < largest and heights[-1] != LANE  # another line goes on beside its end
        where = {"yanchor": "bottom", "yshift": 8} if goes_on else {"yanchor": "middle", "xshift": 14}
        end = [(f"<b>{escape(name)}</b>", heights[-1], colour)]
        # On a logarithmic axis an annotation is placed by the logarithm.
        name_ends(chart, end, HEIGHT - 86, palette, LANE, x=log10(max(by_size)), **where)
    ours = {name.removesuffix(OURS): min(scores[name]) for name in scores if name.endswith(OURS)}
    _mark_ours(chart, ours, palette)
    levels = [0, 0.2, 0.4, 0.6, 0.8, 1]
    words = ["no score", *(f"{level:.0%}" for level in levels)]
    chart.update_yaxes(range=[-0.27, 1.02], tickvals=[LANE, *levels], ticktext=words)
    ticks = [10**power for power in range(6, 12)]
    chart.update_xaxes(type="log", tickvals=ticks, ticktext=[count(tick) for tick in ticks])
    title(chart, UP, palette)
    below(chart, ACROSS, palette)
    return chart


def _mark_ours(chart: "go.Figure", sizes: Mapping[str, int], palette: Palette) -> None:
    """Draw our models as stars in the lane, with their names above the smallest."""
    chart.add_scatter(
        x=list(sizes.values()),
        y=[LANE] * len(sizes),
        customdata=[[name, count(size)] for name, size in sizes.items()],
        name="ours",
        mode="markers",
        marker={"symbol": "star", "size": 14, "color": palette.ink},
        hovertemplate="%{customdata[0]}, %{customdata[1]}: not tested<extra></extra>",
    )
    names, middle = [escape(name) for name in sizes], (len(sizes) + 1) // 2
    text = ",<br>".join(", ".join(part) for part in (names[:middle], names[middle:]) if part)
    where = {"xanchor": "left", "yanchor": "bottom", "yshift": 8, "font": {"color": palette.ink}}
    say(chart, f"<b>ours</b>: {text}", palette, x=log10(min(sizes.values())), y=LANE, **where)
