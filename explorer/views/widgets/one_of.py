"""One of several named choices, in a row, bound to a setting."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings


def one_of(
    settings: Settings, name: Setting[Any], label: str, choices: Mapping[Any, str], **more: Any
) -> None:
    """Draw the setting `name` as a row of `choices`; `more` is passed on to Streamlit's control.

    The label is for screen readers.
    """
    st.segmented_control(
        label,
        list(choices),
        key=settings.key(name, label, choices.get),
        format_func=choices.__getitem__,
        required=True,
        label_visibility="collapsed",
        **more,
    )
