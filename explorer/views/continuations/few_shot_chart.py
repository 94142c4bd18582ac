"""The chart of “Examples in the prompt”: a curve and its band for each model."""

from collections.abc import Mapping
from html import escape

from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import FewShot, go
from explorer.views.widgets.chart_look import REACH_PX, axes, below, blank, look, title
from explorer.views.widgets.curves import GLYPHS

HEIGHT = 400
MARGIN = {"l": 48, "r": 12, "t": 58, "b": 52}


def figure(results: "Mapping[str, FewShot]", shots: int, palette: Palette) -> "go.Figure":
    """The mean probability of the right answer by number of examples, with the middle half of the pairs.

    The first model's likeliest wrong token is a dotted line; an upright line marks the number of `shots`.
    """
    chart = blank(rows=1, cols=1)
    look(chart, palette, HEIGHT, margin=MARGIN, hoverdistance=REACH_PX)
    axes(chart, palette, range=[0, 1.02], tickformat=".0%")
    names = []
    for number, (name, result) in enumerate(results.items()):
        colour, probability = palette.senses[number], result.log_probability.exp()
        xs, (low, high) = (
            list(range(result.shots + 1)),
            (probability.quantile(q, 0).tolist() for q in (0.25, 0.75)),
        )
        chart.add_scatter(
            x=xs + xs[::-1],
            y=high + low[::-1],
            mode="lines",
            fill="toself",
            fillcolor=f"rgba{(*bytes.fromhex(colour[1:]), 0.16)}",
            line={"width": 0},
            hoverinfo="skip",
        )
        chart.add_scatter(
            x=xs,
            y=probability.mean(0).tolist(),
            customdata=[[*ends] for ends in zip(low, high, strict=True)],
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"symbol": SENSE_SHAPES[number], "size": 10, "color": colour},
            hovertemplate=f"{escape(name)}, %{{x}} examples<br><b>%{{y:.3f}}</b>, middle half "
            "%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
        )
        names.append(f'<span style="color:{colour}">{GLYPHS[number]} {escape(name)}</span>')
    first = next(iter(results.values()))
    chart.add_scatter(
        x=list(range(first.shots + 1)),
        y=first.wrong.mean(0).tolist(),
        mode="lines",
        line={"color": palette.quiet, "width": 2, "dash": "dot"},
        hovertemplate="likeliest wrong first token, %{x} examples<br><b>%{y:.3f}</b><extra></extra>",
    )
    chart.add_vline(x=shots, line={"color": palette.accent, "width": 1})
    title(
        chart, f"{'  '.join(names)}  ┈ likeliest wrong<br>probability of the right answer", palette, yshift=8
    )
    below(chart, "examples in the prompt", palette)
    chart.update_xaxes(tickvals=list(range(first.shots + 1)), range=[-0.3, first.shots + 0.3])
    return chart
