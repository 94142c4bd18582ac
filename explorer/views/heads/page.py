"""The heads page: which head does what, which heads do this, and what happens without them.

A view is a module of this package with `draw(settings, model)`, `how(settings)` (how to read it, and
a caveat), `PRESETS` and `code(settings, model)`; settings of all views are in presets/heads.py.
"""

from types import ModuleType
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import AbilityError
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.heads import find, kinds, switch_off

if TYPE_CHECKING:
    from explorer.models import LanguageModel

VIEWS: dict[str, tuple[str, ModuleType]] = {
    "kinds": ("Kinds of head", kinds),
    "find": ("Find a head", find),
    "off": ("Switch off", switch_off),
}


def view(settings: Settings) -> ModuleType:
    """The segmented control; the module of the chosen view."""
    if settings["view"] not in VIEWS:
        settings.set(view="kinds")
    st.segmented_control(
        "View", list(VIEWS), key=settings.key("view"), format_func=lambda name: VIEWS[name][0],
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    return VIEWS[settings["view"]][1]


def model(header: Header) -> "LanguageModel":
    """The picker, and the chosen model. Raises AbilityError for one without heads."""
    from explorer.trace import Ability

    chosen = header.model("ATTENTION")
    if Ability.ATTENTION not in chosen.abilities:
        raise AbilityError(
            f"{chosen.checkpoint} has no heads: it reads without attention.",
            "Choose a Transformer, such as BERT or GPT, in the picker.",
        )
    return chosen
