"""One-hot: a few words as one-hot columns and as dense vectors, with the cosines of both."""

from typing import Any

import streamlit as st

from explorer.errors import TextError
from explorer.locale import N_, _, format_number
from explorer.views import kit
from explorer.views.types import Vectors
from explorer.views.vectors import examples
from explorer.views.vectors.settings import FEW, MODEL
from explorer.views.vectors.word_table import split_words, table

MOST = 5
ROWS = 64  # rows of cells in a dense column; more dimensions take several cells a row


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Both columns of each word."""
    embeddings, words = table(page.model), split_words(page.settings[FEW])
    if not words:
        raise TextError(_("There are no words."), _("Type up to {count} words.", count=MOST))
    ids = list(dict.fromkeys(embeddings.id(word) for word in words))
    if len(ids) > MOST:
        st.html(f'<p class="rb-point">{_("The first {count} words are shown.", count=MOST)}</p>')
    ids = sorted(ids[:MOST])  # as in the vocabulary, so that the ones go down a diagonal
    data = columns(embeddings, ids)
    kit.component("vectors/one_hot")(key="vectors/one-hot", data=data)
    return [
        kit.Picture("picture", "one-hot-and-dense"),
        kit.Export(N_("Vectors"), "one-hot-and-dense.csv", lambda: vectors_csv(embeddings, ids)),
        kit.Export(N_("Cosines"), "cosines.csv", lambda: cosines_csv(data)),
    ]


def columns(embeddings: "Vectors", ids: list[int]) -> dict[str, Any]:
    """Both kinds of column as plain data for the component; dense vectors have length 1."""
    from explorer.analysis import vectors

    words = [embeddings.words[i] for i in ids]
    unit = embeddings.unit(words)
    same = [[float(i == j) for j in range(len(ids))] for i in range(len(ids))]
    size = unit.shape[1]
    return {
        "words": words,
        "measure": _("how near: 1 is the same list") if kit.for_class() else _("cosine"),
        "sparse": {
            "title": _("One-hot: {count} cells, one of them 1", count=format_number(len(embeddings))),
            "rows": _rows(embeddings, ids),
            "cosines": same,
        },
        "dense": {
            "title": _("Dense: {count} cells, all in use", count=format_number(size)),
            "columns": [[round(value, 4) for value in row] for row in unit.tolist()],
            "most": float(unit.abs().max()),
            "per": -(-size // ROWS),
            "cosines": [
                [round(c, 5) for c in row] for row in vectors.similarities(embeddings, words).tolist()
            ],
        },
    }


def vectors_csv(embeddings: "Vectors", ids: list[int]) -> str:
    """A CSV row for each word: the place of its 1, counted from 1, and its dense vector at length 1."""
    words = [embeddings.words[i] for i in ids]
    unit = embeddings.unit(words)
    heads = ["word", "place of the 1", *range(1, unit.shape[1] + 1)]
    return kit.table(heads, [[w, i + 1, *row] for w, i, row in zip(words, ids, unit.tolist())])


def cosines_csv(data: dict[str, Any]) -> str:
    """A CSV row for each pair of words, with the cosines of their one-hot and of their dense vectors."""
    words, sparse, dense = data["words"], data["sparse"]["cosines"], data["dense"]["cosines"]
    pairs = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words))]
    heads = ["word", "other word", "cosine, one-hot", "cosine, dense"]
    return kit.table(heads, [[words[i], words[j], sparse[i][j], dense[i][j]] for i, j in pairs])


def _rows(embeddings: "Vectors", ids: list[int]) -> list[dict[str, Any]]:
    """A row for each word in the vocabulary's order, with the number of rows of 0 in between."""
    rows: list[dict[str, Any]] = []
    last = -1
    for place in [*sorted(ids), len(embeddings)]:
        if between := place - last - 1:
            rows.append({"text": "⋮ " + _("{count} more, all 0", count=format_number(between))})
        if place < len(embeddings):
            cells = [int(i == place) for i in ids]
            rows.append({"word": embeddings.words[place], "cells": cells, "place": format_number(place + 1)})
        last = place
    return rows


VIEW = kit.View(
    text=kit.view_text("vectors", "one-hot"),
    settings=(FEW,),
    controls=lambda page: kit.text_box(
        page.settings, FEW, _("Up to {count} words", count=MOST), _("a few words")
    ),
    picture=draw,
    example=lambda page: kit.Example(
        examples.one_hot_and_dense,
        model=kit.Load(page.settings[MODEL]),
        words=sorted(split_words(page.settings[FEW])[:MOST], key=table(page.model).id),
    ),
    stage=kit.Stage(covered=(".matrix, .below", "section + section")),
)
