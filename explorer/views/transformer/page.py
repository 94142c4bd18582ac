"""The Transformer page: views of single layers, of positions, of attention masks, and of a translator."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Page, View, able_model, choose
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

VIEWS: Mapping[str, View[None]] = {
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


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The row of views, and the model if the chosen view needs one."""
    view = choose(settings, VIEWS)
    model = able_model(settings, header, view)
    return OpenPage(settings, view, None, model, st.container(gap="xsmall"))


PAGE = Page(name="transformer", settings=(VIEW_NAME, MODEL, TEXT, PAIR), views=VIEWS, open=open)
