"""Continuations: eight views of a model that writes from left to right; one of them takes BERT too."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views.continuations import (
    chat,
    class_writes,
    colour,
    decoders,
    few_shot,
    guess,
    looking_back,
    write,
)
from explorer.views.continuations.settings import LENGTH, MODEL, SEED, TEXT, VIEW_NAME
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, able_model, choose
from explorer.views.settings.settings import Settings

CSS = Path(__file__).with_name("page.css")

VIEWS: Mapping[str, View[None]] = {
    "write": write.VIEW,
    "ways": decoders.VIEW,
    "look-back": looking_back.VIEW,
    "examples": few_shot.VIEW,
    "chat": chat.VIEW,
    "guess": guess.VIEW,
    "class": class_writes.VIEW,
    "colour": colour.VIEW,
}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """Draw the row of views and load the model."""
    st.html(f"<style>{assets.text(CSS)}</style>")
    view = choose(settings, VIEWS)
    model = able_model(settings, header, view)
    return OpenPage(settings, view, None, model, row=st.container(gap="xsmall"))


PAGE = Page(name="continuations", settings=(VIEW_NAME, MODEL, TEXT, SEED, LENGTH), views=VIEWS, open=open)
