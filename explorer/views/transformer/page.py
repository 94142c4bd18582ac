"""The Transformer page: an overview, a layer step by step, positions, attention masks and a translator."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, able_model, choose
from explorer.views.settings.settings import Settings
from explorer.views.transformer import (
    masks,
    overview,
    positions,
    segments,
    steps,
    translator,
    waiting,
)
from explorer.views.transformer.settings import MODEL, PAIR, TEXT, VIEW_NAME

VIEWS: Mapping[str, View[None]] = {
    "overview": overview.VIEW,
    "waiting": waiting.VIEW,
    "steps": steps.VIEW,
    "positions": positions.VIEW,
    "masks": masks.VIEW,
    "translator": translator.VIEW,
    "segments": segments.VIEW,
}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views, and the model if the chosen view needs one."""
    view = choose(settings, VIEWS)
    model = able_model(settings, header, view)
    return OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = Page(name="transformer", settings=(VIEW_NAME, MODEL, TEXT, PAIR), views=VIEWS, open=open)
