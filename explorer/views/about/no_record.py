"""The view of a model without a record of its training."""

from html import escape

import streamlit as st

from explorer.server.memory import short_label
from explorer.views.about.choice import Training
from explorer.views.frame.example import Example
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text


def draw(page: OpenPage[Training]) -> Saves:
    """A line that says so."""
    st.html(
        f'<p class="rb-none">No record of the training of {escape(short_label(page.data.name))} was kept.<br>'
        "Its card, below, says what is known.</p>"
    )
    return []


def card(name: str) -> str:
    """The card of a bundled model, as Markdown."""
    from explorer.views.about import cards

    return cards.card(name)


VIEW = View(
    text=view_text("models", "no-record"),
    row="none",
    draw=draw,
    example=lambda page: Example(card, name=page.data.name),
)
