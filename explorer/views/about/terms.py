"""Terms: the glossary, whose terms have a dotted line on the pages."""

from html import escape

import streamlit as st

from explorer.views.about.choice import Training
from explorer.views.frame import glossary
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View


def draw(page: OpenPage[Training]) -> Saves:
    """The terms in alphabetical order, then the models."""
    meanings = glossary.terms()
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in meanings.items())
    st.html(f'<dl class="rb-terms">{rows}</dl>')
    return [
        Picture("picture", "terms"),
        Export("Terms", "terms.csv", lambda: table(["term", "meaning"], list(meanings.items()))),
    ]


def reading(page: OpenPage[Training]) -> Reading:
    """What the list is."""
    return Reading("Each term as the pages use it; books may define them a little differently.")


def example(page: OpenPage[Training]) -> Example:
    """The same list from Python."""
    return Example(terms)


def terms() -> dict[str, str]:
    """Each term with its meaning."""
    from explorer.views.frame import glossary

    return glossary.terms()


VIEW = View(
    label="Terms",
    first=Hints(
        "Every word that has a dotted line on these pages stands here with its meaning.",
        "Go to any page, and point at a dotted word or tap it.",
    ),
    presets=(),
    draw=draw,
    reading=reading,
    example=example,
)
