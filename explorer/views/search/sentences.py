"""Sentences: each as one vector, and the cosines of all pairs."""

import streamlit as st

from explorer.views.frame.example import Example
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.search import examples, kinds
from explorer.views.search.settings import KIND
from explorer.views.settings.setting import LONGEST_OF_ALL, Setting
from explorer.views.widgets.text_box import text_box

OPENING = """It is raining heavily.
What a downpour!"""
TEXT = Setting("sentences", OPENING, most=LONGEST_OF_ALL)


def controls(page: OpenPage[None]) -> None:
    """Which vectors."""
    kinds.control(page.settings)


def draw(page: OpenPage[None]) -> Saves:
    """The sentences and the cosines."""
    settings = page.settings
    text_box(settings, TEXT, "Sentences, one per line", "One sentence per line", lines=8)
    lines = lines_of(settings[TEXT])
    found = kinds.read(settings[KIND], lines)
    st.dataframe(found.cosines.numpy())
    return [
        Picture("picture", "sentences"),
        Export(
            "Cosines",
            "cosines.csv",
            lambda: table(
                ["sentence", *lines], [[line, *row] for line, row in zip(lines, found.cosines.tolist())]
            ),
        ),
    ]


def lines_of(text: str) -> tuple[str, ...]:
    """The lines that are not empty."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def example(page: OpenPage[None]) -> Example:
    """The same cosines from Python."""
    return Example(examples.cosines, kind=page.settings[KIND], texts=list(lines_of(page.settings[TEXT])))


VIEW = View(
    text=view_text("search", "sentences"), settings=(TEXT,), controls=controls, draw=draw, example=example
)
