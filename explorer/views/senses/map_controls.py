"""What every map of a word can be set to: how it is projected, and into how many dimensions."""

from collections.abc import Sequence

import streamlit as st

from explorer.views.frame.settings import Settings
from explorer.views.senses.layer_maps import METHODS


def projection_controls(settings: Settings, offered: Sequence[str]) -> None:
    """The choice of a projection among those offered, and of its dimensions, in the row that is open."""
    st.segmented_control(
        "Projection",
        offered,
        key=settings.key("projection", "Projection", METHODS.get),
        format_func=lambda method: METHODS[method],
        required=True,
        label_visibility="collapsed",
    )
    st.segmented_control(
        "Dimensions",
        [2, 3],
        key=settings.key("axes", "Dimensions", "{}-D".format),
        format_func="{}-D".format,
        required=True,
        label_visibility="collapsed",
    )
