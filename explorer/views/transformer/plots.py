"""What the charts of this page have in common: colours, letters, and a way to say a chart in words."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.chart import LARGER
from explorer.views.frame.presenter import presenting
from explorer.views.frame.theme import SMALLEST, Palette
from explorer.views.widgets.chart_look import blank, look

if TYPE_CHECKING:
    import plotly.graph_objects as go

LETTER_PX = 8.6  # about the width of a letter at 16 px
LONGEST = 14  # letters of a word beside or under a chart


def figure(palette: Palette, height: int, titles: Sequence[str] = (), **grid: Any) -> "go.Figure":
    """An empty chart; `grid` is what plotly's `make_subplots` takes, `titles` (HTML) one for each cell."""
    made = blank(subplot_titles=[f"<b>{title}</b>" for title in titles] or None, **grid)
    size = SMALLEST * (LARGER if presenting() else 1)  # `chart` enlarges only what has no size of its own
    look(made, palette, height, margin={"l": 56, "r": 12, "t": 34 if titles else 12, "b": 48})
    made.update_annotations(font={"size": size, "color": palette.ink})
    axis = {
        "title_font_size": size,
        "fixedrange": True,
        "zeroline": False,
        "linecolor": palette.quiet,
        "title_font_color": palette.quiet,
    }
    made.update_xaxes(showgrid=False, tickangle=0, title_standoff=6, **axis)
    made.update_yaxes(gridcolor=palette.hairline, title_standoff=8, **axis)
    return made


def name(text: str) -> str:
    """What a person typed, as a chart writes it: no longer than fits, and never as HTML.

    >>> name("bank"), name("incomprehensible"), name("<b>")
    ('bank', 'incomprehensi…', '&lt;b&gt;')
    """
    return escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def signed(palette: Palette) -> list[list[Any]]:
    """Colours from low over the middle to high."""
    low, middle, high = palette.difference
    return [[0, low], [0.5, middle], [1, high]]


def ramp(colours: tuple[str, str]) -> list[list[Any]]:
    """Colours from nothing to full."""
    return [[0, colours[0]], [1, colours[1]]]


def unseen(said: str) -> None:
    """A chart in words, for those who hear the page."""
    hidden = "position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)"
    st.html(f'<p style="{hidden}">{escape(said)}</p>')
