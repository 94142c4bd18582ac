"""Continuations: four views of a model that writes from left to right."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import assets
from explorer.views.continuations import colour, decoders, guess, write
from explorer.views.continuations.presets import STORY
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.values import Whole
from explorer.views.frame.view import Page, View, choose, nothing, picture

CSS = Path(__file__).with_name("page.css")

NAME = "continuations"
SETTINGS: dict[str, Any] = {"view": "write", "model": WRITER, "text": STORY, "seed": Whole(0), "length": 40}
VIEWS: Mapping[str, View[None]] = {"write": write, "colour": colour, "ways": decoders, "guess": guess}
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[None]:
    """The row of views and the model. Raises AbilityError for one that does not write."""
    st.html(f"<style>{_css()}</style>")
    view = choose(settings, VIEWS)
    return Page(settings, view, None, header.model("GENERATE"), row=st.container(gap="xsmall"))


@cache
def _css() -> str:
    return assets.text(CSS)
