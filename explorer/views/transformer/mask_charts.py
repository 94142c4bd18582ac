"""The charts of the view on masks: patterns under three masks, and who reads whom in three models."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.views.frame.theme import Palette
from explorer.views.transformer.plots import LETTER_PX, figure, name, ramp

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from torch import Tensor

    from explorer.analysis.visibility.masks import MaskResult
    from explorer.analysis.visibility.readers import Drawing, Node

PATTERN_PX, READERS_PX = 372, 400
NAMES = {"both": "Both ways", "left": "Left to right", "prefix": "First both ways, second left"}
TITLES = {"ELMo": "ELMo: → above, ← below"}
ASIDE = 0.16  # how far ELMo's two rows of states stand apart, in places and in rows


def patterns(
    tokens: Sequence[str], special: "Tensor", found: "Sequence[MaskResult]", layer: int, palette: Palette
) -> "go.Figure":
    """What each token reads under each mask, in one layer; what it may not read is left out.

    The colours reach their end at the largest weight on a word: [CLS] and [SEP] take so much that on a
    scale with them nothing else would be seen.
    """
    titles = [f"{NAMES[one.name]}{_moved(one)}" for one in found]
    made = figure(palette, PATTERN_PX, titles, rows=1, cols=len(found), horizontal_spacing=0.025)
    words = special if bool(special.all()) else ~special
    top = max(float(one.pattern[layer][:, words].max()) for one in found)
    places = list(range(len(tokens)))
    for col, one in enumerate(found, 1):
        weights = one.pattern[layer].tolist()
        made.add_heatmap(
            z=[
                [weight if seen else None for weight, seen in zip(row, allowed)]
                for row, allowed in zip(weights, one.allowed.tolist())
            ],
            zmin=0,
            zmax=top,
            colorscale=ramp(palette.attention),
            showscale=False,
            xgap=1,
            ygap=1,
            hoverongaps=False,
            text=[[f"{name(query)} reads {name(key)}" for key in tokens] for query in tokens],
            hovertemplate="%{text}<br><b>%{z:.3f}</b><extra></extra>",
            row=1,
            col=col,
        )
    written = {"tickvals": places, "ticktext": [name(token) for token in tokens], "showgrid": False}
    made.update_yaxes(range=[len(tokens) - 0.5, -0.5], showticklabels=False, **written)
    made.update_yaxes(ticks="")
    made.update_yaxes(showticklabels=True, row=1, col=1)
    made.update_xaxes(range=[-0.5, len(tokens) - 0.5], showticklabels=False, ticks="")  # the same words again
    room = min(20 + LETTER_PX * max(len(name(token)) for token in tokens), 150)
    made.update_layout(margin={"l": room, "b": 10}, plot_bgcolor=palette.panel)
    return made


def _moved(one: "MaskResult") -> str:
    return "" if one.name == "both" else f": {100 * one.moved:.0f}% moved"


def readers(words: Sequence[str], place: int, palette: Palette) -> "go.Figure":
    """BERT, GPT and ELMo over the same words; the ways to one top state stand out."""
    from explorer.analysis.visibility import readers as drawn

    titles = [TITLES.get(kind, kind) for kind in drawn.KINDS]
    made = figure(palette, READERS_PX, titles, rows=1, cols=3, horizontal_spacing=0.03)
    for col, kind in enumerate(drawn.KINDS, 1):
        found = drawn.drawing(kind, len(words))
        _drawing(made, found, drawn.leading_to(found, drawn.Node(found.rows, place)), palette, col)
        made.update_xaxes(
            range=[-0.5, len(words) - 0.5],
            tickvals=list(range(len(words))),
            ticktext=[name(word) for word in words],
            tickangle=-35 if LETTER_PX * max(len(name(word)) for word in words) > 300 / len(words) else 0,
            row=1,
            col=col,
        )
    rows = ["words", "layer 1", "layer 2", "top"]
    made.update_yaxes(
        range=[-0.35, 3.3], tickvals=list(range(4)), ticktext=rows, showgrid=False, showticklabels=False
    )
    made.update_yaxes(showticklabels=True, row=1, col=1)
    made.update_layout(margin={"l": 70, "b": 62})
    return made


def _drawing(
    made: "go.Figure",
    found: "Drawing",
    ways: "Sequence[tuple[Node, Node]]",
    palette: Palette,
    col: int,
) -> None:
    strong = set(ways)
    groups = [
        ([line for line in found.lines if line not in strong], palette.hairline, 1.5),
        (list(ways), palette.accent, 2.5),
    ]
    for lines, colour, width in groups:
        made.add_scatter(
            x=[x for one, other in lines for x in (_x(one), _x(other), None)],
            y=[y for one, other in lines for y in (_y(one), _y(other), None)],
            mode="lines",
            line={"color": colour, "width": width},
            hoverinfo="skip",
            row=1,
            col=col,
        )
    reached = {node for line in ways for node in line}
    made.add_scatter(
        x=[_x(node) for node in found.nodes],
        y=[_y(node) for node in found.nodes],
        mode="markers",
        marker={
            "size": 14,
            "symbol": ["square" if node.row == 0 else "circle" for node in found.nodes],
            "color": [palette.accent if node in reached else palette.ground for node in found.nodes],
            "line": {
                "width": 2,
                "color": [palette.accent if node in reached else palette.quiet for node in found.nodes],
            },
        },
        hovertext=[_name(node) for node in found.nodes],
        hovertemplate="%{hovertext}<extra></extra>",
        row=1,
        col=col,
    )


def _name(node: "Node") -> str:
    if node.row == 0:
        return f"word {node.place + 1}"
    side = f", from the {node.side}" if node.side else ""
    return f"layer {node.row}{side}, word {node.place + 1}" if node.row < 3 else f"top, word {node.place + 1}"


def _x(node: "Node") -> float:
    return node.place + {"left": -ASIDE, "right": ASIDE}.get(node.side, 0.0)


def _y(node: "Node") -> float:
    return node.row + {"left": ASIDE, "right": -ASIDE}.get(node.side, 0.0)
