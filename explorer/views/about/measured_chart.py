"""The charts of Measured: lines against a number, or rows of marks, with every draw or its spread."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from statistics import mean

from explorer.analysis import ablations
from explorer.views.about.measured_scores import OURS
from explorer.views.about.record import count
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import REACH_PX, axes, band, below, blank, look, say, title
from explorer.views.widgets.curves import name_ends

HEIGHT, ROW_PX, SPARE_PX, LEFT = 376, 44, 98, 290
LANE = -0.2  # the place of what has no score, below 0%
UNDER = 0.22  # rows between a mean and its draws
Draws = Sequence[float]
Style = tuple[str, str]  # colour and symbol


def styles(palette: Palette) -> dict[str, Style]:
    """Colour and symbol of what is compared, where it has one of its own."""
    return {
        "majority": (palette.quiet, "line-ns-open"),
        "random body": (palette.quiet, "cross"),
        "bag of words": (palette.senses[3], "diamond"),
        "frozen": (palette.senses[0], "circle"),
        "fine-tuned": (palette.accent, "square"),
        "tuned": (palette.accent, "square"),
        ablations.RANDOM: (palette.quiet, "circle-open"),
    }


def lines(
    scores: Mapping[str, Mapping[int, Draws]],
    names: Mapping[str, str],
    up: str,
    across: str,
    ticks: Sequence[int],
    palette: Palette,
) -> "go.Figure":
    """A line for each series against a number, on a logarithmic axis; a band from its worst to its best draw.

    Numbers without a score are in a lane below 0%, and so are our own models.
    """
    chart, own = blank(), styles(palette)
    look(chart, palette, HEIGHT, margin={"l": 84, "r": 150, "t": 34, "b": 52}, hoverdistance=REACH_PX)
    axes(chart, palette)
    ends: dict[int, list[tuple[str, float, str]]] = {}  # at each last number: name, value, colour
    for number, series in enumerate(one for one in scores if not one.endswith(OURS)):
        by_number = scores[series]
        colour, symbol = own.get(series, (palette.senses[number % 6], SENSE_SHAPES[number % 6]))
        xs = sorted(by_number)
        ys = [mean(by_number[x]) if by_number[x] else LANE for x in xs]
        if any(len(draws) > 1 for draws in by_number.values()):
            band(chart, xs, [(min(by_number[x]), max(by_number[x])) for x in xs], colour)
        name = escape(names.get(series, series))
        chart.add_scatter(
            x=xs,
            y=ys,
            customdata=[[figure(x), in_words(by_number[x])] for x in xs],
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"symbol": symbol, "size": 12, "color": colour},
            hovertemplate=f"{name}, %{{customdata[0]}}<br><b>%{{customdata[1]}}</b><extra></extra>",
        )
        ends.setdefault(xs[-1], []).append((f"<b>{name}</b>", ys[-1], colour))
    _name_ends(chart, ends, palette)
    ours = {one.removesuffix(OURS): min(scores[one]) for one in scores if one.endswith(OURS)}
    if ours:
        _ours(chart, ours, palette)
    levels = [0, 0.2, 0.4, 0.6, 0.8, 1]
    chart.update_yaxes(
        range=[-0.27 if ours else 0, 1.02],
        tickvals=[*[LANE] * bool(ours), *levels],
        ticktext=[*["no score"] * bool(ours), *(f"{level:.0%}" for level in levels)],
    )
    chart.update_xaxes(type="log", tickvals=list(ticks), ticktext=[figure(tick) for tick in ticks])
    title(chart, up, palette)
    below(chart, across, palette)
    return chart


def _name_ends(
    chart: "go.Figure", ends: Mapping[int, Sequence[tuple[str, float, str]]], palette: Palette
) -> None:
    """Write the names of lines beside their ends, or above them where another line goes on."""
    beside = {"yanchor": "middle", "xshift": 14}
    for last, names in ends.items():
        goes_on = last < max(ends) and names[0][1] != LANE
        where = {"yanchor": "bottom", "yshift": 8} if goes_on else beside
        # On a logarithmic axis an annotation is placed by the logarithm.
        name_ends(chart, names, HEIGHT - 86, palette, LANE, x=log10(last), **where)


def _ours(chart: "go.Figure", sizes: Mapping[str, int], palette: Palette) -> None:
    """Draw our models as stars in the lane, with their names above the smallest."""
    chart.add_scatter(
        x=list(sizes.values()),
        y=[LANE] * len(sizes),
        customdata=[[name, figure(size)] for name, size in sizes.items()],
        name="ours",
        mode="markers",
        marker={"symbol": "star", "size": 14, "color": palette.ink},
        hovertemplate="%{customdata[0]}, %{customdata[1]}: not tested<extra></extra>",
    )
    names, middle = [escape(name) for name in sizes], (len(sizes) + 1) // 2
    text = ",<br>".join(", ".join(part) for part in (names[:middle], names[middle:]) if part)
    where = {"xanchor": "left", "yanchor": "bottom", "yshift": 8, "font": {"color": palette.ink}}
    say(chart, f"<b>ours</b>: {text}", palette, x=log10(min(sizes.values())), y=LANE, **where)


def rows(
    panels: Mapping[str, Mapping[str, Mapping[str, Draws]]], names: Mapping[str, str], palette: Palette
) -> "go.Figure":
    """Panels side by side, by title: a row for each thing measured, with a mark for each series.

    A single panel goes from 0 to 100% and has a legend. Of several, each has a scale of its own, a number at
    every mark, and a dotted line at the mark of the first row.
    """
    alone = len(panels) == 1
    chart, own = blank(rows=1, cols=len(panels), shared_yaxes=True, horizontal_spacing=0.04), styles(palette)
    labels = [names.get(row, row) for row in next(iter(panels.values()))]
    for column, (heading, marks) in enumerate(panels.items(), 1):
        place = {"row": 1, "col": column}
        for y, (row, by_series) in enumerate(marks.items()):
            for series, draws in by_series.items():
                style = own.get(series, (palette.ink, "circle"))
                what = heading or row
                _mark(chart, y, what, names.get(series, series), draws, style, palette, alone, **place)
        values = [value for by_series in marks.values() for draws in by_series.values() for value in draws]
        margin = 0.12 * (max(values) - min(values) or 0.1)
        ends = [0, 1.02] if alone else [min(values) - margin, max(values) + margin]
        chart.update_xaxes(range=ends, **place)
        if not alone:
            first = mean(next(iter(next(iter(marks.values())).values())))
            line = {"color": palette.quiet, "width": 1.5, "dash": "dot"}
            chart.add_vline(x=first, line=line, layer="below", **place)
            title(chart, f"<b>{escape(heading)}</b>", palette, column, 12)
    look(chart, palette, max(HEIGHT, ROW_PX * len(labels) + SPARE_PX), hoverdistance=REACH_PX)
    axes(chart, palette, showline=False)
    texts = [escape(label).replace(", ", ",<br>", 1) if not alone else escape(label) for label in labels]
    chart.update_yaxes(tickvals=list(range(len(labels))), ticktext=texts, range=[len(labels) - 0.5, -0.6])
    chart.update_xaxes(tickformat=".0%", nticks=10 if alone else 4)
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False}
    margin_px = {"l": LEFT if alone else 190, "r": 24, "t": 48, "b": 40}
    chart.update_layout(showlegend=alone, legend=legend, margin=margin_px)
    return chart


def _mark(
    chart: "go.Figure",
    y: int,
    what: str,
    name: str,
    draws: Draws,
    style: Style,
    palette: Palette,
    alone: bool,
    **place: int,
) -> None:
    """Draw a mean with its standard deviation, and its draws below it where there are several."""
    colour, symbol = style
    centre, deviation = ablations.spread(draws)
    if len(draws) > 1:
        chart.add_scatter(
            x=list(draws),
            y=[y + UNDER] * len(draws),
            mode="markers",
            marker={"size": 7, "color": palette.accent, "opacity": 0.55},
            hoverinfo="skip",
            **place,
        )
    edge = 2.5 if symbol.endswith("-open") else 0
    chart.add_scatter(
        x=[centre],
        y=[y],
        error_x={"array": [deviation], "color": colour, "thickness": 2, "width": 6} if deviation else None,
        mode="markers" if alone else "markers+text",
        text=[f"<b>{centre * 100:.1f}</b>"],
        textposition="top center",
        textfont={"color": colour},
        marker={
            "symbol": symbol,
            "size": 15 if alone else 11,
            "color": colour,
            "line": {"width": edge, "color": colour},
        },
        name=name,
        showlegend=alone and y == 0,
        hovertemplate=f"{escape(name)}<br>{escape(what)}: <b>{in_words(draws)}</b><extra></extra>",
        **place,
    )


def figure(number: int) -> str:
    """A number of examples in full, one of parameters short.

    >>> figure(1000), figure(117_000_000)
    ('1,000', '117 M')
    """
    return f"{number:,}" if number < 10_000 else count(number)


def in_words(draws: Draws) -> str:
    """A score, or the mean of several with their worst and best.

    >>> in_words([0.5]), in_words([0.25, 0.75]), in_words([])
    ('50.0%', '50.0% (25.0% to 75.0%)', 'no score')
    """
    if not draws:
        return "no score"
    ends = f" ({min(draws):.1%} to {max(draws):.1%})" if len(draws) > 1 else ""
    return f"{mean(draws):.1%}{ends}"
