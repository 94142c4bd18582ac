"""The attention page: several views of the same trace."""

from collections.abc import Mapping

import streamlit as st

from explorer.views import kit
from explorer.views.attention import across_layers, bertviz, compare, inside_head, one_layer, sentence
from explorer.views.attention.sentence import SelectedToken
from explorer.views.attention.settings import HEAD, HIDE, LAYER, MODEL, PAIR, TEXT, TOKEN, VIEW_NAME
from explorer.views.types import Trace
from explorer.views.widgets import two_texts

VIEWS: "Mapping[str, kit.View[Trace]]" = {
    "head": one_layer.VIEW,
    "inside": inside_head.VIEW,
    "compare": compare.VIEW,
    "layers": across_layers.VIEW,
    "bertviz": bertviz.VIEW,
}

READ = kit.Session[tuple[str, str] | None]("attention/read", None)


def open(settings: kit.Settings, header: kit.Header) -> "kit.OpenPage[Trace]":
    """The texts, the model, their trace, and the row of views, which a view's controls join.

    Raises AbilityError for a model without attention.
    """
    texts = two_texts.first_text(settings, sentence.RESETS)
    model = kit.model_with(settings, header, "ATTENTION")
    two_texts.second_text(settings, texts, model, sentence.RESETS)
    trace = sentence.trace(settings, model)
    _fit(settings, trace)
    row = st.container(key="attention-controls", horizontal=True, vertical_alignment="center")
    with row:
        view = kit.choose(settings, VIEWS)
    return kit.OpenPage(settings, view, trace, model, row)


def _fit(settings: kit.Settings, trace: "Trace") -> None:
    """Adjust settings from a link, another model or another text to this model and text."""
    layers, heads = sentence.layers_and_heads(trace)
    settings.clamp(LAYER, 0, layers - 1)
    settings.clamp(HEAD, 0, heads - 1)
    selected = SelectedToken.read(settings[TOKEN])
    selected = selected and selected.follow(sentence.words(trace.encoding))
    # A word missing from this model's tokens may be there with the next model; not so in another text.
    text = settings[TEXT], settings[PAIR]
    keep = settings.show_instead if READ.get() in (None, text) else settings.set
    keep(TOKEN.to(selected and selected.setting))
    READ.set(text)


PAGE = kit.Page(
    name="attention",
    settings=(MODEL, VIEW_NAME, TEXT, PAIR, LAYER, HEAD, HIDE, TOKEN),
    views=VIEWS,
    open=open,
)
