"""The word vectors page: five views of one vector a word, one of them at a time.

A view is a module of this package with `draw(settings, name)`, `how(settings)` (how to read it, and a
caveat) and `code(settings)`; `name` is the model's.
"""

from types import ModuleType

import streamlit as st

from explorer.views.frame import warm_up
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.vectors import analogies, live_training, neighbours, one_hot, word_map

VIEWS: dict[str, tuple[str, ModuleType]] = {
    "neighbours": ("Neighbours", neighbours),
    "analogies": ("Analogies", analogies),
    "map": ("Map", word_map),
    "one-hot": ("One-hot", one_hot),
    "train": ("Train it live", live_training),
}


def view(settings: Settings) -> ModuleType:
    """The segmented control; the module of the chosen view."""
    if settings["view"] not in VIEWS:
        settings.set(view="neighbours")
    st.segmented_control(
        "View", list(VIEWS), key=settings.key("view"), format_func=lambda name: VIEWS[name][0],
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    return VIEWS[settings["view"]][1]


def model(settings: Settings, header: Header, chosen: ModuleType) -> str:
    """The picker, and the name of the model it names; none where the view trains its own.

    Raises AbilityError for a model without a vector for each word.
    """
    if chosen is live_training:
        warm_up.let_words_out()
        return ""
    header.model("VECTORS", "ATTENTION")
    return settings["model"]
