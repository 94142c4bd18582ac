"""Why hide words: after two layers a visible word has leaked back to its own position."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.views.frame import caching
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.theme import Palette
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.transformer import order_presets as presets
from explorer.views.transformer.layer_and_head import note_unread
from explorer.views.transformer.mask_charts import draw_diagram
from explorer.views.transformer.plots import LETTER_PX, figure, name
from explorer.views.transformer.settings import LEAK_PLACE, MODEL, TEXT
from explorer.views.widgets.bars import short
from explorer.views.widgets.chart_look import say
from explorer.views.widgets.notes import note, spoken
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_strip import word_strip
from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from explorer.analysis.visibility.leaking import Leak, Path
    from explorer.models import LanguageModel, Model


TOKENS = 16  # with the two special ones
CASES = ("visible", "neighbours", "hidden")
MEANINGS = {
    "visible": "the word stands there",
    "neighbours": "[MASK] stands there, but its neighbours have read the word",
    "hidden": "[MASK] stands there",
}
MIDDLE = 0


@dataclass(frozen=True, eq=False)
class LeakPath:
    """The probability of every word at its own place, and the path of the chosen one (an index) to itself."""

    leak: "Leak"
    chosen: int
    path: "Path | None"

    @property
    def tokens(self) -> list[str]:
        """The tokens that are guessed, as they are written."""
        return [label(self.leak.encoding, place) for place in self.leak.places]


def controls(page: OpenPage[None]) -> None:
    """The sentence, and below it token by token; a click chooses one."""
    settings = page.settings
    text_box(settings, TEXT, "Your sentence", "Type a sentence", resets=[LEAK_PLACE.to(MIDDLE)])
    leaks = _leak_path(page)
    key = "transformer/leak/strip"
    word_strip(settings, LEAK_PLACE, leaks.tokens, leaks.chosen, key, "click a word to follow it")


def draw(page: OpenPage[None]) -> Saves:
    """Two layers unrolled over the words, and under each word how probable it is at its own place."""
    leaks = _leak_path(page)
    chart(_chart(leaks, palette()), "transformer/leak")
    note(_line(leaks))
    note_unread(leaks.leak.encoding)
    spoken(_in_words(leaks))
    return [Picture("picture", "leak"), Export("Probabilities", "leak.csv", lambda: _table(leaks))]


def reading(page: OpenPage[None]) -> Reading:
    """How to read it."""
    return Reading(
        "Above, the first two layers: each state reads all states below it. In the first a neighbour reads "
        "the chosen word, in the second the word’s own place reads that neighbour; the numbers are the "
        "model’s weights (mean over the heads) on the heaviest such way. Below, the probability of each word "
        "at its own place: ● the word stands there; ◆ [MASK] does, but the neighbours have read the word; "
        "○ [MASK] does, and nobody has.",
        "Training on words in plain sight would teach copying and nothing else. BERT was never trained to "
        "use the way through its neighbours (diamonds), and makes little of it; a network that was would "
        "learn to.",
    )


def example(page: OpenPage[None]) -> Example:
    """The probabilities from Python."""
    return Example(own_words, model=Load(page.settings[MODEL]), text=page.settings[TEXT], limit=TOKENS)


def own_words(model: "Model", text: str, limit: int) -> list[tuple[str, float, float, float]]:
    """Each token with its probability at its own place: visible, through its neighbours, hidden."""
    from explorer.analysis.visibility import leaking

    leak = leaking.leak(model, text, limit)
    tokens = [leak.encoding.tokens[place] for place in leak.places]
    return list(zip(tokens, leak.visible.tolist(), leak.neighbours.tolist(), leak.hidden.tolist()))


def _leak_path(page: OpenPage[None]) -> LeakPath:
    """Every word guessed, and the way back of the chosen one. Raises TextError for an empty text."""
    leak, paths = _leak_and_paths(page.model, page.settings[TEXT])
    last, place = len(leak.places), page.settings[LEAK_PLACE]
    place = (last + 1) // 2 if place == MIDDLE else min(max(place, 1), last)
    return LeakPath(leak, place - 1, paths[place - 1])


@caching.resource(max_entries=64)
def _leak_and_paths(model: "LanguageModel", text: str) -> "tuple[Leak, list[Path | None]]":
    from explorer.analysis.visibility import leaking
    from explorer.trace import Capture

    leak = leaking.leak(model, text, TOKENS)
    trace = model.trace(text, capture=Capture.ATTENTION, limit=TOKENS)
    has_two_layers = model.config.layers > 1
    return leak, [leaking.path(trace, place) if has_two_layers else None for place in leak.places]


def _chart(leaks: LeakPath, colours: Palette) -> "go.Figure":
    picture = figure(colours, 410, rows=2, cols=1, row_heights=[0.52, 0.48], vertical_spacing=0.06)
    places = list(range(len(leaks.tokens)))
    _network(picture, leaks, colours)
    kinds = {
        "visible": ("circle", colours.difference[2]),
        "neighbours": ("diamond", colours.accent),
        "hidden": ("circle-open", colours.ink),
    }
    for case in CASES:
        shape, colour = kinds[case]
        picture.add_scatter(
            x=places,
            y=getattr(leaks.leak, case).tolist(),
            mode="markers",
            marker={"symbol": shape, "size": 14, "color": colour, "line": {"width": 2}},
            text=[name(token) for token in leaks.tokens],
            hovertemplate=f"%{{text}}, {MEANINGS[case]}<br>probability <b>%{{y:.6f}}</b><extra></extra>",
            cliponaxis=False,
            row=2,
            col=1,
        )
    picture.add_vrect(
        x0=leaks.chosen - 0.45,
        x1=leaks.chosen + 0.45,
        fillcolor=colours.panel,
        line_width=0,
        layer="below",
        row=2,
        col=1,
    )
    slanted = max(len(name(token)) for token in leaks.tokens) * LETTER_PX > 1000 / len(places)
    names = [f"<b>{name(t)}</b>" if at == leaks.chosen else name(t) for at, t in enumerate(leaks.tokens)]
    picture.update_xaxes(range=[-0.6, len(places) - 0.4], tickvals=places)
    picture.update_xaxes(showticklabels=False, row=1, col=1)
    picture.update_xaxes(ticktext=names, tickangle=-30 if slanted else 0, row=2, col=1)
    picture.update_yaxes(range=[-0.04, 1.05], tickvals=[0, 0.5, 1], title_text="probability", row=2, col=1)
    picture.update_layout(margin={"l": 78, "b": 62 if slanted else 34})
    return picture


def _network(picture: "go.Figure", leaks: LeakPath, colours: Palette) -> None:
    """Rows of states: the words, layer 1, layer 2; the path of the chosen word is marked."""
    from explorer.analysis.visibility.readers import Drawing, Node

    cell, places = {"row": 1, "col": 1}, range(len(leaks.tokens))
    nodes = [Node(row, place) for row in range(3) for place in places]
    lines = [(lower, upper) for lower in nodes for upper in nodes if upper.row == lower.row + 1]
    path = []
    if leaks.path is not None:
        neighbour = leaks.leak.places.index(leaks.path.neighbour)
        between = Node(1, neighbour)
        path = [(Node(0, leaks.chosen), between), (between, Node(2, leaks.chosen))]
    draw_diagram(picture, Drawing("BERT", nodes, lines), path, colours, col=1)
    if leaks.path is not None:
        middle = {
            "x": (leaks.chosen + neighbour) / 2,
            "bgcolor": colours.ground,
            "font": {"color": colours.ink},
        }
        say(picture, f"{leaks.path.there:.2f}", colours, y=0.5, **middle, **cell)
        say(picture, f"{leaks.path.back:.2f}", colours, y=1.5, **middle, **cell)
    ticks = {"tickvals": [0, 1, 2], "ticktext": ["words", "layer 1", "layer 2"]}
    picture.update_yaxes(range=[-0.25, 2.25], showgrid=False, **ticks, **cell)


def _line(leaks: LeakPath) -> str:
    """The chosen word's three probabilities, and what the marks are."""
    leak, at = leaks.leak, leaks.chosen
    visible, through, hidden = (short(float(getattr(leak, case)[at])) for case in CASES)
    return (
        f"“{leaks.tokens[at]}” at its own place: ● {visible} visible, ◆ {through} by its neighbours, "
        f"○ {hidden} hidden. All words: ● {float(leak.visible.mean()):.2f}, "
        f"◆ {float(leak.neighbours.mean()):.2f}, ○ {float(leak.hidden.mean()):.2f}."
    )


def _in_words(leaks: LeakPath) -> str:
    leak = leaks.leak
    rows = zip(leaks.tokens, *(getattr(leak, case).tolist() for case in CASES))
    probabilities = [f"{token}: {a:.2f}, {b:.2f}, {c:.2f}" for token, a, b, c in rows]
    return f"Seen, through neighbours, hidden. {'; '.join(probabilities)}."


def _table(leaks: LeakPath) -> str:
    rows = zip(leaks.tokens, *(getattr(leaks.leak, case).tolist() for case in CASES))
    return table(["token", *CASES], rows)


VIEW = View(
    label="Why hide words",
    first=Hints(
        "Where a word stands in plain sight its probability is near 1; hidden, most have to be guessed.",
        "Click another word, and follow the way from it through a neighbour back to itself.",
    ),
    settings=(LEAK_PLACE,),
    presets=presets.LEAKS,
    needs=("FILL",),
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
