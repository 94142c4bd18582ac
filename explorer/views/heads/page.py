"""The heads page: what each head does, and the model without some of them."""

from collections.abc import Mapping

import streamlit as st

from explorer import assets
from explorer.catalogue.ability import Ability
from explorer.errors import AbilityError
from explorer.locale import _, translate_lines
from explorer.views import kit
from explorer.views.frame.page import prose
from explorer.views.heads import kinds, report, switch_off
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
            _("{model} has no heads: it reads without attention.", model=model.checkpoint),
            _("Choose a Transformer, such as BERT or GPT, in the picker."),
        )
    return kit.OpenPage(settings, view, report.find(str(model.checkpoint)), model, st.container(gap="xsmall"))


def end(page: "kit.OpenPage[Report | None]") -> None:
    """Where the names of heads come from, under the view that explains them."""
    if page.view is kinds.VIEW:
        _names(page.settings[WHAT])


def _names(relation: str) -> None:
    """The thresholds at which heads get names, with their sources and the name in Clark et al. (2019)."""
    from explorer.analysis.heads.relations import CLARK

    with st.expander(_("Where the names come from")):
        st.markdown(translate_lines(assets.text(assets.HEAD_NAMES)))
        if clark_name := CLARK.get(relation):
            if relation == "case":
                says = _(
                    "`{relation}` is what Clark et al. (2019) call `{name}`, "
                    "read from the noun: our *→ prep.*.",
                    relation=relation,
                    name=clark_name,
                )
            else:
                says = _(
                    "`{relation}` is what Clark et al. (2019) call `{name}`.",
                    relation=relation,
                    name=clark_name,
                )
            prose(f"names/{relation}", says)


PAGE = kit.Page(name="heads", settings=(VIEW_NAME, MODEL, TEXT), views=VIEWS, open=open, end=end)
