"""The curve of faithfulness: the prediction without the words that each method names first."""

from collections.abc import Mapping

from explorer.views import kit
from explorer.views.types import Curves, go

HEIGHT = 360
MARGIN = {"l": 56, "r": 12, "t": 40, "b": 96}


def figure(curves: "Curves", names: Mapping[str, str], palette: kit.Palette) -> "go.Figure":
    """A line for each method, and the mean of random orders with a band of one standard deviation."""
    chart = kit.blank(rows=1, cols=1)
    kit.look(chart, palette, HEIGHT, margin=MARGIN)
    kit.axes(chart, palette)
    xs = list(curves.counts)
    mean, deviation = curves.random.mean(0), curves.random.std(0, correction=0)
    ends = [*(mean + deviation).tolist(), *(mean - deviation).flip(0).tolist()]
    chart.add_scatter(
        x=[*xs, *reversed(xs)],
        y=ends,
        mode="lines",
        fill="toself",
        fillcolor=palette.hairline,
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )
    lines = [("random words", mean, palette.quiet, "line-ns")]
    lines += [
        (names[method], values, palette.senses[i], kit.SENSE_SHAPES[i])
        for i, (method, values) in enumerate(curves.methods.items())
    ]
    for name, values, colour, shape in lines:
        chart.add_scatter(
            x=xs,
            y=values.tolist(),
            mode="lines+markers",
            name=name,
            line={"color": colour, "width": 2.5, "dash": "dot" if colour == palette.quiet else "solid"},
            marker={"symbol": shape, "size": 11, "color": colour},
            hovertemplate=f"{name}, %{{x}} taken away<br><b>%{{y:.3f}}</b> nats<extra></extra>",
        )
    chart.update_xaxes(tickvals=xs)
    chart.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.14, "yanchor": "top", "x": 0})
    if kit.for_class():
        chart.update_yaxes(showticklabels=False)
    unit = "the prediction" if kit.for_class() else "prediction in nats"
    kit.title(chart, f"{unit}, by words taken away", palette)
    return chart
