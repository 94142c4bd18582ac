"""BertViz on the attention page: its three drawings, each a view of its own, behind one name.

They draw the same trace as the page's own picture, so a head's weights are the same in all of them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from explorer.server.kept import kept
from explorer.text.letters import has_letters
from explorer.views.attention import examples
from explorer.views.attention import sentence as attention_sentence
from explorer.views.attention.bertviz_part import choose_part, parts
from explorer.views.attention.files import COLUMNS
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
from explorer.views.frame import choice_row
from explorer.views.frame import page as frame
from explorer.views.frame.example import Example
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings
from explorer.views.types import Tensor, Trace
from explorer.views.widgets import bertviz_page
from explorer.views.widgets.bertviz_limits import Selection
from explorer.views.widgets.layer_names import head_name
from explorer.views.widgets.notes import instruction
from explorer.views.widgets.token_text import label

PAGES = {"heads": "head_view", "model": "model_view", "neurons": "neuron_view"}  # BertViz's names


@dataclass(frozen=True, eq=False)
class Drawing:
    """One of BertViz's three drawings, as a view of the page.

    `name` is that of the setting; `choices` are what has a select box: the layer, the head. `row` names the
    presets that it offers: those of one head, or of many at once.
    """

    name: str
    title: str
    choices: tuple[Setting[int], ...]
    row: str = "bertviz"

    @cached_property
    def view(self) -> "View[Trace]":
        """The view of this drawing, in which its presets stay."""
        return View(
            text=view_text("attention", f"bertviz-{self.name}"),
            settings=(BERTVIZ, LAYERS, HEAD_RANGE, TOKENS),
            row=self.row,
            stay={"view": "bertviz", "bertviz": self.name},
            controls=self.controls,
            draw=self.draw,
            example=self.example,
        )

    def controls(self, page: "OpenPage[Trace]") -> None:
        """The layer and the head, where the drawing is of one."""
        attention_sentence.choose(page.settings, page.data, *self.choices)
        hide_special(page.settings, page.data)

    def draw(self, page: "OpenPage[Trace]") -> Saves:
        """The sliders for the part that is drawn, and the drawing in a frame."""
        settings, trace = page.settings, page.data
        if nothing_typed(settings, trace):
            instruction()
            return []
        choose_part(settings, trace)
        page_html = html(settings, trace)
        with st.container(key="bertviz"):
            st.iframe(page_html, height="content")
        file = f"attention-{settings[MODEL]}-bertviz-{self.name}"
        part, hide = parts(settings, trace)[1], settings[HIDE]
        return [
            Picture("bertviz", file),
            Export("This view as a web page", f"{file}.html", lambda: page_html),
            Export("Weights", f"{file}.csv", lambda: _weights_table(trace, hide, part)),
        ]

    def example(self, page: "OpenPage[Trace]") -> Example:
        """What the drawing shows most of, from Python: the strongest link of every token or head."""
        settings = page.settings
        source, hide = example_input(page), settings[HIDE]
        if self.name == "neurons":
            layer, head = settings[LAYER], settings[HEAD]
            return Example(
                examples.scores_of_the_strongest, **source, layer=layer, head=head, hide_special=hide
            )
        if nothing_typed(settings, page.data):
            return Example(examples.strongest_link_of_every_head, **source, layers=[], hide_special=hide)
        part = parts(settings, page.data)[1]
        return Example(
            examples.strongest_link_of_every_head,
            **source,
            layers=list(part.layers),
            hide_special=hide,
            first=part.tokens[0],
            last=part.tokens[-1],
        )


DRAWINGS = {
    "heads": Drawing("heads", "Heads", (LAYER,)),
    "model": Drawing("model", "Model", ()),
    "neurons": Drawing("neurons", "Neurons", (LAYER, HEAD), "head"),
}
HEADS = DRAWINGS["heads"]
_page = kept(16)(bertviz_page.page)


def choose(settings: Settings) -> Drawing:
    """The choice of the drawing."""
    settings.restrict(BERTVIZ, DRAWINGS)
    titles = {name: drawing.title for name, drawing in DRAWINGS.items()}
    choice_row.choice_row(settings, BERTVIZ, "BertViz view", titles, {})
    return DRAWINGS[settings[BERTVIZ]]


def html(settings: Settings, trace: "Trace") -> str:
    """The page in the frame, the same for the same view, so that other controls do not reload it."""
    from explorer.trace import captured

    encoding, attention = trace.encoding, captured(trace.attention)
    part = parts(settings, trace)[1]
    positions, pattern = _weights(trace, settings[HIDE], part)
    tokens = [label(encoding, i) for i in positions]
    second = next((place for place, i in enumerate(positions) if encoding.side(i) == 1), None)
    tensors = {"attn": pattern}
    numbers: dict[str, Any] = {"include_layers": list(part.layers), "include_heads": list(part.heads)}
    if settings[BERTVIZ] == "neurons":
        layer, head = part.layers[0], part.heads[0]
        for name, vectors in (("queries", attention.queries), ("keys", attention.keys)):
            tensors[name] = vectors[layer, head, positions][None, None]
        numbers = {"chosen": _chosen(settings, trace, positions), "bidirectional": not attention.causal}
    view, colours = PAGES[settings[BERTVIZ]], frame.palette().name
    return _page(view, tensors, tokens, colours, second, presenting(), **numbers)


def _weights(trace: "Trace", hide: bool, part: Selection) -> tuple[list[int], "Tensor"]:
    """The positions of a part's tokens, and its weights [layer head query_pos key_pos]."""
    from explorer.analysis.attention.weights import patterns

    layers, heads, tokens = (slice(r.start, r.stop) for r in (part.layers, part.heads, part.tokens))
    every = patterns(trace, layers, hide)
    return [group[0] for group in every.groups[tokens]], every.pattern[:, heads, tokens, tokens]


def _chosen(settings: Settings, trace: "Trace", positions: list[int]) -> int:
    """The token that the neuron view opens on, by its place: the selected one, else the last word."""
    selected = SelectedToken.read(settings[TOKEN])
    if selected and selected.position in positions:
        return positions.index(selected.position)
    words = [
        place
        for place, i in enumerate(positions)
        if not trace.encoding.special[i] and has_letters(trace.encoding.surface(i))
    ]
    return words[-1] if words else 0


def _weights_table(trace: "Trace", hide: bool, part: Selection) -> str:
    positions, pattern = _weights(trace, hide, part)
    rows = [
        (head_name(layer, head), query, trace.tokens[query], key, trace.tokens[key], weight)
        for layer, heads in zip(part.layers, pattern.tolist())
        for head, weights in zip(part.heads, heads)
        for query, row in zip(positions, weights)
        for key, weight in zip(positions, row)
    ]
    return table(COLUMNS, rows)
