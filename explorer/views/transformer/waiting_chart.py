"""The steps of a network as a grid of states, and the time of two networks as curves."""

from typing import Any

from explorer.views import kit
from explorer.views.look.theme import MONO, mix, text_on
from explorer.views.transformer.plots import side_by_side
from explorer.views.types import Tensor, go
from explorer.views.widgets.chart_look import words


def grid(steps: "Tensor", name: str, now: int, palette: kit.Palette) -> "go.Figure":
    """A square for each state, with the step in which it can be computed; finished ones are filled."""
    layers, length = steps.shape
    chart = side_by_side(palette, 92 + 30 * layers, [1])
    shades = [palette.panel, mix(palette.layers, 0.55), palette.probability[1]]
    state = [[0 if step > now else 1 if step < now else 2 for step in row] for row in steps.tolist()]
    chart.add_heatmap(
        z=state,
        x=list(range(1, length + 1)),
        y=list(range(1, layers + 1)),
        zmin=0,
        zmax=2,
        colorscale=[[i / 2, shade] for i, shade in enumerate(shades)],
        showscale=False,
        xgap=4,
        ygap=4,
        hovertemplate="word %{x}, layer %{y}: step %{text}<extra></extra>",
        text=steps.tolist(),
    )
    inks = [palette.quiet, text_on(shades[1]), text_on(shades[2])]
    numbers = [
        words(str(step), palette, x=word, y=layer, font={"color": inks[kind], "family": MONO})
        for layer, (row, kinds) in enumerate(zip(steps.tolist(), state), 1)
        for word, (step, kind) in enumerate(zip(row, kinds), 1)
    ]
    chart.update_layout(annotations=numbers)
    ticks = range(1, length + 1) if length <= 12 else range(2, length + 1, 2)
    chart.update_xaxes(tickvals=list(ticks), linewidth=0, ticklen=2)
    kit.below(chart, "word", palette)
    chart.update_yaxes(
        tickvals=list(range(1, layers + 1)),
        ticktext=[f"layer {layer}" for layer in range(1, layers + 1)],
        showgrid=False,
    )
    chart.update_layout(margin={"l": 70, "r": 8, "t": 34, "b": 52})
    ready = int((steps <= now).sum())
    kit.title(
        chart,
        f"<b>{name}</b>: {int(steps.max())} steps; after step {now}: {ready} of {steps.numel()} done",
        palette,
    )
    return chart


def times(stored: dict[str, Any], palette: kit.Palette) -> "go.Figure":
    """Milliseconds by the number of words, with each network's name at the end of its curve."""
    chart = side_by_side(palette, 360, [1])
    lengths = stored["words"]
    for number, (name, milliseconds) in enumerate(stored["milliseconds"].items()):
        chart.add_scatter(
            x=lengths,
            y=milliseconds,
            mode="lines",
            line={"color": palette.senses[number], "width": 4},
            hovertemplate=f"{name}, %{{x}} words: <b>%{{y:.0f}}</b> ms<extra></extra>",
        )
        font = {"size": 20, "color": palette.senses[number]}
        end = words(f"<b>{name}</b>", palette, x=lengths[-1], y=milliseconds[-1], font=font)
        chart.add_annotation(end | {"xanchor": "right", "yanchor": "bottom"})
    chart.update_xaxes(tickvals=lengths[-3:], range=[0, 1.02 * lengths[-1]])
    kit.below(chart, "words", palette)
    chart.update_yaxes(rangemode="tozero", nticks=4)
    chart.update_layout(margin={"l": 48, "r": 8, "t": 34, "b": 52})
    if kit.for_class():
        chart.update_yaxes(showticklabels=False)
    kit.title(
        chart, "<b>Time</b> for a text" if kit.for_class() else "<b>Milliseconds</b> for a text", palette
    )
    return chart
