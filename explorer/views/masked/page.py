"""Masked words: six views of models that fill blanks, or that notice replaced words."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views import kit
from explorer.views.masked import corruption, next_sentence, predict, replaced, sets, write
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import BLANK, MODEL, TEXT, VIEW_NAME, WORDS

CSS = Path(__file__).with_name("page.css")

VIEWS: Mapping[str, kit.View[PageText]] = {
    "predict": predict.VIEW,
    "training": corruption.VIEW,
    "next": next_sentence.VIEW,
    "replaced": replaced.VIEW,
    "sets": sets.VIEW,
    "write": write.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[PageText]:
    """Draw the row of views and the text boxes of the chosen view; load the model."""
    st.html(f"<style>{assets.text(CSS)}</style>")
    view = kit.choose(settings, VIEWS)
    view.boxes(settings)
    model = kit.able_model(settings, header, view)
    assert model is not None  # every view of this page needs one
    return kit.OpenPage(settings, view, PageText(model, settings), model, st.container(gap="xsmall"))


PAGE = kit.Page(name="masked", settings=(VIEW_NAME, TEXT, MODEL, WORDS, BLANK), views=VIEWS, open=open)
