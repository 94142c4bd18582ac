"""The charts of the view “Masks”: patterns under three masks, and diagrams of what three models read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.locale import N_, _
from explorer.views.look.theme import Palette
from explorer.views.transformer.plots import LETTER_PX, figure, name
from explorer.views.types import MaskResult, Tensor, go
from explorer.views.widgets.numbers import whole_percent

if TYPE_CHECKING:
    from explorer.analysis.visibility.readers import Drawing, Node

PATTERN_PX, READERS_PX = 372, 400
TITLE_PX = 52  # two lines above the patterns
NAMES = {"both": N_("Both ways"), "left": N_("Left to right"), "prefix": N_("First sentence both ways")}
ASIDE = {
    "left": -0.16,
    "right": 0.16,
}  # of ELMo's two rows of states from their middle, in places and in rows
STATES = {  # in the layers between the words and the top, by the side from which they are read
    "": N_("layer {layer}, word {n}"),
    "left": N_("layer {layer}, from the left, word {n}"),
    "right": N_("layer {layer}, from the right, word {n}"),
}


def patterns(
    tokens: Sequence[str], special: "Tensor", results: "Sequence[MaskResult]", layer: int, palette: Palette
) -> "go.Figure":
    """The pattern of one layer under each mask; masked cells are left out.

    The scale ends at the largest weight on a word: the weights on [CLS] and [SEP] are so large that nothing
    else would be visible.
    """
    titles = [f"{_(NAMES[result.name])}{_moved(result)}" for result in results]
    picture = figure(palette, PATTERN_PX, titles, rows=1, cols=len(results), horizontal_spacing=0.025)
    words = special if bool(special.all()) else ~special
    top = max(float(result.pattern[layer][:, words].max()) for result in results)
    places = list(range(len(tokens)))
    for col, result in enumerate(results, 1):
        weights = result.pattern[layer].tolist()
        picture.add_heatmap(
            z=[
                [weight if is_allowed else None for weight, is_allowed in zip(row, allowed)]
                for row, allowed in zip(weights, result.allowed.tolist())
            ],
            zmin=0,
            zmax=top,
            colorscale=list(palette.attention),
            showscale=False,
            xgap=1,
            ygap=1,
            hoverongaps=False,
            text=[
                [_("{reader} reads {read}", reader=name(query), read=name(key)) for key in tokens]
                for query in tokens
            ],
            hovertemplate="%{text}<br><b>%{z:.3f}</b><extra></extra>",
            row=1,
            col=col,
        )
    ticks = {"tickvals": places, "ticktext": [name(token) for token in tokens], "showgrid": False}
    picture.update_yaxes(range=[len(tokens) - 0.5, -0.5], showticklabels=False, **ticks)
    picture.update_yaxes(ticks="")
    picture.update_yaxes(showticklabels=True, row=1, col=1)
    picture.update_xaxes(range=[-0.5, len(tokens) - 0.5], tickangle=-90, **ticks)
    picture.update_xaxes(ticks="")
    room = min(20 + LETTER_PX * max(len(name(token)) for token in tokens), 150)
    picture.update_layout(margin={"l": room, "b": room - 14, "t": TITLE_PX}, plot_bgcolor=palette.panel)
    return picture


def _moved(result: "MaskResult") -> str:
    if result.name == "both":
        return ""
    return f"<br>{_('{percent} shifted', percent=whole_percent(result.moved))}"


def readers(words: Sequence[str], place: int, palette: Palette) -> "go.Figure":
    """Diagrams of BERT, GPT and ELMo on the same words, with all paths to one top state in colour."""
    from explorer.analysis.visibility import readers as diagrams

    right, left = (
        f'<span style="color:{_colour(palette, side)}">{arrow}</span>' for side, arrow in zip(ASIDE, "→←")
    )
    elmo = _("ELMo: {right} above, {left} below", right=right, left=left)
    titles = [elmo if kind == "ELMo" else kind for kind in diagrams.KINDS]
    picture = figure(palette, READERS_PX, titles, rows=1, cols=3, horizontal_spacing=0.03)
    for col, kind in enumerate(diagrams.KINDS, 1):
        diagram = diagrams.drawing(kind, len(words))
        draw_diagram(
            picture, diagram, diagrams.leading_to(diagram, diagrams.Node(diagram.rows, place)), palette, col
        )
        picture.update_xaxes(
            range=[-0.5, len(words) - 0.5],
            tickvals=list(range(len(words))),
            ticktext=[name(word) for word in words],
            tickangle=-35 if LETTER_PX * max(len(name(word)) for word in words) > 300 / len(words) else 0,
            row=1,
            col=col,
        )
    rows = [_("words"), _("layer {n}", n=1), _("layer {n}", n=2), _("top")]
    picture.update_yaxes(
        range=[-0.35, 3.3], tickvals=list(range(4)), ticktext=rows, showgrid=False, showticklabels=False
    )
    picture.update_yaxes(showticklabels=True, row=1, col=1)
    picture.update_layout(margin={"l": 70, "b": 62})
    return picture


def draw_diagram(
    picture: "go.Figure", diagram: "Drawing", ways: "Sequence[tuple[Node, Node]]", palette: Palette, col: int
) -> None:
    """Add states and lines to the first row of a chart, those of `ways` in the colour of their reader."""
    strong = set(ways)
    groups = [([line for line in diagram.lines if line not in strong], palette.hairline, 1.5)]
    for side in {start.side or end.side: None for start, end in ways}:
        lines = [(start, end) for start, end in ways if (start.side or end.side) == side]
        groups.append((lines, _colour(palette, side), 2.5))
    for lines, colour, width in groups:
        picture.add_scatter(
            x=[x for start, end in lines for x in (_x(start), _x(end), None)],
            y=[y for start, end in lines for y in (_y(start), _y(end), None)],
            mode="lines",
            line={"color": colour, "width": width},
            hoverinfo="skip",
            row=1,
            col=col,
        )
    reached = {node for line in ways for node in line}
    picture.add_scatter(
        x=[_x(node) for node in diagram.nodes],
        y=[_y(node) for node in diagram.nodes],
        mode="markers",
        marker={
            "size": 14,
            "symbol": ["square" if node.row == 0 else "circle" for node in diagram.nodes],
            "color": [
                _colour(palette, node.side) if node in reached else palette.ground for node in diagram.nodes
            ],
            "line": {
                "width": 2,
                "color": [
                    _colour(palette, node.side) if node in reached else palette.quiet
                    for node in diagram.nodes
                ],
            },
        },
        hovertext=[_name(node) for node in diagram.nodes],
        hovertemplate="%{hovertext}<extra></extra>",
        row=1,
        col=col,
    )


def _name(node: "Node") -> str:
    ends = {0: N_("word {n}"), 3: N_("top, word {n}")}
    return _(ends.get(node.row, STATES[node.side]), layer=node.row, n=node.place + 1)


def _colour(palette: Palette, side: str) -> str:
    """The colour of a reader, as in the drawing of ELMo's states."""
    return palette.difference[0 if side == "left" else 2] if side else palette.accent


def _x(node: "Node") -> float:
    return node.place + ASIDE.get(node.side, 0.0)


def _y(node: "Node") -> float:
    return node.row - ASIDE.get(node.side, 0.0)
