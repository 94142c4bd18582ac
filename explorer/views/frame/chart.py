"""A Plotly chart on a page, at its size in presenter mode too."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.presenter import presenting

if TYPE_CHECKING:
    import plotly.graph_objects as go

LARGER = 1.25  # letters and the margins that hold them, in presenter mode


def chart(figure: "go.Figure", key: str) -> None:
    """Draw a figure in the page's own colours, which it brings with it.

    Plotly measures its box in pixels of the screen, so presenter.css takes the zoom away from what it draws,
    and the letters grow here instead.
    """
    if presenting():
        layout = figure.layout
        margin = {side: round((layout.margin[side] or 0) * LARGER) for side in "lrtb"}
        figure.update_layout(font_size=(layout.font.size or 12) * LARGER, margin=margin)
    st.plotly_chart(figure, theme=None, key=key, config={"displayModeBar": False})
