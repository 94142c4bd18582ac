"""Why hide words: after two layers a visible word has leaked back to its own position."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.views.frame import caching
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.theme import Palette
from explorer.views.frame.view import OpenPage, Reading, Saves
from explorer.views.transformer import order_presets as presets
from explorer.views.transformer.plots import LETTER_PX, figure, name, note_for_screen_readers
from explorer.views.transformer.settings import LEAK_PLACE, MODEL, TEXT
from explorer.views.transformer.transformer_view import Computed, TransformerView
from explorer.views.widgets.bars import short
from explorer.views.widgets.chart_look import say
from explorer.views.widgets.notes import note
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_strip import token_strip
from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from explorer.analysis.visibility.leaking import Leak, Path
    from explorer.models import LanguageModel, Model


TOKENS = 16  # with the two special ones
CASES = ("visible", "neighbours", "hidden")
SAYS = {
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


def texts(settings: Settings, model: "LanguageModel | None") -> None:
    """The sentence."""
    text_box(settings, TEXT, "Your sentence", "Type a sentence", resets=[LEAK_PLACE.to(MIDDLE)])


def compute(settings: Settings, model: "LanguageModel | None") -> LeakPath:
    """Every word guessed, and the way back of the chosen one. Raises TextError for an empty text."""
    assert model is not None
    leak, paths = _leak_and_paths(model, settings[TEXT])
    last = len(leak.places)
    place = (last + 1) // 2 if settings[LEAK_PLACE] == MIDDLE else min(max(settings[LEAK_PLACE], 1), last)
    return LeakPath(leak, place - 1, paths[place - 1])


def controls(page: "OpenPage[Computed[LeakPath]]") -> None:
    """The sentence, token by token; a click chooses one."""
    leaks, settings = page.data.result, page.settings

    def clicked(index: int) -> None:
        if index < len(leaks.tokens):
            settings.set(LEAK_PLACE.to(index + 1))

    tokens = [
        {"text": token, "selected": at == leaks.chosen, "title": "click to follow this word"}
        for at, token in enumerate(leaks.tokens)
    ]
    token_strip(tokens, "transformer/leak/strip", "The words; click one to follow it", clicked)


def draw(page: "OpenPage[Computed[LeakPath]]") -> Saves:
    """Two layers unrolled over the words, and under each word how probable it is at its own place."""
    leaks = page.data.result
    chart(_chart(leaks, palette()), "transformer/leak")
    note(_line(leaks))
    encoding = leaks.leak.encoding
    if encoding.truncated:
        note(f"The first {len(encoding)} tokens are read; {encoding.truncated:,} were cut.")
    note_for_screen_readers(_in_words(leaks))
    return [Picture("picture", "leak"), Export("Probabilities", "leak.csv", lambda: _table(leaks))]


def reading(page: "OpenPage[Computed[LeakPath]]") -> Reading:
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


def example(page: "OpenPage[Computed[LeakPath]]") -> Example:
    """The probabilities from Python."""
    return Example(own_words, model=Load(page.settings[MODEL]), text=page.settings[TEXT], limit=TOKENS)


def own_words(model: "Model", text: str, limit: int) -> list[tuple[str, float, float, float]]:
    """Each token with its probability at its own place: visible, through its neighbours, hidden."""
    from explorer.analysis.visibility import leaking

    leak = leaking.leak(model, text, limit)
    tokens = [leak.encoding.tokens[place] for place in leak.places]
    return list(zip(tokens, leak.visible.tolist(), leak.neighbours.tolist(), leak.hidden.tolist()))


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
            hovertemplate=f"%{{text}}, {SAYS[case]}<br>probability <b>%{{y:.6f}}</b><extra></extra>",
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
    """Rows of states: the words, layer 1, layer 2, with the way back on top."""
    count, cell = len(leaks.tokens), {"row": 1, "col": 1}
    every = [(row, one, other) for row in (0, 1) for one in range(count) for other in range(count)]
    picture.add_scatter(
        x=[x for _, one, other in every for x in (one, other, None)],
        y=[y for row, _, _ in every for y in (row, row + 1, None)],
        mode="lines",
        line={"color": colours.hairline, "width": 1},
        hoverinfo="skip",
        **cell,
    )
    picture.add_scatter(
        x=[place for _ in range(3) for place in range(count)],
        y=[row for row in range(3) for _ in range(count)],
        mode="markers",
        marker={"size": 12, "color": colours.ground, "line": {"width": 2, "color": colours.quiet}},
        hoverinfo="skip",
        **cell,
    )
    way = [leaks.chosen]
    if leaks.path is not None:
        neighbour = leaks.leak.places.index(leaks.path.neighbour)
        way = [leaks.chosen, neighbour, leaks.chosen]
        picture.add_scatter(
            x=way, y=[0, 1, 2], mode="lines", line={"color": colours.accent, "width": 4}, **cell
        )
        for row, weight in enumerate((leaks.path.there, leaks.path.back)):
            say(
                picture,
                f"{weight:.2f}",
                colours,
                x=(leaks.chosen + neighbour) / 2,
                y=row + 0.5,
                bgcolor=colours.ground,
                font={"color": colours.ink},
                **cell,
            )
    picture.add_scatter(
        x=way,
        y=list(range(len(way))),
        mode="markers",
        marker={"size": 16, "color": colours.accent},
        hoverinfo="skip",
        **cell,
    )
    picture.update_yaxes(
        range=[-0.25, 2.25],
        tickvals=[0, 1, 2],
        ticktext=["words", "layer 1", "layer 2"],
        showgrid=False,
        **cell,
    )


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


VIEW = TransformerView(
    label="Why hide words",
    first=Hints(
        "Where a word stands in plain sight its probability is near 1; hidden, most have to be guessed.",
        "Click another word, and follow the way from it through a neighbour back to itself.",
    ),
    settings=(LEAK_PLACE,),
    presets=presets.LEAKS,
    needs=("FILL",),
    texts=texts,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
    compute=compute,
)
