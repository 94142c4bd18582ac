"""The charts of the view Positions: the table, a shift, tables side by side, and rotary positions."""

from collections.abc import Mapping

from explorer.locale import _, format_with, localised
from explorer.views.look.theme import Palette
from explorer.views.transformer.plots import add_line, add_map, figure, legend
from explorer.views.types import ByDistance, Shift, Tensor, go

HEIGHT = 400
SHOWN_PAIRS = 4  # circles of a shift
DASHES = ("solid", "dash", "dot", "dashdot")


def table(vectors: "Tensor", at: int, palette: Palette) -> "go.Figure":
    """The table as a map, and one of its rows as two curves."""
    kinds = [
        (_("sine"), 0, "circle", palette.difference[0]),
        (_("cosine"), 1, "square", palette.difference[2]),
    ]
    glyphs = {"circle": "●", "square": "■"}
    names = legend((colour, f"{glyphs[shape]} {name}") for name, __, shape, colour in kinds)
    titles = [_("All positions"), _("Position {n}: {names}", n=at, names=names)]
    chart = figure(
        palette, HEIGHT, titles, rows=1, cols=2, column_widths=[0.56, 0.44], horizontal_spacing=0.09
    )
    place = _("position {n}, dimension {dimension}", n="%{y}", dimension="%{x}")
    add_map(chart, vectors, palette, f"{place}<br><b>%{{z:.4f}}</b>", col=1)
    for side in (-0.5, 0.5):  # the chosen row between two lines
        chart.add_hline(y=at + side, line={"color": palette.ink, "width": 2}, row=1, col=1)
    row = vectors[at].tolist()
    for name, first, shape, colour in kinds:
        place = _("dimension {n}, {kind}", n="%{x}", kind=name)
        chart.add_scatter(
            x=list(range(first, len(row), 2)),
            y=row[first::2],
            mode="lines+markers",
            marker={"symbol": shape, "size": 8, "color": colour},
            line={"color": colour, "width": 2},
            name=name,
            hovertemplate=f"{place}<br><b>%{{y:.4f}}</b><extra></extra>",
            row=1,
            col=2,
        )
    chart.update_yaxes(title_text=_("position"), row=1, col=1)
    chart.update_yaxes(range=[-1.08, 1.08], nticks=5, row=1, col=2)
    chart.update_xaxes(title_text=_("dimension"))
    return chart


