"""Masked words: seven views of models that fill blanks, or that notice replaced words."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, able_model, choose
from explorer.views.masked import (
    corruption,
    layers,
    next_sentence,
    predict,
    replaced,
    sets,
    write,
)
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import BLANK, MODEL, TEXT, VIEW_NAME, WORDS
from explorer.views.settings.settings import Settings

CSS = Path(__file__).with_name("page.css")

VIEWS: Mapping[str, View[PageText]] = {
    "predict": predict.VIEW,
    "training": corruption.VIEW,
    "next": next_sentence.VIEW,
    "replaced": replaced.VIEW,
    "sets": sets.VIEW,
    "layers": layers.VIEW,
    "write": write.VIEW,
}


def open(settings: Settings, header: Header) -> OpenPage[PageText]:
    """Draw the row of views and the text boxes of the chosen view; load the model."""
    st.html(f"<style>{assets.text(CSS)}</style>")
    view = choose(settings, VIEWS)
    view.ask(settings)
    model = able_model(settings, header, view)
    assert model is not None  # every view of this page needs one
    return OpenPage(settings, view, PageText(model, settings), model, st.container(gap="xsmall"))


PAGE = Page(name="masked", settings=(VIEW_NAME, TEXT, MODEL, WORDS, BLANK), views=VIEWS, open=open)
