"""The page of tokens, whose views need a tokenizer and no weights."""

from collections.abc import Mapping

import streamlit as st

from explorer.server import warm_up
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, choose
from explorer.views.settings.settings import Settings
from explorer.views.tokens import cut, learning, vocabulary
from explorer.views.tokens.settings import VIEW_NAME

VIEWS: Mapping[str, View[None]] = {"cut": cut.VIEW, "learning": learning.VIEW, "vocabulary": vocabulary.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views."""
    view = choose(settings, VIEWS)
    warm_up.yield_to_first_paint()
    return OpenPage(settings, view, None, None, st.container(gap="xsmall"))


PAGE = Page(name="tokens", settings=(VIEW_NAME,), views=VIEWS, open=open)
