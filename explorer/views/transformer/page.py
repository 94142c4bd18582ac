"""The Transformer page: the row of views, then the model and the texts that the chosen view asks for."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Page, able_model, choose
from explorer.views.transformer import (
    beside_skip_gram,
    bleu,
    how_far,
    leak,
    masks,
    positions,
    row_by_row,
    segments,
    shuffle,
    steps,
    translator,
    waiting,
)
from explorer.views.transformer.settings import MODEL, PAIR, TEXT, VIEW_NAME
from explorer.views.transformer.transformer_view import Computed, TransformerView

VIEWS: Mapping[str, TransformerView] = {
    "steps": steps.VIEW,
    "positions": positions.VIEW,
    "shuffle": shuffle.VIEW,
    "masks": masks.VIEW,
    "leak": leak.VIEW,
    "rows": row_by_row.VIEW,
    "far": how_far.VIEW,
    "segments": segments.VIEW,
    "waiting": waiting.VIEW,
    "beside": beside_skip_gram.VIEW,
    "translator": translator.VIEW,
    "bleu": bleu.VIEW,
}
MORE = ("rows", "segments", "waiting", "beside", "bleu")  # one row has room for the others


def open(settings: Settings, header: Header) -> OpenPage[Computed[Any]]:
    """The row of views, and what the chosen one begins with."""
    view = choose(settings, VIEWS, MORE)
    model = able_model(settings, header, view)
    row = view.texts(settings, model)
    if row is None:
        row = st.container(key="transformer-controls", horizontal=True, vertical_alignment="center")
    return OpenPage(settings, view, Computed(partial(view.compute, settings, model)), model, row)


PAGE = Page(name="transformer", settings=(VIEW_NAME, MODEL, TEXT, PAIR), views=VIEWS, open=open)
