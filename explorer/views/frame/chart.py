"""A Plotly chart on a page, at its size in presenter mode too."""

import copy
import math
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from explorer.locale import _, percent
from explorer.views.frame.presenter import ZOOM, presenting

if TYPE_CHECKING:
    import plotly.graph_objects as go

LETTER = 12  # px that Plotly gives to letters without a size
# What is measured in pixels, by the name of the part that it belongs to; "" is any part.
LENGTHS = {
    "": {"xshift", "yshift", "ticklen", "tickwidth", "linewidth", "gridwidth", "standoff", "xgap", "ygap"},
    "font": {"size"},
    "tickfont": {"size"},
    "textfont": {"size"},
    "marker": {"size"},
    "line": {"width"},
    "margin": {"l", "r", "t", "b", "pad"},
}


def chart(figure: "go.Figure", key: str, least: Literal[0, 480, 640, 820] = 0) -> None:
    """Draw a figure in its own colours; on a screen of less than `least` px it scrolls in its frame.

    Plotly measures its box in pixels of the screen, so presenter.css does not zoom it; letters, lines, marks
    and margins are enlarged here instead. The box itself grows with the page.
    """
    if (mark := _(".")) != ".":
        figure.update_layout(separators=f"{mark}\u202f")  # of decimals and of thousands
    for axis in figure.select_yaxes():
        if axis.tickformat == ".0%" and axis.range and percent(1) != "1%":  # Plotly writes no space there
            axis.tickvals = axis.tickvals or _whole_per_cents(*axis.range)
            axis.ticktext = [percent(round(100 * value)) for value in axis.tickvals]
    if presenting():
        figure = enlarged(figure, ZOOM.get())
    with st.container(key=f"wide-{least}-{key}") if least else nullcontext():
        st.plotly_chart(figure, theme=None, key=key, config={"displayModeBar": False})


def _whole_per_cents(low: float, high: float) -> list[float]:
    """Six places at most on an axis of shares, in round numbers.

    >>> _whole_per_cents(0, 1.02), _whole_per_cents(0.55, 0.73)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.55, 0.6, 0.65, 0.7])
    """
    step = next((step for step in (1, 2, 5, 10, 20) if 100 * (high - low) / step < 6), 50)
    first, last = (100 * round(end, 6) / step for end in (low, high))
    places = range(math.ceil(round(first, 6)), math.floor(round(last, 6)) + 1)
    return [step * place / 100 for place in places]


def enlarged(figure: "go.Figure", factor: float) -> "go.Figure":
    """The same figure with all that is measured in pixels enlarged, but for its own height and width."""
    figure = copy.deepcopy(figure)
    layout = figure.layout
    figure.update_layout(font_size=layout.font.size or LETTER)
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        if axis.linecolor is not None or axis.showline:
            axis.linewidth = axis.linewidth or 1
    for trace in figure.data:
        if trace.type in ("scatter", "scattergl"):
            if "lines" in (trace.mode or "lines"):
                trace.line.width = 2 if trace.line.width is None else trace.line.width
            if "markers" in (trace.mode or "") and trace.marker.size is None:
                trace.marker.size = 6
    return type(figure)(_enlarged(figure.to_dict(), factor), skip_invalid=True)


def _enlarged(part: Any, factor: float, name: str = "") -> Any:
    if isinstance(part, dict):
        lengths = LENGTHS[""] | LENGTHS.get(name, set())
        return {
            key: _scaled(value, factor) if key in lengths else _enlarged(value, factor, key)
            for key, value in part.items()
        }
    if isinstance(part, list | tuple) and part and isinstance(part[0], dict):
        return [_enlarged(item, factor) for item in part]
    return part


def _scaled(length: Any, factor: float) -> Any:
    """A length, or a list of lengths, enlarged; anything else as it is."""
    if isinstance(length, bool) or length is None or isinstance(length, str | dict):
        return length
    if isinstance(length, int | float):
        return length * factor
    return [each * factor for each in length]