def shift(vectors: "Tensor", shift_matrix: "Shift", at: int, palette: Palette) -> "go.Figure":
    """The matrix of a shift, and its effect on four pairs at two positions."""
    pairs = _spread(vectors.shape[1] // 2)
    starts = [at, _other(vectors, shift_matrix.steps, at)]
    angles = [_angle(shift_matrix, pair) for pair in pairs]
    titles = [_("From any position to {n} on", n=shift_matrix.steps)]
    titles += [
        _("Pair {n}: {angle} rad", n=pair, angle=localised(f"{angle:.3g}"))
        for pair, angle in zip(pairs, angles)
    ]
    columns = [{"rowspan": 2}, {}, {}]
    chart = figure(
        palette,
        HEIGHT - 20,
        titles,
        rows=2,
        cols=3,
        specs=[columns, [None, {}, {}]],
        column_widths=[0.42, 0.29, 0.29],
        horizontal_spacing=0.03,
        vertical_spacing=0.1,
    )
    place = _("from dimension {before} to {after}", before="%{x}", after="%{y}")
    add_map(chart, shift_matrix.matrix, palette, f"{place}<br><b>%{{z:.4f}}</b>", col=1)
    chart.update_yaxes(title_text=_("dimension, after"), row=1, col=1)
    chart.update_xaxes(title_text=_("dimension, before"), row=1, col=1)
    for number, pair in enumerate(pairs):
        _circle(chart, vectors, pair, starts, shift_matrix.steps, palette, 1 + number // 2, 2 + number % 2)
    return chart


def circles_legend(vectors: "Tensor", steps: int, at: int) -> str:
    """Which positions the circles of a shift show."""
    other = _other(vectors, steps, at)
    ends = {"start": at, "end": at + steps, "other": other, "last": other + steps}
    return _("Circles: ○● from {start} to {end}, □■ from {other} to {last}.", **ends)


def _other(vectors: "Tensor", steps: int, at: int) -> int:
    """A position far from the chosen one, from which the same shift starts."""
    far = len(vectors) - 1 - steps
    return far if at < far // 2 else 0


def _circle(
    chart: "go.Figure",
    vectors: "Tensor",
    pair: int,
    starts: list[int],
    steps: int,
    palette: Palette,
    row: int,
    col: int,
) -> None:
    """Draw a pair of dimensions on its circle: two positions, each before and after the shift."""
    from math import cos, pi, sin

    angles = [2 * pi * step / 90 for step in range(91)]
    cell = {"row": row, "col": col}
    chart.add_scatter(
        x=[cos(angle) for angle in angles],
        y=[sin(angle) for angle in angles],
        mode="lines",
        line={"color": palette.quiet, "width": 1},
        hoverinfo="skip",
        **cell,
    )
    points = vectors[:, 2 * pair : 2 * pair + 2]
    values = {"n": "%{text}", "cosine": "%{x:.3f}", "sine": "%{y:.3f}"}
    says = _("position {n}: cosine {cosine}, sine {sine}", **values)
    for start, colour, shape in zip(starts, (palette.query, palette.key), ("circle", "square")):
        both = [points[start].tolist(), points[start + steps].tolist()]
        chart.add_scatter(
            x=[0, both[0][1], None, 0, both[1][1]],
            y=[0, both[0][0], None, 0, both[1][0]],
            mode="lines",
            line={"color": colour, "width": 2},
            hoverinfo="skip",
            **cell,
        )
        chart.add_scatter(
            x=[both[0][1], both[1][1]],
            y=[both[0][0], both[1][0]],
            mode="markers",
            marker={"symbol": [f"{shape}-open", shape], "size": 12, "color": colour, "line": {"width": 2}},
            text=[str(start), str(start + steps)],
            hovertemplate=f"{says}<extra></extra>",
            **cell,
        )
    chart.update_xaxes(range=[-1.3, 1.3], visible=False, **cell)
    chart.update_yaxes(range=[-1.25, 1.25], visible=False, **cell)
    axis = chart.get_subplot(row, col).yaxis
    axis.update(scaleanchor=axis.anchor, scaleratio=1)


def products(tables: "Mapping[str, Tensor]", palette: Palette) -> "tuple[go.Figure, str]":
    """Cosines of all pairs of positions, and their means by distance, for each table; and a description."""
    from explorer.analysis.positions import learnt

    chart = figure(
        palette,
        HEIGHT + 10,
        list(map(_, tables)),
        rows=2,
        cols=len(tables),
        row_heights=[0.58, 0.42],
        vertical_spacing=0.14,
        horizontal_spacing=0.06,
    )
    sentences = []
    for col, (name, vectors) in enumerate(tables.items(), 1):
        cosines = learnt.products(vectors, unit=True)
        by_distance = learnt.by_distance(cosines)
        places = _("positions {one} and {other}", one="%{y}", other="%{x}")
        cosine = _("cosine {value}", value="<b>%{z:.3f}</b>")
        add_map(chart, cosines, palette, f"{places}<br>{cosine}", col)
        distance = list(range(len(by_distance.mean)))
        chart.add_scatter(
            x=[*distance, *distance[::-1]],
            y=[*by_distance.largest.tolist(), *by_distance.smallest.tolist()[::-1]],
            fill="toself",
            mode="none",
            fillcolor=palette.hairline,
            hoverinfo="skip",
            row=2,
            col=col,
        )
        hover = _("{n} apart: mean cosine {value}", n="%{x}", value="<b>%{y:.3f}</b>")
        add_line(chart, by_distance.mean.tolist(), {"color": palette.accent}, hover, col, row=2)
        chart.update_xaxes(title_text=_("distance"), row=2, col=col)
        band = float((by_distance.largest - by_distance.smallest).max())
        line = _("{table}: pairs of one distance differ by up to {band}.", table=_(name), band=power(band))
        sentences.append(line)
    chart.update_yaxes(range=[-1.05, 1.05], tickvals=[-1, 0, 1], row=2)
    chart.update_yaxes(title_text=_("position"), row=1, col=1)
    chart.update_yaxes(title_text=_("cosine"), row=2, col=1)
    return chart, " ".join(sentences)


def rotation(angles: "Tensor", compared: "Mapping[str, ByDistance]", palette: Palette) -> "go.Figure":
    """The rotation of four pairs by position; beside it products by distance, a panel for each kind."""
    from math import pi

    titles = [_("Turns of four pairs"), *compared]
    chart = figure(palette, HEIGHT, titles, rows=1, cols=len(titles), horizontal_spacing=0.07)
    pairs, last = _spread(angles.shape[1]), len(angles) - 1
    top = 1.2 * float(angles[-1, pairs[1]]) / (2 * pi)  # the fastest pair leaves the picture at once
    for number, pair in enumerate(pairs):
        rounds = (angles[:, pair] / (2 * pi)).tolist()
        look = {"color": palette.accent, "dash": DASHES[number]}
        place = _("pair {n}, position {position}", n=pair + 1, position="%{x}")
        hover = f"{place}<br>{_('{n} turns', n='<b>%{y:.3f}</b>')}"
        add_line(chart, rounds, look, hover, col=1)
        # Its name is where the line leaves the picture: at the top, or at the right.
        steep = rounds[-1] > top
        x = top / rounds[1] if steep else last
        chart.add_annotation(
            x=x,
            y=min(rounds[-1], top),
            text=_("pair {n}", n=pair + 1),
            showarrow=False,
            xanchor="left" if steep else "right",
            xshift=6 if steep else 0,
            yshift=-10 if steep else 12,
            row=1,
            col=1,
        )
    chart.update_yaxes(range=[-0.04 * top, top], row=1, col=1)
    for col, mean_and_band in enumerate(compared.values(), 2):
        colour = palette.accent if col == 2 else palette.query
        hover = _("{n} apart: {value}", n="%{x}", value="<b>%{y:.3f}</b>")
        add_line(chart, mean_and_band.mean.tolist(), {"color": colour}, hover, col)
        chart.update_xaxes(title_text=_("distance"), row=1, col=col)
    chart.update_xaxes(title_text=_("position"), row=1, col=1)
    chart.update_yaxes(title_text=_("turns"), row=1, col=1)
    chart.update_yaxes(title_text=_("product"), row=1, col=2)
    chart.update_yaxes(title_text=_("score"), row=1, col=3)
    return chart


def power(value: float) -> str:
    """A small number with one digit: 2e−16, 0.003.

    >>> power(2.3e-16), power(0.0034), power(0.0)
    ('2e−16', '0.003', '0')
    """
    return format_with(value, ".1g").replace("e−0", "e−")


def _spread(pairs: int) -> list[int]:
    """Four pairs from the fastest to the slowest, or as many as there are."""
    if pairs <= SHOWN_PAIRS:
        return list(range(pairs))
    return [0, pairs // 8, pairs // 4, pairs // 2]


def _angle(shift_matrix: "Shift", pair: int) -> float:
    """The angle by which a shift rotates a pair, from -pi to pi."""
    from math import atan2

    at = 2 * pair
    return atan2(float(shift_matrix.matrix[at, at + 1]), float(shift_matrix.matrix[at, at]))
