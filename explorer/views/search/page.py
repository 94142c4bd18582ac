"""The page of search by meaning. Its views choose among kinds of vectors, not among models."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, choose
from explorer.views.search import sentences
from explorer.views.search.settings import KIND, VIEW_NAME
from explorer.views.settings.settings import Settings

VIEWS: Mapping[str, View[None]] = {"sentences": sentences.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views."""
    return OpenPage(settings, choose(settings, VIEWS), None, None, st.container(gap="xsmall"))


PAGE = Page(name="search", settings=(VIEW_NAME, KIND), views=VIEWS, open=open)
