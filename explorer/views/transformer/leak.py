"""Why BERT hides words: two layers bring a word back to its own place, where it would only be copied."""

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
from explorer.views.frame.view import Page, Reading, Saves
from explorer.views.transformer import order_presets as presets
from explorer.views.transformer.plots import LETTER_PX, figure, name, unseen
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
class Looked:
    """Every word guessed at its own place, the chosen one (an index of `leak.places`), and its way back."""

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


def compute(settings: Settings, model: "LanguageModel | None") -> Looked:
    """Every word guessed, and the way back of the chosen one. Raises TextError for an empty text."""
    assert model is not None
    leak, paths = _looked(model, settings[TEXT])
    last = len(leak.places)
    place = (last + 1) // 2 if settings[LEAK_PLACE] == MIDDLE else min(max(settings[LEAK_PLACE], 1), last)
    return Looked(leak, place - 1, paths[place - 1])


def controls(page: "Page[Computed[Looked]]") -> None:
    """The sentence, token by token; a click chooses one."""
    looked, settings = page.data.result, page.settings

    def clicked(index: int) -> None:
        if index < len(looked.tokens):
            settings.set(LEAK_PLACE.to(index + 1))

    tokens = [
        {"text": token, "selected": at == looked.chosen, "title": "click to follow this word"}
        for at, token in enumerate(looked.tokens)
    ]
    token_strip(tokens, "transformer/leak/strip", "The words; click one to follow it", clicked)


def draw(page: "Page[Computed[Looked]]") -> Saves:
    """Two layers unrolled over the words, and under each word how probable it is at its own place."""
    looked = page.data.result
    chart(_chart(looked, palette()), "transformer/leak")
    note(_line(looked))
    encoding = looked.leak.encoding
    if encoding.truncated:
        note(f"The first {len(encoding)} tokens are read; {encoding.truncated:,} were cut.")
    unseen(_told(looked))
    return [Picture("picture", "leak"), Export("Probabilities", "leak.csv", lambda: _table(looked))]


def reading(page: "Page[Computed[Looked]]") -> Reading:
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


def example(page: "Page[Computed[Looked]]") -> Example:
    """The probabilities from Python."""
    return Example(own_words, model=Load(page.settings[MODEL]), text=page.settings[TEXT], limit=TOKENS)


def own_words(model: "Model", text: str, limit: int) -> list[tuple[str, float, float, float]]:
    """Each token, and its probability at its own place: visible, through its neighbours, hidden."""
    from explorer.analysis.visibility import leaking

    found = leaking.leak(model, text, limit)
    tokens = [found.encoding.tokens[place] for place in found.places]
    return list(zip(tokens, found.visible.tolist(), found.neighbours.tolist(), found.hidden.tolist()))


@caching.resource(max_entries=64)
def _looked(model: "LanguageModel", text: str) -> "tuple[Leak, list[Path | None]]":
    from explorer.analysis.visibility import leaking
    from explorer.trace import Capture

    found = leaking.leak(model, text, TOKENS)
    trace = model.trace(text, capture=Capture.ATTENTION, limit=TOKENS)
    two = model.config.layers > 1
    return found, [leaking.path(trace, place) if two else None for place in found.places]


