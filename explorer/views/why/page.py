"""The page of causes: two prompts and their answers, and what in the network tells them apart."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, able_model, choose
from explorer.views.settings.settings import Settings
from explorer.views.why import where
from explorer.views.why.settings import ANSWER, FIRST, INSTEAD, MODEL, SECOND, VIEW_NAME

VIEWS: Mapping[str, View[None]] = {"where": where.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views, the prompts, and the model."""
    view = choose(settings, VIEWS)
    view.ask(settings)
    model = able_model(settings, header, view)
    return OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = Page(name="why", settings=(VIEW_NAME, MODEL, FIRST, SECOND, ANSWER, INSTEAD), views=VIEWS, open=open)
