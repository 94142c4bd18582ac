"""The masked-words page: six views of one model that guesses hidden words, one of them at a time.

A view is a module of this package with `ask(settings)` (what a person types, there before the model
is), `draw(settings, model)`, `how(settings)` (how to read it, and a caveat) and `code(settings, model)`.
"""

from types import ModuleType

import streamlit as st

from explorer.views.frame.settings import Settings
from explorer.views.masked import layers, predict, score, sets, training, write

VIEWS: dict[str, tuple[str, ModuleType]] = {
    "predict": ("Predict", predict),
    "sets": ("Compare sets", sets),
    "layers": ("Layer by layer", layers),
    "training": ("How it was trained", training),
    "score": ("Score", score),
    "write": ("Write", write),
}


def view(settings: Settings) -> ModuleType:
    """The segmented control; the module of the chosen view."""
    if settings["view"] not in VIEWS:
        settings.set(view="predict")
    st.segmented_control(
        "View", list(VIEWS), key=settings.key("view"), format_func=lambda name: VIEWS[name][0],
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    return VIEWS[settings["view"]][1]
