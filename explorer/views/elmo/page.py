"""ELMo's page: its two LSTMs with what both expect, and how it reads a word letter by letter."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.elmo import bilm, characters
from explorer.views.elmo.settings import MODEL, VIEW_NAME
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, choose, model_with
from explorer.views.settings.settings import Settings

VIEWS: Mapping[str, View[None]] = {"bilm": bilm.VIEW, "characters": characters.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views and the model."""
    view = choose(settings, VIEWS)
    model = model_with(settings, header, "NEXT_WORD", "PREVIOUS_WORD")
    return OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = Page(name="sides", settings=(VIEW_NAME, MODEL), views=VIEWS, open=open)
