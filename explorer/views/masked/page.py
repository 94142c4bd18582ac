"""What stands above the views of masked words: the row of views, what a person types, the model."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import warm_up
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, choose, nothing, picture
from explorer.views.masked import layers, predict, presets, replaced, score, sets, training, write
from explorer.views.masked.sentence import MaskedView, PageText

if TYPE_CHECKING:
    from explorer.models import LanguageModel

NAME = "masked"
SETTINGS = presets.settings("view", "text", "model", "words", "blank")
VIEWS: Mapping[str, MaskedView] = {
    "predict": predict,
    "sets": sets,
    "layers": layers,
    "training": training,
    "score": score,
    "write": write,
    "replaced": replaced,
}
# What a view needs of its model, and the bundled one that it opens with: all but one need words guessed.
NEEDS = {"replaced": (replaced.NEEDS, replaced.MODEL)}
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[PageText]:
    """The row of views, the text boxes, the model."""
    view = choose(settings, VIEWS)
    VIEWS[settings["view"]].ask(settings)
    model = _model(settings, header)
    return Page(settings, view, PageText(model, settings), model, st.container(gap="xsmall"))


def _model(settings: Settings, header: Header) -> "LanguageModel":
    """The chosen model, or the view's own where that one cannot do what the view needs."""
    needs, own = NEEDS.get(settings["view"], ("FILL", presets.DEFAULTS["model"]))
    warm_up.let_words_out()
    import explorer
    from explorer.trace import Ability

    known = {str(checkpoint): checkpoint.abilities for checkpoint in explorer.available()}
    has = known.get(settings["model"])
    if has is not None and not has & Ability[needs]:
        settings.fit(model=own)
    return header.model(needs)
