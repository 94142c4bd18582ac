"""The page of search by meaning. Its picker chooses the sentence encoder; its views, the kind of vectors."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, choose, model_with
from explorer.views.search import answer, find, sentences
from explorer.views.search.settings import KIND, MODEL, VIEW_NAME
from explorer.views.settings.settings import Settings

VIEWS: Mapping[str, View[None]] = {
    "sentences": sentences.VIEW,
    "find": find.VIEW,
    "answer": answer.VIEW,
}
CSS = Path(__file__).with_name("page.css")


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views, and the model. Raises AbilityError for one without states of its tokens."""
    st.html(f"<style>{assets.text(CSS)}</style>")
    view = choose(settings, VIEWS)
    model = model_with(settings, header, "CONTEXT")
    return OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = Page(name="search", settings=(VIEW_NAME, MODEL, KIND), views=VIEWS, open=open)
