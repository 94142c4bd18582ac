"""The Transformer page: an overview, a layer step by step, positions, attention masks and a translator."""

from collections.abc import Mapping

import streamlit as st

from explorer.views import kit
from explorer.views.transformer import masks, overview, positions, segments, steps, translator, waiting
from explorer.views.transformer.settings import MODEL, PAIR, TEXT, VIEW_NAME

VIEWS: Mapping[str, kit.View[None]] = {
    "overview": overview.VIEW,
    "waiting": waiting.VIEW,
    "steps": steps.VIEW,
    "positions": positions.VIEW,
    "masks": masks.VIEW,
    "translator": translator.VIEW,
    "segments": segments.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The row of views, and the model if the chosen view needs one."""
    view = kit.choose(settings, VIEWS)
    model = kit.able_model(settings, header, view)
    return kit.OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = kit.Page(name="transformer", settings=(VIEW_NAME, MODEL, TEXT, PAIR), views=VIEWS, open=open)
