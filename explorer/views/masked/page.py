"""What stands above the views of masked words: the row of views, what a person types, the model."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, choose, nothing, picture
from explorer.views.masked import layers, predict, presets, score, sets, training, write
from explorer.views.masked.sentence import MaskedView, PageText

NAME = "masked"
SETTINGS = presets.settings("view", "text", "model", "words", "blank")
VIEWS: Mapping[str, MaskedView] = {
    "predict": predict,
    "sets": sets,
    "layers": layers,
    "training": training,
    "score": score,
    "write": write,
}
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[PageText]:
    """The row of views, the text boxes, the model."""
    view = choose(settings, VIEWS)
    VIEWS[settings["view"]].ask(settings)
    model = header.model("FILL")
    return Page(settings, view, PageText(model, settings), model, st.container(gap="xsmall"))
