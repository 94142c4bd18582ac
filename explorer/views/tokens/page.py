"""The page of tokens, whose views need a tokenizer and no weights."""

from collections.abc import Mapping

import streamlit as st

from explorer.server import warm_up
from explorer.views import kit
from explorer.views.tokens import cut, learning, vocabulary
from explorer.views.tokens.settings import VIEW_NAME

VIEWS: Mapping[str, kit.View[None]] = {
    "cut": cut.VIEW,
    "learning": learning.VIEW,
    "vocabulary": vocabulary.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The row of views."""
    view = kit.choose(settings, VIEWS)
    warm_up.yield_to_first_paint()
    return kit.OpenPage(settings, view, None, None, st.container(gap="xsmall"))


PAGE = kit.Page(name="tokens", settings=(VIEW_NAME,), views=VIEWS, open=open)
