"""The curves of a training, its loss and what was measured, against the tokens read: a picture per unit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, log10

from explorer import assets
from explorer.locale import N_, _, localised, translate
from explorer.views.about.record import Record, count
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import REACH_PX, axes, blank, look, say
from explorer.views.widgets.curves import GLYPHS, LABEL_PX, spread, width_px

SHARE, NATS, LOSS = "share", "nats", "loss"
_STORED = assets.table(assets.MEASURES)
NAMES = {name: (label, _STORED["units"][name]) for name, label in _STORED["figures"].items()}
TITLES: dict[str, str] = _STORED["titles"]
AXES: dict[str, str] = _STORED["axes"]
# No curves: the amount of text on which the others were measured, and a share of two late points.
NO_CURVE = frozenset({"measured", "repeats"})
HEIGHT, TOP, BOTTOM = 376, 34, 34
NEARBY = 1.2  # the reach of the mean that smooths a line
MOST_MARKS = 13  # along the axis, so that their words stay apart


@dataclass(frozen=True)
class Line:
    """A curve: its English name, its (tokens, value), whether each has a mark, and the level of chance."""

    name: str
    values: list[tuple[int, float]]
    measured: bool = True
    chance: float | None = None


def pictures(record: Record, card: str = "") -> dict[str, list[Line]]:
    """The curves of a record by picture: the loss with figures in nats, then a picture for each other unit.

    The level of chance is drawn only where the card gives it: `next sentence (chance 50 %)`.
    """
    lines_by_picture: dict[str, list[Line]] = {}
    if record.loss:
        lines_by_picture[LOSS] = [Line(N_("training loss"), record.loss, measured=False)]
    for name in dict.fromkeys(name for snapshot in record.snapshots for name in snapshot.figures):
        values = [(s.tokens, s.figures[name]) for s in record.snapshots if name in s.figures]
        if name not in NO_CURVE:
            label, unit = NAMES.get(name, (name, _unit(name, values)))
            line = Line(label, values, chance=chance(card, label) if unit == SHARE else None)
            lines_by_picture.setdefault(LOSS if unit == NATS else unit, []).append(line)
    return lines_by_picture


def chance(card: str, label: str) -> float | None:
    """The level of chance that a card gives for a figure, if any."""
    match = re.search(rf"{re.escape(label)}[^|\n(]*\(chance ([\d.]+) ?(%?)\)", card)
    return float(match[1]) / (100 if match[2] else 1) if match else None


def title(picture: str) -> str:
    """The title of a picture."""
    return translate(TITLES.get(picture, picture))


def figure(
    picture: str, lines: Sequence[Line], snapshots: Sequence[int], palette: Palette, plain: bool = False
) -> "go.Figure":
    """The chart of a picture: a logarithmic axis of tokens with a mark at each snapshot, 0 left of them.

    A `plain` one does not say what a loss is measured in.
    """
    positive = [t for line in lines for t, __ in line.values if t > 0] + [t for t in snapshots if t > 0]
    zero = min(positive, default=2) / 2
    chart = blank()
    labels: list[tuple[float, str, str]] = []  # value, text, colour
    levels: dict[float, str] = {}  # level of chance -> the marks of its lines
    measured = [line for line in lines if line.measured]
    for line in lines:
        mark = measured.index(line) % len(SENSE_SHAPES) if line.measured else None
        colour = palette.ink if mark is None else palette.senses[mark]
        glyph = "" if mark is None else f"{GLYPHS[mark]} "
        shape = SENSE_SHAPES[mark or 0]
        name = escape(translate(line.name))
        values = line.values
        if not line.measured:
            chart.add_scatter(
                x=[t or zero for t, __ in values],
                y=[value for __, value in values],
                mode="lines",
                hoverinfo="skip",
                line={"color": palette.hairline, "width": 1.5},
            )
            values = smooth(values)
        end = values[-1][1]
        chart.add_scatter(
            x=[t or zero for t, __ in values],
            y=[value for __, value in values],
            customdata=[count(t) for t, __ in values],
            name=translate(line.name),
            mode="lines+markers" if line.measured or len(line.values) == 1 else "lines",
            line={"color": colour, "width": 2.5},
            marker={"symbol": shape, "size": 11, "color": colour},
            hovertemplate=_(
                "{name}<br><b>{value}</b> at {count} tokens",
                name=name,
                value="%{y:.3f}",
                count="%{customdata}",
            )
            + "<extra></extra>",
        )
        labels.append((end, f"<b>{localised(f'{end:.2f}')}</b> {glyph}{name}", colour))
        if line.chance is not None:
            levels[line.chance] = levels.get(line.chance, "") + glyph
    for level, glyphs in levels.items():
        chart.add_hline(y=level, line={"color": palette.quiet, "width": 1.5, "dash": "dot"})
        labels.append(
            (level, _("{marks} by chance", marks=localised(f"{level:.2f} {glyphs}").strip()), palette.quiet)
        )
    up = AXES.get(f"{picture}_plain" if plain else picture) or AXES.get(picture, escape(picture))
    dress(chart, translate(up), _("tokens of text read"), palette)
    low, high = _range(picture, lines)
    chart.update_yaxes(range=[low, high])
    gap = LABEL_PX / (HEIGHT - TOP - BOTTOM) * (high - low)
    for (__, text, colour), place in zip(labels, spread([end for end, *__ in labels], gap, low, high)):
        where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 12, "yanchor": "middle"}
        say(chart, text, palette, y=place, font={"color": colour}, **where)
    last = max(positive, default=2 * zero)
    marked, margin = marks(snapshots, zero, last), max(log10(last / zero) * 0.03, 0.1)
    ends = [log10(zero) - margin, log10(last) + margin]
    chart.update_xaxes(type="log", range=ends, tickvals=list(marked), ticktext=list(marked.values()))
    widest = max(width_px(label[1].replace("<b>", "").replace("</b>", "")) for label in labels)
    chart.update_layout(margin={"l": 48, "r": round(widest) + 24, "t": TOP, "b": BOTTOM})
    return chart


def smooth(values: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Each value as the mean of those near it: at up to NEARBY times as many tokens, or as few.

    >>> smooth([(100, 4.0), (110, 2.0), (1000, 1.0)])
    [(100, 3.0), (110, 3.0), (1000, 1.0)]
    """
    near = [[v for u, v in values if t <= u * NEARBY and u <= t * NEARBY] for t, _ in values]
    return [(t, sum(some) / len(some)) for (t, _), some in zip(values, near, strict=True)]


