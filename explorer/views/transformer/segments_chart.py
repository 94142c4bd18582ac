"""A text in segments as a picture: what each cut costs, token by token, and how far each layer reaches."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.views import kit
from explorer.views.transformer.plots import legend, side_by_side
from explorer.views.types import Tensor, go

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


def figure(bits_of_text: Bits, palette: kit.Palette) -> "go.Figure":
    """How many bits more than in the uncut text a token costs, by its place after a cut."""
    chart, plain = side_by_side(palette, HEIGHT, [1]), kit.for_class()
    write = times_less if plain else lambda bits: f"{bits:+.1f}".replace("-", "−")
    series = [("without a memory", bits_of_text.forgotten, palette.senses[4])]
    if bits_of_text.remembered is not None:
        series.append(("with the memory", bits_of_text.remembered, palette.probability[1]))
    for name, bits, colour in series:
        extra = bits_of_text.by_place(bits - bits_of_text.whole)
        chart.add_bar(
            x=list(extra),
            y=list(extra.values()),
            marker={"color": colour},
            text=[write(value) for value in extra.values()],
            textposition="outside",
            cliponaxis=False,
            hovertemplate=f"{name}, place %{{x}}: <b>%{{y:.2f}}</b> bits more<extra></extra>",
        )
    names = legend((colour, f"■ {name}") for name, _, colour in series)
    chart.update_layout(barmode="group", bargap=0.3)
    chart.update_xaxes(type="category")
    chart.update_yaxes(zeroline=True, zerolinecolor=palette.quiet)
    kit.below(chart, "place after a cut", palette)
    chart.update_yaxes(showticklabels=not plain)
    what = "how many times less probable a token is" if plain else "bits per token, more"
    kit.title(chart, f"{what} than in the uncut text: {names}", palette)
    return chart


def times_less(bits: float) -> str:
    """How many times less probable a token is that costs so many bits more.

    >>> times_less(1.0)
    '2.0×'
    """
    return f"{2**bits:.1f}×"


def reach_figure(reached: "Tensor", alone: "Tensor", segment: int, palette: kit.Palette) -> "go.Figure":
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
        kit.say(
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
    kit.below(chart, "token of the text", palette)
    chart.update_layout(margin_l=104)
    kinds = legend([(shades[2], "■ its segment"), (shades[1], "■ through the memory")])
    kit.title(chart, f"what the state of the last token, at the top, can depend on: {kinds}", palette)
    return chart
