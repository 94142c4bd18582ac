"""The same few words as one-hot columns and as dense vectors, with the cosines between them in each."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.settings import Settings
from explorer.views.vectors.word_table import listed, table
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.vectors.words import Vectors

MOST = 5
ROWS = 64  # rows of cells in a dense column; more dimensions take several cells a row


def draw(settings: Settings, name: str) -> None:
    """The words, and both columns of each."""
    known = table(name)
    text_box(settings, "few", f"Up to {MOST} words", "a few words")
    asked = listed(settings["few"])
    if not asked:
        raise TextError("There are no words.", f"Type up to {MOST} words.")
    ids = list(dict.fromkeys(known.id(word) for word in asked))
    if len(ids) > MOST:
        st.html(f'<p class="rb-point">The first {MOST} words are shown.</p>')
    component("vectors/one_hot")(key="vectors/one-hot", data=columns(known, ids[:MOST]))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "Left, a word is a place in the vocabulary: one 1, all else 0, so any two words are equally far "
        "apart. Right, every cell is in use, and words that are used alike have similar columns.",
        "A single cell of a dense vector means nothing by itself; only directions, taken together, do.",
    )


def code(settings: Settings) -> str:
    """The same numbers from Python."""
    return f"""import explorer
from explorer.analysis import vectors

known = vectors.of(explorer.load({settings["model"]!r}))
words = {listed(settings["few"])[:MOST]!r}
print([known.id(word) for word in words], "of", len(known))  # where the 1 stands
print(known.unit(words))
print(vectors.similarities(known, words))"""


def columns(known: "Vectors", ids: list[int]) -> dict[str, Any]:
    """Both kinds of column as plain data; dense vectors are brought to length 1."""
    from explorer.analysis import vectors

    words = [known.words[i] for i in ids]
    unit = known.matrix[ids] / known.lengths[ids, None]
    same = [[float(i == j) for j in range(len(ids))] for i in range(len(ids))]
    size = unit.shape[1]
    return {
        "words": words,
        "sparse": {
            "title": f"One-hot: {len(known):,} cells, one of them 1",
            "rows": _rows(known, ids),
            "cosines": same,
        },
        "dense": {
            "title": f"Dense: {size:,} cells, all in use",
            "columns": [[round(value, 4) for value in row] for row in unit.tolist()],
            "most": float(unit.abs().max()),
            "per": -(-size // ROWS),
            "cosines": [[round(c, 5) for c in row] for row in vectors.similarities(known, words).tolist()],
        },
    }


def _rows(known: "Vectors", ids: list[int]) -> list[dict[str, Any]]:
    """A row for each word in the vocabulary's order, and how many rows of 0 stand between."""
    made: list[dict[str, Any]] = []
    last = -1
    for place in [*sorted(ids), len(known)]:
        if between := place - last - 1:
            made.append({"text": f"⋮ {between:,} more, all 0"})
        if place < len(known):
            cells = [int(i == place) for i in ids]
            made.append({"word": known.words[place], "cells": cells, "place": f"{place + 1:,}"})
        last = place
    return made
