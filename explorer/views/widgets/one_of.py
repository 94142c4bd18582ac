"""One of several named choices, in a row, bound to a setting."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings


def one_of(settings: Settings, name: Setting[Any], label: str, known: Mapping[Any, str], **more: Any) -> None:
    """The setting `name` as a row of `known` choices; `more` is what else Streamlit's control is to take.

    The label is for those who hear the page.
    """
    st.segmented_control(
        label,
        list(known),
        key=settings.key(name, label, known.get),
        format_func=known.__getitem__,
        required=True,
        label_visibility="collapsed",
        **more,
    )
