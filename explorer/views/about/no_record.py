"""The view of a model without a record of its training."""

from html import escape

import streamlit as st

from explorer.views.about.choice import Training
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.server.memory import short_label
from explorer.views.frame.view import OpenPage, Reading, Saves, View


def draw(page: OpenPage[Training]) -> Saves:
    """A line that says so."""
    st.html(
        f'<p class="rb-none">No record of the training of {escape(short_label(page.data.name))} was kept.<br>'
        "Its card, below, says what is known.</p>"
    )
    return []


READING = Reading("A record shows what a model expected at several steps of its training, and its loss.")


def example(page: OpenPage[Training]) -> Example:
    """The card from Python."""
    return Example(card, name=page.data.name)


def card(name: str) -> str:
    """The card of a bundled model, as Markdown."""
    from explorer.views.about import cards

    return cards.card(name)


VIEW = View(
    label="No record",
    first=Hints(
        "This model has a card, but no record of its training.",
        "Choose another model above.",
    ),
    row="none",
    draw=draw,
    reading=READING,
    example=example,
)
