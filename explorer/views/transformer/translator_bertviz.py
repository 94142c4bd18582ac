"""Translator: BertViz's head and model views of the encoder, the decoder and the attention between them."""

from typing import NamedTuple

import streamlit as st

from explorer.locale import N_, _, language
from explorer.views import kit
from explorer.views.transformer.translator_search import TranslatorSearch
from explorer.views.transformer.written import START, piece_text
from explorer.views.types import Tensor
from explorer.views.widgets import bertviz_page
from explorer.views.widgets.bertviz_limits import Selection, fit_model, fit_tokens

ATTENTIONS = {"cross": N_("Cross"), "encoder": N_("Encoder"), "decoder": N_("Decoder")}

_page = kit.kept(16)(bertviz_page.page)


class Shown(NamedTuple):
    """The patterns drawn [layer head query_pos key_pos], the tokens that read and those that are read."""

    pattern: "Tensor"
    reading: list[str]
    read: list[str]


def attention(result: TranslatorSearch, side: str) -> Shown:
    """The attention of the encoder, of the decoder, or of the decoder to the encoder."""
    trace = result.trace
    assert trace.cross and trace.source.attention and trace.target.attention
    source, written = (
        [piece_text(token) for token in tokens] for tokens in (trace.source.tokens, trace.written)
    )
    match side:
        case "encoder":
            return Shown(trace.source.attention.pattern, source, source)
        case "decoder":
            return Shown(trace.target.attention.pattern, written, [_(START), *written[:-1]])
    return Shown(trace.cross.pattern, written, source)


def draw(result: TranslatorSearch, side: str, layer: int | None) -> None:
    """The head view of a layer, or the model view of all, in a frame.

    A line below says how many tokens are drawn if they are not all.
    """
    heads = attention(result, side)
    part = fitting(heads, layer)
    size = len(part.tokens)
    html = _page(
        "model_view" if layer is None else "head_view",
        {"attn": heads.pattern[list(part.layers)][:, list(part.heads), :size, :size]},
        heads.reading[:size],
        kit.palette().name,
        low=kit.presenting(),
        read=heads.read[:size],
        language=language(),
        include_layers=list(part.layers),
        include_heads=list(part.heads),
    )
    with st.container(key="bertviz"):
        st.iframe(html, height="content")
    if size < max(len(heads.reading), len(heads.read)):
        line = _(
            "You see the first {count} tokens of each sentence. Weights on the others are not drawn.",
            count=size,
        )
        kit.note(line)


def fitting(heads: Shown, layer: int | None) -> Selection:
    """As much of a layer, or of all, as BertViz may draw."""
    layers, count, *lengths = heads.pattern.shape
    if layer is None:
        return fit_model(Selection(range(layers), range(count), range(max(lengths))))
    return fit_tokens(Selection(range(layer, layer + 1), range(count), range(max(lengths))))
