"""The page of search by meaning. Its picker chooses the sentence encoder; its views, the kind of vectors."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views import kit
from explorer.views.search import answer, find, sentences
from explorer.views.search.settings import KIND, MODEL, VIEW_NAME

VIEWS: Mapping[str, kit.View[None]] = {"sentences": sentences.VIEW, "find": find.VIEW, "answer": answer.VIEW}
CSS = Path(__file__).with_name("page.css")


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The row of views, and the model. Raises AbilityError for one without states of its tokens."""
    st.html(f"<style>{assets.text(CSS)}</style>")
    view = kit.choose(settings, VIEWS)
    model = kit.model_with(settings, header, "CONTEXT")
    return kit.OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = kit.Page(name="search", settings=(VIEW_NAME, MODEL, KIND), views=VIEWS, open=open)
