"""The heads page: what each head does, and the model without some of them."""

from collections.abc import Mapping

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.errors import AbilityError
from explorer.views import kit
from explorer.views.heads import kinds, names, report, switch_off
from explorer.views.heads.settings import MODEL, TEXT, VIEW_NAME, WHAT
from explorer.views.types import Report

VIEWS: "Mapping[str, kit.View[Report | None]]" = {"kinds": kinds.VIEW, "off": switch_off.VIEW}


def open(settings: kit.Settings, header: kit.Header) -> "kit.OpenPage[Report | None]":
    """The row of views, the model picker, and the report on the model's heads if there is one.

    Raises AbilityError for a model without heads.
    """
    view = kit.choose(settings, VIEWS)
    model = kit.model_with(settings, header, *view.needs or ["ATTENTION"])
    if Ability.ATTENTION not in model.abilities:
        raise AbilityError(
            f"{model.checkpoint} has no heads: it reads without attention.",
            "Choose a Transformer, such as BERT or GPT, in the picker.",
        )
    return kit.OpenPage(settings, view, report.find(str(model.checkpoint)), model, st.container(gap="xsmall"))


def end(page: "kit.OpenPage[Report | None]") -> None:
    """Where the names of heads come from, under the view that explains them."""
    if page.view is kinds.VIEW:
        names.names(page.settings[WHAT])


PAGE = kit.Page(name="heads", settings=(VIEW_NAME, MODEL, TEXT), views=VIEWS, open=open, end=end)
