"""The continuations page: four views of a model that writes from left to right, one of them at a time.

A view is a module of this package with `PRESETS`, `draw(settings, model)`, `how(settings)` (how to read
it, and a caveat) and `code(settings)`.
"""

from functools import cache
from pathlib import Path
from types import ModuleType

import streamlit as st

from explorer.views.continuations import colour, decoders, guess, write
from explorer.views.frame.settings import Settings

CSS = Path(__file__).with_name("page.css")
VIEWS: dict[str, tuple[str, ModuleType]] = {
    "write": ("Write", write),
    "colour": ("Colour a text", colour),
    "ways": ("Five ways", decoders),
    "guess": ("Guess", guess),
}


def view(settings: Settings) -> ModuleType:
    """The segmented control; the module of the chosen view."""
    st.html(f"<style>{_css()}</style>")
    if settings["view"] not in VIEWS:
        settings.set(view="write")
    st.segmented_control(
        "View", list(VIEWS), key=settings.key("view"), format_func=lambda name: VIEWS[name][0],
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    return VIEWS[settings["view"]][1]


@cache
def _css() -> str:
    return CSS.read_text(encoding="utf-8")