def dress(chart: "go.Figure", up: str, across: str, palette: Palette) -> None:
    """Set type, colours, grid and the two axis titles of a chart of this page."""
    where = {"xref": "paper", "yref": "paper", "xanchor": "left"}
    say(chart, up, palette, x=0, y=1, yanchor="bottom", yshift=8, **where)
    say(chart, across, palette, x=1, y=0, yanchor="top", xshift=12, yshift=-8, **where)
    look(chart, palette, HEIGHT, hoverdistance=REACH_PX)
    axes(chart, palette, showline=False, nticks=6)


def marks(snapshots: Sequence[int], zero: float, last: float) -> dict[float, str]:
    """The marks of the axis of tokens and their labels: the snapshots, and powers of ten before the first.

    If two labels would overlap, that of the later snapshot stays.
    """
    room = (log10(last) - log10(zero)) / MOST_MARKS
    first = min((t for t in snapshots if t > 0), default=last)
    powers = [10**n for n in range(ceil(log10(zero)), ceil(log10(first)))]
    labels: dict[float, str] = {}
    for tokens in [*sorted(snapshots, reverse=True), *powers]:
        place = tokens or zero
        crowded = any(abs(log10(place / other)) < room for other, label in labels.items() if label)
        labels.setdefault(place, "" if crowded else count(tokens))
    return labels


def _range(picture: str, lines: Sequence[Line]) -> tuple[float, float]:
    if picture == SHARE:
        return 0.0, 1.02
    values = [value for line in lines for _, value in line.values]
    low, high = min(values), max(values)
    margin = (high - low or abs(high) or 1.0) * 0.08
    return low - margin, high + margin


def _unit(name: str, values: Sequence[tuple[int, float]]) -> str:
    """The unit of a figure that nobody has named here: a share where it looks like one, else its own."""
    return SHARE if all(0 <= value <= 1 for _, value in values) else name
