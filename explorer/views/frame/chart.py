"""A Plotly chart on a page, at its size in presenter mode too."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.presenter import presenting

if TYPE_CHECKING:
    import plotly.graph_objects as go

LARGER = 1.25  # factor for letters and their margins in presenter mode


def chart(figure: "go.Figure", key: str) -> None:
    """Draw a figure in its own colours.

    Plotly measures its box in pixels of the screen, so presenter.css does not zoom it; the letters are
    enlarged here instead.
    """
    if presenting():
        layout = figure.layout
        margin = {side: round((layout.margin[side] or 0) * LARGER) for side in "lrtb"}
        figure.update_layout(font_size=(layout.font.size or 12) * LARGER, margin=margin)
    st.plotly_chart(figure, theme=None, key=key, config={"displayModeBar": False})
