"""The page of causes: prompts and their answers, what in the network tells two apart, and which words did."""

from collections.abc import Mapping

import streamlit as st

from explorer.views import kit
from explorer.views.why import lens, parts, steer, where, which_words, writes
from explorer.views.why.settings import ANSWER, FIRST, INSTEAD, MODEL, PROBABILITY, SECOND, VIEW_NAME

VIEWS: Mapping[str, kit.View[None]] = {
    "where": where.VIEW,
    "parts": parts.VIEW,
    "writes": writes.VIEW,
    "which": which_words.VIEW,
    "lens": lens.VIEW,
    "steer": steer.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The row of views, the prompts, and the model."""
    view = kit.choose(settings, VIEWS)
    view.boxes(settings)
    model = kit.able_model(settings, header, view)
    return kit.OpenPage(settings, view, None, model, st.container(gap="xsmall"))


SHARED = (VIEW_NAME, MODEL, FIRST, SECOND, ANSWER, INSTEAD, PROBABILITY)
PAGE = kit.Page(name="why", settings=SHARED, views=VIEWS, open=open)