def _chart(looked: Looked, colours: Palette) -> "go.Figure":
    made = figure(colours, 410, rows=2, cols=1, row_heights=[0.52, 0.48], vertical_spacing=0.06)
    places = list(range(len(looked.tokens)))
    _network(made, looked, colours)
    kinds = {
        "visible": ("circle", colours.difference[2]),
        "neighbours": ("diamond", colours.accent),
        "hidden": ("circle-open", colours.ink),
    }
    for case in CASES:
        shape, colour = kinds[case]
        made.add_scatter(
            x=places,
            y=getattr(looked.leak, case).tolist(),
            mode="markers",
            marker={"symbol": shape, "size": 14, "color": colour, "line": {"width": 2}},
            text=[name(token) for token in looked.tokens],
            hovertemplate=f"%{{text}}, {SAYS[case]}<br>probability <b>%{{y:.6f}}</b><extra></extra>",
            cliponaxis=False,
            row=2,
            col=1,
        )
    made.add_vrect(
        x0=looked.chosen - 0.45,
        x1=looked.chosen + 0.45,
        fillcolor=colours.panel,
        line_width=0,
        layer="below",
        row=2,
        col=1,
    )
    slanted = max(len(name(token)) for token in looked.tokens) * LETTER_PX > 1000 / len(places)
    names = [f"<b>{name(t)}</b>" if at == looked.chosen else name(t) for at, t in enumerate(looked.tokens)]
    made.update_xaxes(range=[-0.6, len(places) - 0.4], tickvals=places)
    made.update_xaxes(showticklabels=False, row=1, col=1)
    made.update_xaxes(ticktext=names, tickangle=-30 if slanted else 0, row=2, col=1)
    made.update_yaxes(range=[-0.04, 1.05], tickvals=[0, 0.5, 1], title_text="probability", row=2, col=1)
    made.update_layout(margin={"l": 78, "b": 62 if slanted else 34})
    return made


def _network(made: "go.Figure", looked: Looked, colours: Palette) -> None:
    """Rows of states: the words, layer 1, layer 2, with the way back on top."""
    count, cell = len(looked.tokens), {"row": 1, "col": 1}
    every = [(row, one, other) for row in (0, 1) for one in range(count) for other in range(count)]
    made.add_scatter(
        x=[x for _, one, other in every for x in (one, other, None)],
        y=[y for row, _, _ in every for y in (row, row + 1, None)],
        mode="lines",
        line={"color": colours.hairline, "width": 1},
        hoverinfo="skip",
        **cell,
    )
    made.add_scatter(
        x=[place for _ in range(3) for place in range(count)],
        y=[row for row in range(3) for _ in range(count)],
        mode="markers",
        marker={"size": 12, "color": colours.ground, "line": {"width": 2, "color": colours.quiet}},
        hoverinfo="skip",
        **cell,
    )
    way = [looked.chosen]
    if looked.path is not None:
        neighbour = looked.leak.places.index(looked.path.neighbour)
        way = [looked.chosen, neighbour, looked.chosen]
        made.add_scatter(x=way, y=[0, 1, 2], mode="lines", line={"color": colours.accent, "width": 4}, **cell)
        for row, weight in enumerate((looked.path.there, looked.path.back)):
            say(
                made,
                f"{weight:.2f}",
                colours,
                x=(looked.chosen + neighbour) / 2,
                y=row + 0.5,
                bgcolor=colours.ground,
                font={"color": colours.ink},
                **cell,
            )
    made.add_scatter(
        x=way,
        y=list(range(len(way))),
        mode="markers",
        marker={"size": 16, "color": colours.accent},
        hoverinfo="skip",
        **cell,
    )
    made.update_yaxes(
        range=[-0.25, 2.25],
        tickvals=[0, 1, 2],
        ticktext=["words", "layer 1", "layer 2"],
        showgrid=False,
        **cell,
    )


def _line(looked: Looked) -> str:
    """The chosen word's three probabilities, and what the marks are."""
    leak, at = looked.leak, looked.chosen
    visible, through, hidden = (short(float(getattr(leak, case)[at])) for case in CASES)
    return (
        f"“{looked.tokens[at]}” at its own place: ● {visible} visible, ◆ {through} by its neighbours, "
        f"○ {hidden} hidden. All words: ● {float(leak.visible.mean()):.2f}, "
        f"◆ {float(leak.neighbours.mean()):.2f}, ○ {float(leak.hidden.mean()):.2f}."
    )


def _told(looked: Looked) -> str:
    leak = looked.leak
    rows = zip(looked.tokens, *(getattr(leak, case).tolist() for case in CASES))
    said = [f"{token}: {a:.2f}, {b:.2f}, {c:.2f}" for token, a, b, c in rows]
    return f"Seen, through neighbours, hidden. {'; '.join(said)}."


def _table(looked: Looked) -> str:
    rows = zip(looked.tokens, *(getattr(looked.leak, case).tolist() for case in CASES))
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
