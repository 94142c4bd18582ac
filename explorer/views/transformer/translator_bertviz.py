"""Translator: BertViz's head and model views of the encoder, the decoder and the attention between them."""

from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from explorer.views.frame import theme
from explorer.views.frame.page import palette
from explorer.views.frame.presenter import presenting
from explorer.views.transformer.translator_found import Found
from explorer.views.transformer.written import START, shown
from explorer.views.widgets import bertviz_page
from explorer.views.widgets.bertviz_limits import Part, fit_model, fit_tokens

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.models import LanguageModel

ATTENTIONS = {"cross": "Cross", "encoder": "Encoder", "decoder": "Decoder"}


class Shown(NamedTuple):
    """Whose attention is drawn: patterns [layer head query_pos key_pos], who reads and who is read."""

    pattern: "Tensor"
    reading: list[str]
    read: list[str]


def attention(found: Found, side: str) -> Shown:
    """The attention of the encoder, of the decoder, or of the decoder to the encoder."""
    trace = found.trace
    assert trace.cross and trace.source.attention and trace.target.attention
    source, written = ([shown(token) for token in some] for some in (trace.source.tokens, trace.written))
    match side:
        case "encoder":
            return Shown(trace.source.attention.pattern, source, source)
        case "decoder":
            return Shown(trace.target.attention.pattern, written, [START, *written[:-1]])
    return Shown(trace.cross.pattern, written, source)


def draw(model: "LanguageModel", found: Found, side: str, layer: int | None) -> str:
    """The head view of a layer, or the model view of all, in a frame, and what of the sentences it leaves
    out; returns its page."""
    drawn = attention(found, side)
    part = fitting(drawn, layer)
    which = (str(model.checkpoint), found.translation.source.text, found.tree.path(found.branch), side)
    made = _html(which, layer is None, part, palette().name, presenting(), drawn)
    with st.container(key="bertviz"):
        st.iframe(made, height="content")
    longest = max(len(drawn.reading), len(drawn.read))
    if len(part.tokens) < longest:
        st.html(
            f'<p class="rb-quiet" style="margin:0">You see the first {len(part.tokens)} tokens of each '
            "sentence. Weights on the others are not drawn.</p>"
        )
    return made


def fitting(drawn: Shown, layer: int | None) -> Part:
    """As much of a layer, or of all, as BertViz is asked to draw."""
    layers, heads, *length = drawn.pattern.shape
    if layer is None:
        return fit_model(Part(range(layers), range(heads), range(max(length))))
    return fit_tokens(Part(range(layer, layer + 1), range(heads), range(max(length))))


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs={Part: repr})
def _html(which: tuple[Any, ...], whole: bool, part: Part, colours: str, low: bool, _drawn: Shown) -> str:
    layers, heads, size = part.layers, part.heads, len(part.tokens)
    chosen = _drawn.pattern[layers[0] : layers[-1] + 1, heads[0] : heads[-1] + 1, :size, :size]
    reading, read, look = _drawn.reading[:size], _drawn.read[:size], theme.palette(colours)
    if whole:
        return bertviz_page.model_view(chosen, reading, layers, heads, look, low=low, read=read)
    return bertviz_page.head_view(chosen[0], reading, layers[0], look, low=low, read=read)
