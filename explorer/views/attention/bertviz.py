"""BertViz on the attention page: its three drawings, each a view of its own, behind one name.

They draw the same trace as the page's own picture, so a head's weights are the same in all of them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import streamlit as st

from explorer.text.letters import has_letters
from explorer.views.attention import examples
from explorer.views.attention import sentence as attention_sentence
from explorer.views.attention.bertviz_part import choose_part, kept_positions, parts
from explorer.views.attention.presets import MANY_HEADS
from explorer.views.attention.presets import PRESETS as ONE_HEAD
from explorer.views.attention.sentence import SelectedToken, example_input, hide_special, nothing_typed
from explorer.views.attention.settings import (
    BERTVIZ,
    HEAD,
    HEAD_RANGE,
    HIDE,
    LAYER,
    LAYERS,
    MODEL,
    TOKEN,
    TOKENS,
)
from explorer.views.frame import more, theme
from explorer.views.frame import page as frame
from explorer.views.frame.example import Example
from explorer.views.frame.first import First
from explorer.views.frame.page import Preset
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.widgets import bertviz_page
from explorer.views.widgets.bertviz_limits import Part
from explorer.views.widgets.invite import invite
from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    from explorer.trace import Trace

BY = "Drawn by BertViz (Vig 2019)."


@dataclass(frozen=True, eq=False)
class Drawing:
    """One of BertViz's three drawings, as a view of the page.

    `name` is that of the setting; `choices` are what has a select box: the layer, the head.
    """

    name: str
    title: str
    choices: tuple[Setting[int], ...]
    first: First
    sentence: str
    caveat: str
    points: list[Preset]

    @cached_property
    def view(self) -> "View[Trace]":
        """The view of this drawing. Its presets stay in the drawing: of one head, or of many at once."""
        stay = {"view": "bertviz", "bertviz": self.name}
        return View(
            label="BertViz",
            first=self.first,
            settings=(BERTVIZ, LAYERS, HEAD_RANGE, TOKENS),
            presets=[Preset(p.label, p.point, p.values | stay) for p in self.points],
            controls=self.controls,
            draw=self.draw,
            reading=self.reading,
            example=self.example,
        )

    def controls(self, page: "Page[Trace]") -> None:
        """Of which layer and head."""
        attention_sentence.choose(page.settings, page.data, *self.choices)
        hide_special(page.settings, page.data)

    def draw(self, page: "Page[Trace]") -> Saves:
        """Which part is drawn, and the frame with it."""
        settings, trace = page.settings, page.data
        if nothing_typed(settings, trace):
            invite()
            return []
        choose_part(settings, trace)
        drawn = html(settings, trace)
        with st.container(key="bertviz"):
            st.iframe(drawn, height="content")
        file = f"attention-{settings[MODEL]}-bertviz-{self.name}"
        part, hide = parts(settings, trace)[1], settings[HIDE]
        return [
            Picture("bertviz", file),
            Export("This view as a web page", f"{file}.html", lambda: drawn),
            Export("Weights", f"{file}.csv", lambda: _weights_table(trace, hide, part)),
        ]

    def reading(self, page: "Page[Trace]") -> Reading:
        """How to read it, and a caveat."""
        return Reading(self.sentence, f"{BY} {self.caveat}")

    def example(self, page: "Page[Trace]") -> Example:
        """What the drawing shows most of, from Python: the strongest link of every token or head."""
        settings = page.settings
        told, hide = example_input(page), settings[HIDE]
        if self.name == "neurons":
            layer, head = settings[LAYER], settings[HEAD]
            return Example(
                examples.scores_of_the_strongest, **told, layer=layer, head=head, hide_special=hide
            )
        if nothing_typed(settings, page.data):
            return Example(examples.strongest_link_of_every_head, **told, layers=[], hide_special=hide)
        part = parts(settings, page.data)[1]
        return Example(
            examples.strongest_link_of_every_head,
            **told,
            layers=list(part.layers),
            hide_special=hide,
            first=part.tokens[0],
            last=part.tokens[-1],
        )


DRAWINGS = {
    "heads": Drawing(
        "heads",
        "Heads",
        (LAYER,),
        First(
            "Every head of the layer at once, each in its own colour.",
            "Point at “it” on the left: which colours lead to “animal”?",
        ),
        "All heads of a layer, one colour each. Point at a token on the left to see what it reads, on the "
        "right to see what reads it. Click a square to hide a head, double-click to see it alone.",
        "It has ten colours: an eleventh head gets the first one again.",
        MANY_HEADS,
    ),
    "model": Drawing(
        "model",
        "Model",
        (),
        First(
            "Every head of the model as a small picture: some look straight ahead, some all at one place.",
            "Click a picture that differs from its neighbours.",
        ),
        "A row for each layer, a thumbnail for each head: lines run from a token on the left to what it "
        "reads on the right, heavier for more. Click a thumbnail to see its words.",
        "Heads that look alike need not do the same on another sentence.",
        MANY_HEADS,
    ),
    "neurons": Drawing(
        "neurons",
        "Neurons",
        (LAYER, HEAD),
        First(
            "How one score comes about: query and key, number by number.",
            "Click “it” on the left.",
        ),
        "From the chosen token: its query q times every key k, number by number; their sum, divided by the "
        "square root of how many they are, is the score q · k, and softmax turns a row of scores into "
        "weights. Purple is positive, orange negative. Click a token to choose it.",
        "A single number of a query or key means nothing by itself; only products count.",
        ONE_HEAD,
    ),
}
HEADS = DRAWINGS["heads"]


def choose(settings: Settings) -> Drawing:
    """The choice of the drawing."""
    if settings[BERTVIZ] not in DRAWINGS:
        settings.adjust(BERTVIZ.to("heads"))
    titles = {name: drawing.title for name, drawing in DRAWINGS.items()}
    more.choice(settings, BERTVIZ, "BertViz view", titles, ("model", "neurons"))
    return DRAWINGS[settings[BERTVIZ]]


def html(settings: Settings, trace: "Trace") -> str:
    """The page in the frame, the same for the same view, so that other controls do not reload it."""
    part = parts(settings, trace)[1]
    encoding = trace.encoding
    positions = [kept_positions(settings[HIDE], trace)[i] for i in part.tokens]
    chosen = _chosen(settings, trace, positions) if settings[BERTVIZ] == "neurons" else 0
    return _html(
        settings[BERTVIZ],
        settings[MODEL],
        encoding.text,
        encoding.pair,
        settings[HIDE],
        part,
        chosen,
        frame.palette().name,
        presenting(),
        trace,
    )


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs={Part: repr})
def _html(
    view: str,
    model: str,
    text: str,
    pair: str | None,
    hide: bool,
    part: Part,
    chosen: int,
    colours: str,
    low: bool,
    _trace: "Trace",
) -> str:
    from explorer.analysis.attention.weights import without_special
    from explorer.trace import captured

    encoding, attention = _trace.encoding, captured(_trace.attention)
    layers, heads, tokens = (slice(r.start, r.stop) for r in (part.layers, part.heads, part.tokens))
    kept = kept_positions(hide, _trace)
    positions = kept[tokens]
    labels = [label(encoding, i) for i in positions]
    pattern = attention.pattern[layers, heads]
    pattern = without_special(pattern, encoding.special) if hide else pattern
    pattern = pattern[:, :, tokens, tokens]
    palette = theme.palette(colours)
    second = next((place for place, i in enumerate(positions) if encoding.side(i) == 1), None)
    if view == "model":
        return bertviz_page.model_view(pattern, labels, part.layers, part.heads, palette, second, low)
    if view == "neurons":
        head = attention.queries[layers, heads][0, 0], attention.keys[layers, heads][0, 0]
        queries, keys = (vectors[positions] for vectors in head)
        return bertviz_page.neuron_view(
            queries, keys, pattern[0, 0], labels, palette, second, attention.causal, chosen, low
        )
    return bertviz_page.head_view(pattern[0], labels, part.layers[0], palette, second, low)


def _chosen(settings: Settings, trace: "Trace", positions: list[int]) -> int:
    """The token that the neuron view opens on: the selected one, else the last word."""
    selected = SelectedToken.read(settings[TOKEN])
    if selected and selected.position in positions:
        return positions.index(selected.position)
    words = [
        place
        for place, i in enumerate(positions)
        if not trace.encoding.special[i] and has_letters(trace.encoding.surface(i))
    ]
    return words[-1] if words else 0


def _weights_table(trace: "Trace", hide: bool, part: Part) -> str:
    from explorer.analysis.attention.weights import without_special
    from explorer.trace import captured

    pattern = captured(trace.attention).pattern
    pattern = without_special(pattern, trace.encoding.special) if hide else pattern
    positions = kept_positions(hide, trace)
    rows = [
        (
            layer,
            head,
            positions[q],
            trace.tokens[positions[q]],
            positions[k],
            trace.tokens[positions[k]],
            float(pattern[layer, head, q, k]),
        )
        for layer in part.layers
        for head in part.heads
        for q in part.tokens
        for k in part.tokens
    ]
    return table(["layer", "head", "from_position", "from", "to_position", "to", "weight"], rows)
