"""The page of causes: two prompts and their answers, and what in the network tells them apart."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, able_model, choose
from explorer.views.settings.settings import Settings
from explorer.views.why import parts, where, writes
from explorer.views.why.settings import ANSWER, FIRST, INSTEAD, MODEL, PROBABILITY, SECOND, VIEW_NAME

VIEWS: Mapping[str, View[None]] = {"where": where.VIEW, "parts": parts.VIEW, "writes": writes.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views, the prompts, and the model."""
    view = choose(settings, VIEWS)
    view.ask(settings)
    model = able_model(settings, header, view)
    return OpenPage(settings, view, None, model, st.container(gap="xsmall"))


SHARED = (VIEW_NAME, MODEL, FIRST, SECOND, ANSWER, INSTEAD, PROBABILITY)
PAGE = Page(name="why", settings=SHARED, views=VIEWS, open=open)
