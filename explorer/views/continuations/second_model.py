"""The choice of a second model, drawn beside the page's own."""

from collections.abc import Callable
from typing import Any

import streamlit as st

import explorer
from explorer.catalogue.ability import Ability
from explorer.locale import _, in_this_language
from explorer.views import kit
from explorer.views.continuations.settings import MODEL


def choose_second(
    settings: kit.Settings,
    setting: kit.Setting[str],
    *abilities: str,
    format_name: Callable[[str], str] = kit.memory.short_label,
    **layout: Any,
) -> None:
    """Draw a menu of the other models that have one of these abilities; "" is no second model.

    `layout` is passed on to Streamlit's control.
    """
    able = [
        c for c in explorer.available() if c.abilities and any(c.abilities & Ability[a] for a in abilities)
    ]
    names = ["", *(name for name in map(str, able) if name != settings[MODEL])]
    settings.restrict(setting, names)
    label, none = _("A second model"), _("no second model")
    st.selectbox(
        label,
        names,
        key=settings.key(setting, label, kit.memory.short_label),
        format_func=in_this_language(
            lambda name: _("beside {name}", name=format_name(name)) if name else none
        ),
        on_change=lambda: kit.picker.choose(settings[setting]),
        **layout,
    )
