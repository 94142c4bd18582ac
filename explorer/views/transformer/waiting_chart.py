"""Who waits for whom, as two grids of states, and the measured times of both networks."""

from typing import TYPE_CHECKING

from explorer.views.frame.theme import MONO, SENSE_SHAPES, Palette, mix, text_on
from explorer.views.transformer.plain_chart import side_by_side
from explorer.views.widgets.chart_look import below, title, words
from explorer.views.widgets.curves import GLYPHS

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from torch import Tensor

    from explorer.analysis.reach.speed import Times

HEIGHT = 330
MILLISECONDS = 1000


def grid(steps: "Tensor", name: str, now: int, palette: Palette) -> "go.Figure":
    """A square for each state, with the step in which it can be computed; those done are filled."""
    layers, length = steps.shape
    made = side_by_side(palette, 92 + 30 * layers, [1])
    shades = [palette.panel, mix(palette.layers, 0.55), palette.probability[1]]
    state = [[0 if step > now else 1 if step < now else 2 for step in row] for row in steps.tolist()]
    made.add_heatmap(
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
    made.update_layout(annotations=numbers)
    ticks = range(1, length + 1) if length <= 12 else range(2, length + 1, 2)
    made.update_xaxes(tickvals=list(ticks), linewidth=0, ticklen=2)
    below(made, "word", palette)
    made.update_yaxes(
        tickvals=list(range(1, layers + 1)),
        ticktext=[f"layer {layer}" for layer in range(1, layers + 1)],
        showgrid=False,
    )
    made.update_layout(margin={"l": 70, "r": 8, "t": 34, "b": 52})
    done = int((steps <= now).sum())
    title(
        made,
        f"<b>{name}</b>: {int(steps.max())} steps; after step {now}: {done} of {steps.numel()} states",
        palette,
    )
    return made


def times_figure(found: "Times", palette: Palette) -> "go.Figure":
    """Milliseconds for a text of so many words, both on log axes."""
    made = side_by_side(palette, HEIGHT, [1])
    curves = (("ELMo’s", found.elmo), ("BERT’s", found.bert))
    for number, (name, seconds) in enumerate(curves):
        made.add_scatter(
            x=list(found.lengths),
            y=[MILLISECONDS * one for one in seconds],
            mode="lines+markers",
            line={"color": palette.senses[number], "width": 2.5},
            marker={"symbol": SENSE_SHAPES[number], "size": 11, "color": palette.senses[number]},
            hovertemplate=f"{name} network, %{{x}} words: <b>%{{y:.3g}}</b> ms<extra></extra>",
        )
    made.update_xaxes(type="log", tickvals=list(found.lengths))
    below(made, "words", palette)
    lowest = MILLISECONDS * min(*found.elmo, *found.bert)
    highest = MILLISECONDS * max(*found.elmo, *found.bert)
    ticks = [
        t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if lowest / 2 < t < highest * 2
    ]
    made.update_yaxes(type="log", tickvals=ticks, ticktext=[f"{t:,}" for t in ticks])
    names = "  ".join(
        f'<span style="color:{palette.senses[i]}">{GLYPHS[i]} {name} network</span>'
        for i, (name, _) in enumerate(curves)
    )
    title(made, f"ms a text  {names}", palette)
    made.update_layout(margin_t=34)
    return made
