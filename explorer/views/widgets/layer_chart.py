"""Charts by layer, with a line for each model: the chosen one is coloured, the others differ by marks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite
from typing import Any

from explorer.locale import _, format_with
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import REACH_PX, axes, blank, look, say, title
from explorer.views.widgets.curves import GLYPHS, LABEL_PX, spread, width_px
from explorer.views.widgets.numbers import per_cent

HEIGHT, TOP, BOTTOM = 348, 30, 34
BETWEEN = {2: 0.22, 3: 0.16}  # charts in a row, by their number, as a share of the width: room for names
BESIDE = 0.36  # the width of another chart than those by layer, as a share of what the charts have
DASHES = ("dot", "dash", "dashdot")


@dataclass(frozen=True)
class Line:
    """A model's figure at every layer, the embedding first; `mark` is the number of its shape."""

    name: str
    values: list[float]
    mark: int
    chosen: bool = False


@dataclass(frozen=True)
class Level:
    """A figure without layers, drawn as a horizontal dashed line."""

    name: str
    value: float


def figure(
    pictures: Mapping[str, tuple[Sequence[Line], Sequence[Level]]],
    palette: Palette,
    height: int = HEIGHT,
    span: tuple[float, float] | None = None,
    beside: bool = False,
    percent: bool = False,
) -> "go.Figure":
    """Charts side by side, by title: layers from left to right, a measure upwards.

    Each is on its own scale, unless all have the same `span`. `beside` leaves room for one more chart, in the
    last column. `percent` writes shares as a class reads them.
    """
    widths = [1 - BESIDE] * len(pictures) + [BESIDE] * beside
    fig = blank(
        rows=1, cols=len(widths), column_widths=widths, horizontal_spacing=BETWEEN.get(len(widths), 0)
    )
    look(fig, palette, height, hoverdistance=REACH_PX)
    axes(fig, palette, zeroline=True, zerolinecolor=palette.quiet, zerolinewidth=1, nticks=6)
    if percent:
        fig.update_yaxes(tickformat=".0%")
    widest, write = 0.0, per_cent if percent else two_decimals
    for column, (text, (lines, levels)) in enumerate(pictures.items(), 1):
        place = {"row": 1, "col": column}
        labels = _draw(fig, lines, levels, palette, write, **place)
        low, high = span or fitting(lines, levels)
        fig.update_yaxes(range=[low, high], showticklabels=span is None or column == 1, **place)
        fig.update_xaxes(**_layers(lines), **place)
        title(fig, escape(text), palette, column)
        _name(fig, labels, (low, high), height, palette, column)
        widest = max([widest, *(width_px(label.text) for label in labels)])
    corner = {"xref": f"{_axis('x', len(pictures))} domain", "x": 1, "y": 0, "yref": "paper"}
    say(fig, _("layer"), palette, xanchor="left", yanchor="top", xshift=12, yshift=-8, **corner)
    right = 14 if beside else round(widest) + 24
    fig.update_layout(margin={"l": 44, "r": right, "t": TOP, "b": BOTTOM})
    return fig


def describe(title: str, lines: Sequence[Line], levels: Sequence[Level]) -> str:
    """A chart in words, for screen readers."""
    parts = [_("{name}: {number}.", name=level.name, number=two_decimals(level.value)) for level in levels]
    for line in reversed(lines):
        values = ", ".join(two_decimals(value) for value in line.values)
        parts.insert(0, _("{name}, from the embedding up: {values}.", name=line.name, values=values))
    return " ".join([f"{title}.", *parts])


def best_layers(values: Sequence[float], chance: float) -> str:
    """The layers that share the best value to two decimals, or nothing if that is not above chance.

    The embedding does not count: it has not read the sentence.

    >>> best_layers([0.2, 0.9, 0.7, 0.9], 0.5), best_layers([0.9, 0.6], 0.5), best_layers([0.9, 0.5], 0.5)
    ('layers 1 and 3, which tie', 'layer 1', '')
    """
    highest = two_decimals(max(values[1:], default=chance))
    if highest == two_decimals(chance) or max(values[1:], default=chance) < chance:
        return ""
    layers = [str(i) for i, value in enumerate(values) if i and two_decimals(value) == highest]
    if len(layers) == 1:
        return _("layer {layer}", layer=layers[0])
    return _("layers {layers} and {last}, which tie", layers=", ".join(layers[:-1]), last=layers[-1])


