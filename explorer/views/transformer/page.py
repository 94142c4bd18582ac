"""The Transformer page: the row of views, then the model and the texts that the chosen view asks for."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import warm_up
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, choose, nothing, picture
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
from explorer.views.transformer.parts import Part, Worked
from explorer.views.transformer.presets import DEFAULTS

if TYPE_CHECKING:
    from explorer.models import LanguageModel

NAME = "transformer"
SETTINGS = {name: DEFAULTS[name] for name in ("view", "model", "text", "pair")}
VIEWS: Mapping[str, Part] = {
    "steps": steps,
    "positions": positions,
    "shuffle": shuffle,
    "masks": masks,
    "leak": leak,
    "rows": row_by_row,
    "far": how_far,
    "segments": segments,
    "waiting": waiting,
    "beside": beside_skip_gram,
    "translator": translator,
    "bleu": bleu,
}
MORE = ("rows", "segments", "waiting", "beside", "bleu")  # one row has room for the others
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[Worked[Any]]:
    """The row of views, and what the chosen one opens with."""
    choose(settings, VIEWS, MORE)
    part = VIEWS[settings["view"]]
    model = _model(settings, header, part)
    row = part.ask(settings, model)
    if row is None:
        row = st.container(key="transformer-controls", horizontal=True, vertical_alignment="center")
    worked = Worked(partial(part.work, settings, model))
    return Page(settings, part, worked, model, row)


def _model(settings: Settings, header: Header, part: Part) -> "LanguageModel | None":
    """The chosen model, or the view's own where that one cannot do what the view needs."""
    warm_up.let_words_out()
    if not part.NEEDS:
        return None
    import explorer
    from explorer.trace import Ability

    known = {str(checkpoint): checkpoint.abilities for checkpoint in explorer.available()}
    has = known.get(settings["model"])
    if has is not None and not any(has & Ability[name] for name in part.NEEDS):
        settings.fit(model=part.MODEL)
    return header.model(*part.NEEDS)
