"""A text in segments as a picture: what each cut costs, token by token, and how far each layer reaches."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from explorer.views.frame.theme import Palette
from explorer.views.transformer.plots import legend, side_by_side
from explorer.views.widgets.chart_look import below, say, title

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from torch import Tensor

HEIGHT = 350
GROUPS = {  # places after a cut, counted from 1, and the number of tokens between
    "1": (0, 0),
    "2": (1, 1),
    "3–4": (2, 3),
    "5–8": (4, 7),
    "9–16": (8, 15),
    "17–32": (16, 31),
    "33–64": (32, 63),
}


@dataclass(frozen=True, eq=False)
class Bits:
    """The surprisal of every token of one text, in bits: as a whole, without a memory, and with one.

    `offsets` says how many tokens of its segment come before each. `memory` is None without one.
    """

    tokens: Sequence[str]
    cuts: Sequence[int]
    offsets: "Tensor"
    whole: "Tensor"
    forgotten: "Tensor"
    remembered: "Tensor | None"

    def by_place(self, bits: "Tensor") -> dict[str, float]:
        """The mean bits of the tokens in each of `GROUPS`; tokens before the first cut are left out."""
        first = self.cuts[0] if self.cuts else len(bits)
        offsets, bits = self.offsets[first:], bits[first:]
        return {
            name: float(bits[(offsets >= low) & (offsets <= high)].mean())
            for name, (low, high) in GROUPS.items()
            if (offsets >= low).any()
        }


def figure(bits_of_text: Bits, palette: Palette) -> "go.Figure":
    """On the left what the cuts cost each token; on the right the surprisal by the place after a cut."""
    chart = side_by_side(palette, HEIGHT, [0.68, 0.32])
    weak, strong = palette.quiet, palette.probability[1]
    series = [("no memory", bits_of_text.forgotten, weak, "circle", "●")]
    if bits_of_text.remembered is not None:
        series.append(("with the memory", bits_of_text.remembered, strong, "square", "■"))
    places = list(range(1, len(bits_of_text.tokens) + 1))
    for name, bits, colour, _, _ in series:
        chart.add_bar(
            x=places,
            y=(bits - bits_of_text.whole).tolist(),
            customdata=[
                [escape(t), b, w]
                for t, b, w in zip(bits_of_text.tokens, bits.tolist(), bits_of_text.whole.tolist())
            ],
            marker={"color": colour, "line": {"width": 0}, "opacity": 0.55 if colour == weak else 1},
            hovertemplate="<b>%{customdata[0]}</b>, token %{x}<br>"
            + f"{name}: %{{customdata[1]:.2f}} bits<br>uncut: %{{customdata[2]:.2f}} bits<extra></extra>",
            row=1,
            col=1,
        )
    for cut in bits_of_text.cuts:
        chart.add_vline(x=cut + 0.5, line={"color": palette.accent, "width": 1, "dash": "dot"}, row=1, col=1)
    chart.update_layout(barmode="overlay", bargap=0.1)
    _by_place(
        chart, bits_of_text, [*series, ("uncut", bits_of_text.whole, palette.ink, "diamond", "◆")], palette
    )
    below(chart, "token of the text", palette)
    chart.update_yaxes(zeroline=True, zerolinecolor=palette.quiet, row=1, col=1)
    title(chart, "bits more than in the uncut text (dotted: the cuts)", palette)
    return chart


def _by_place(
    chart: "go.Figure",
    bits_of_text: Bits,
    series: Sequence[tuple[str, "Tensor", str, str, str]],
    palette: Palette,
) -> None:
    for name, bits, colour, symbol, _ in series:
        means = bits_of_text.by_place(bits)
        chart.add_scatter(
            x=list(means),
            y=list(means.values()),
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"symbol": symbol, "size": 10, "color": colour},
            hovertemplate=f"{name}, place %{{x}}: <b>%{{y:.2f}}</b> bits<extra></extra>",
            row=1,
            col=2,
        )
    names = legend((colour, f"{glyph} {name}") for name, _, colour, _, glyph in series)
    chart.update_xaxes(type="category", row=1, col=2)
    below(chart, "place after a cut", palette, column=2)
    title(chart, f"bits per token<br>{names}", palette, column=2)


def reach_figure(reached: "Tensor", alone: "Tensor", segment: int, palette: Palette) -> "go.Figure":
    """Which states the last token's can depend on, by layer: those of its segment, and through the memory."""
    chart = side_by_side(palette, HEIGHT, [1])
    layers, tokens = len(reached) - 1, reached.shape[1]
    shades = [palette.hairline, palette.attention[1], palette.query]
    scale = [
        [0, shades[0]],
        [1 / 3, shades[0]],
        [1 / 3, shades[1]],
        [2 / 3, shades[1]],
        [2 / 3, shades[2]],
        [1, shades[2]],
    ]
    chart.add_heatmap(
        z=(reached.int() + alone.int()).tolist(),
        x=list(range(1, tokens + 1)),
        y=list(range(layers + 1)),
        zmin=0,
        zmax=2,
        colorscale=scale,
        showscale=False,
        ygap=4,
        hovertemplate="token %{x}, layer %{y}<extra></extra>",
    )
    for cut in range(segment, tokens, segment):
        chart.add_vline(x=cut + 0.5, line={"color": palette.ground, "width": 2})
    for layer in range(layers):
        oldest = int(reached[layer].nonzero()[0]) + 1
        say(
            chart,
            f"{tokens - oldest} back ",
            palette,
            x=oldest - 0.5,
            y=layer,
            xanchor="right",
            font={"color": palette.ink},
            bgcolor=palette.ground,
            opacity=0.85,
        )
    names = ["embedding", *(f"layer {layer}" for layer in range(1, layers + 1))]
    chart.update_yaxes(tickvals=list(range(layers + 1)), ticktext=names, showgrid=False)
    below(chart, "token of the text", palette)
    chart.update_layout(margin_l=104)
    kinds = legend([(shades[2], "■ its segment"), (shades[1], "■ through the memory")])
    title(chart, f"what the state of the last token, at the top, can depend on: {kinds}", palette)
    return chart
