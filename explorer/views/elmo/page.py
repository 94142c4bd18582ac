"""ELMo's page: its two LSTMs with what both expect, and how it reads a word letter by letter."""

from collections.abc import Mapping

import streamlit as st

from explorer.views import kit
from explorer.views.elmo import bilm, characters
from explorer.views.elmo.settings import MODEL, VIEW_NAME

VIEWS: Mapping[str, kit.View[None]] = {"bilm": bilm.VIEW, "characters": characters.VIEW}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The row of views and the model."""
    view = kit.choose(settings, VIEWS)
    model = kit.model_with(settings, header, "NEXT_WORD", "PREVIOUS_WORD")
    return kit.OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = kit.Page(name="sides", settings=(VIEW_NAME, MODEL), views=VIEWS, open=open)
