"""Continuations: nine views of a model that writes from left to right; one of them takes BERT too."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views import kit
from explorer.views.continuations import (
    bench,
    cache,
    chat,
    colour,
    decoders,
    dice,
    few_shot,
    looking_back,
    write,
)
from explorer.views.continuations.settings import LENGTH, MODEL, SEED, TEXT, VIEW_NAME

CSS = Path(__file__).with_name("page.css")

VIEWS: Mapping[str, kit.View[None]] = {
    "write": write.VIEW,
    "dice": dice.VIEW,
    "bench": bench.VIEW,
    "look-back": looking_back.VIEW,
    "examples": few_shot.VIEW,
    "chat": chat.VIEW,
    "colour": colour.VIEW,
    "ways": decoders.VIEW,
    "cache": cache.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """Draw the row of views and load the model."""
    st.html(f"<style>{assets.text(CSS)}</style>")
    view = kit.choose(settings, VIEWS)
    model = kit.able_model(settings, header, view)
    return kit.OpenPage(settings, view, None, model, row=st.container(gap="xsmall"))


PAGE = kit.Page(name="continuations", settings=(VIEW_NAME, MODEL, TEXT, SEED, LENGTH), views=VIEWS, open=open)
