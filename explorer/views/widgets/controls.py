"""Controls that are bound to a setting: each says its label, bounds and choices once.

From that it is drawn, its value is kept within the bounds (a link may say anything), a saved picture names
it, and the link has it. What is left over (`width`, `help`, `on_change` ...) is passed on to Streamlit.

    slider(settings, TEMPERATURE, "Temperature", 0.0, 2.0, step=0.1)
    switch(settings, MARKS, "Marks", help="Off: the same words as plain text.")
"""

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from explorer.locale import ENGLISH, _, in_this_language, language
from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings

ALL = -1  # of numbered items: the number for all of them
LARGEST_SEED = 10**9


def switch(settings: Settings, setting: Setting[bool], label: str, **more: Any) -> None:
    """A switch."""
    st.toggle(label, key=settings.key(setting, label), **more)


def slider(
    settings: Settings, setting: Setting[Any], label: str, least: float, most: float, **more: Any
) -> None:
    """A slider between two numbers; one outside is shown as the nearest."""
    settings.clamp(setting, least, most)
    st.slider(label, least, most, key=settings.key(setting, label), **more)


def stepped_slider(
    settings: Settings,
    setting: Setting[Any],
    label: str,
    choices: Mapping[Any, str] | Iterable[Any],
    **more: Any,
) -> None:
    """A slider over some numbers, with a name for each or for none; another is shown as the nearest."""
    names = _names(choices)
    settings.nearest(setting, names)
    key = settings.key(setting, label, names.get)
    st.select_slider(label, list(names), key=key, format_func=names.__getitem__, **more)


def seed_box(settings: Settings, setting: Setting[int], **more: Any) -> None:
    """The seed of the random numbers."""
    settings.clamp(setting, 0, LARGEST_SEED)
    st.number_input(_("Seed"), 0, LARGEST_SEED, step=1, key=settings.key(setting, _("Seed")), **more)


def segments(
    settings: Settings,
    setting: Setting[Any],
    label: str,
    choices: Mapping[Any, str] | Iterable[Any],
    **more: Any,
) -> None:
    """One of several choices in a row; the label is for screen readers."""
    more = {"label_visibility": "collapsed"} | more
    names = _restricted(settings, setting, choices)
    key = settings.key(setting, label, names.get)
    st.segmented_control(label, list(names), key=key, format_func=names.__getitem__, required=True, **more)


def menu(
    settings: Settings,
    setting: Setting[Any],
    label: str,
    choices: Mapping[Any, str] | Iterable[Any],
    **more: Any,
) -> None:
    """One of several choices from a menu."""
    names = _restricted(settings, setting, choices)
    key = settings.key(setting, label, names.get)
    st.selectbox(label, list(names), key=key, **{"format_func": names.__getitem__} | more)


def numbered(
    settings: Settings, setting: Setting[int], label: str, size: int, width: int = 130, every: str = ""
) -> None:
    """A menu of `size` numbered items such as Layer 1, Layer 2, which links count from 0.

    A larger stored number is shown as the nearest. `every` is the label for all items at once, with the
    number `ALL`; without it they cannot be chosen.
    """
    least = ALL if every else 0
    settings.clamp(setting, least, size - 1)
    st.selectbox(
        label,
        range(least, size),
        key=settings.key(setting, label, lambda number: every if number == ALL else str(number + 1)),
        label_visibility="collapsed",
        width=roomy(width, every or _("{label} {number}", label=label, number=size)),
        format_func=in_this_language(
            lambda number: every if number == ALL else _("{label} {number}", label=label, number=number + 1)
        ),
    )


def roomy(width: int, longest: str) -> int:
    """The width of a menu, more where the words of a language are longer than the English ones."""
    return width if language() == ENGLISH else max(width, 64 + 7 * len(longest))


def _restricted(
    settings: Settings, setting: Setting[Any], choices: Mapping[Any, str] | Iterable[Any]
) -> Mapping[Any, str]:
    names = _names(choices)
    settings.restrict(setting, names)
    return names


def _names(choices: Mapping[Any, str] | Iterable[Any]) -> Mapping[Any, str]:
    return choices if isinstance(choices, Mapping) else {choice: str(choice) for choice in choices}
