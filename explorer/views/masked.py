"""The masked-words page: six views of one model that guesses hidden words, one of them at a time.

A view is a module of this package with `ask(settings)` (what a person types, there before the model
is), `draw(settings, model)`, `how(settings)` (how to read it, and a caveat) and `code(settings, model)`.
"""

from types import ModuleType

import streamlit as st

from explorer.views import (
    masked_layers,
    masked_predict,
    masked_score,
    masked_sets,
    masked_training,
    masked_write,
)
from explorer.views.settings import Settings

VIEWS: dict[str, tuple[str, ModuleType]] = {
    "predict": ("Predict", masked_predict),
    "sets": ("Compare sets", masked_sets),
    "layers": ("Layer by layer", masked_layers),
    "training": ("How it was trained", masked_training),
    "score": ("Score", masked_score),
    "write": ("Write", masked_write),
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