def fitting(lines: Sequence[Line], levels: Sequence[Level]) -> tuple[float, float]:
    """The span of all values and 0, with a margin."""
    values = [value for line in lines for value in line.values if isfinite(value)]
    values += [level.value for level in levels]
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    margin = (high - low or 1.0) * 0.06
    return low - margin * (low < 0), high + margin


@dataclass(frozen=True)
class _Label:
    """The label at the end of a line; `layer` is where the line ends, None at the right edge."""

    value: float
    text: str
    colour: str
    bold: str = ""
    layer: int | None = None


def _draw(
    fig: "go.Figure",
    lines: Sequence[Line],
    levels: Sequence[Level],
    palette: Palette,
    write: Callable[[float], str],
    **place: int,
) -> list[_Label]:
    """Draw the lines and levels; the labels for their ends."""
    last = max((len(line.values) for line in lines), default=1) - 1
    labels = []
    for number, level in enumerate(levels):
        fig.add_scatter(
            x=[-0.25, max(last, 1) + 0.25],
            y=[level.value] * 2,
            mode="lines",
            line={"color": palette.quiet, "width": 1.5, "dash": DASHES[number % len(DASHES)]},
            hovertemplate=f"{escape(level.name)}<br><b>{level.value:.4f}</b><extra></extra>",
            **place,
        )
        labels.append(_Label(level.value, f"{write(level.value)} {level.name}", palette.quiet))
    for line in sorted(lines, key=lambda line: line.chosen):  # the chosen one on top
        colour = palette.accent if line.chosen else palette.quiet
        name = f"{escape(line.name)}, {_('layer {layer}', layer='%{x}')}"
        fig.add_scatter(
            x=list(range(len(line.values))),
            y=[value if isfinite(value) else None for value in line.values],
            name=line.name,
            mode="lines+markers",
            line={"color": colour, "width": 4 if line.chosen else 2},
            marker={"symbol": SENSE_SHAPES[line.mark % len(SENSE_SHAPES)], "size": 12, "color": colour},
            hovertemplate=f"{name}<br><b>%{{y:.4f}}</b><extra></extra>",
            **place,
        )
        finite = [layer for layer, value in enumerate(line.values) if isfinite(value)]
        if finite:
            end = line.values[finite[-1]]
            text = f" {GLYPHS[line.mark % len(GLYPHS)]} {line.name}"
            at = finite[-1] if finite[-1] < last else None
            labels.append(_Label(end, text, colour, write(end), at))
    return labels


def _name(
    fig: "go.Figure",
    labels: Sequence[_Label],
    span: tuple[float, float],
    height: int,
    palette: Palette,
    column: int,
) -> None:
    """Write the labels at the right edge without overlap, or where a line ends before the last layer."""
    across, up = _axis("x", column), _axis("y", column)
    gap = LABEL_PX / (height - TOP - BOTTOM) * (span[1] - span[0])
    places = iter(spread([label.value for label in labels if label.layer is None], gap, *span))
    for label in labels:
        where: dict[str, Any] = {"x": 1, "xref": f"{across} domain", "xshift": 12}
        if label.layer is not None:
            where = {"x": label.layer, "xref": across, "xshift": 10}
            where |= {"bgcolor": palette.ground, "opacity": 0.9}
        say(
            fig,
            (f"<b>{label.bold}</b>" if label.bold else "") + escape(label.text),
            palette,
            y=next(places) if label.layer is None else label.value,
            yref=up,
            xanchor="left",
            yanchor="middle",
            font={"color": label.colour},
            **where,
        )


def _axis(letter: str, column: int) -> str:
    """Plotly's name of an axis of a chart in a row."""
    return letter if column == 1 else f"{letter}{column}"


def two_decimals(value: float) -> str:
    """A figure to two decimals, with a true minus sign."""
    return format_with(value, ".2f")


def _layers(lines: Sequence[Line]) -> dict[str, Any]:
    last = max((len(line.values) for line in lines), default=1) - 1
    step = max(1, round(last / 12))
    return {"range": [-0.25, max(last, 1) + 0.25], "tickvals": list(range(0, last + 1, step))}
