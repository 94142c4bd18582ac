"""The line under the drawing: which head answers, and what can be done with it."""

from html import escape

import streamlit as st

from explorer.views.finetuning.bench import Bench
from explorer.views.frame.view import Page


def which_head(page: Page[Bench]) -> None:
    """Draw it."""
    said = page.data.speaker.said if page.data.speaker else "No head has been trained on these examples yet."
    st.html(f'<p class="rb-point">{escape(said)}</p>')
