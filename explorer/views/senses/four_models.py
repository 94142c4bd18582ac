"""Four models: the same sentences on four small maps, side by side.

Static, every model has one vector for the word, and so one dot. In context, the dots spread as far as the
model reads the sentence: word2vec not at all, ELMo and BERT on both sides, GPT on the left.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

import explorer
from explorer.catalogue.manifest import manifests
from explorer.errors import ExplorerError
from explorer.locale import N_, _, format_number, translate
from explorer.views import kit
from explorer.views.senses import by_model, files, four_maps
from explorer.views.senses.example_sentences import FIVE
from explorer.views.senses.examples import WordExample
from explorer.views.senses.four_maps import ByModel
from explorer.views.senses.search import Search, SenseView
from explorer.views.senses.settings import DEPTH, LAYER, LOCKED, MODEL, STATIC, VIEW_NAME
from explorer.views.senses.word_occurrences import ALONE
from explorer.views.types import Separation
from explorer.views.widgets import marks as charts
from explorer.views.widgets.word_map import lock

MODELS = tuple(model.name for model in manifests().values() if model.comparison)
STATES = {True: N_("Static"), False: N_("In context")}
DEPTHS = {"best": N_("Best layer"), "last": N_("Last layer")}
MOST = 300  # dots of one map, each an element of the page

VIEW_TEXT = kit.view_text("senses", "four")


def controls(page: kit.OpenPage[Search]) -> None:
    """Static vectors or vectors in context, and their layer."""
    settings, occurrences = page.settings, page.data.occurrences_or_none
    settings.restrict(DEPTH, DEPTHS)
    with st.container(key="four-controls", horizontal=True, vertical_alignment="center", gap="small"):
        kit.segments(settings, STATIC, _("Vectors"), translate(STATES))
        if occurrences is None or occurrences.separation is not None:
            kit.segments(settings, DEPTH, _("Layer"), translate(DEPTHS), disabled=settings[STATIC])


def draw(page: kit.OpenPage[Search]) -> kit.Saves:
    """Draw the four maps; for a dot, its sentence and how much of it each model has read."""
    word = page.data.occurrences.word
    with st.container(key="four-models", gap=None):
        busy = st.container(key="four-busy").empty()
        panels = four_maps.panels(_by_all(page, busy), page.settings[DEPTH], MOST)
        _mount(page, panels)
    maps = kit.Export(N_("The four maps"), f"{word}-four-models.csv", lambda: four_maps.coordinates(panels))
    return [maps, *files.saves(page)]


def _by_all(page: kit.OpenPage[Search], busy: Any) -> list[ByModel]:
    """The page's word as each model reads it; a model that cannot read it has a problem instead."""
    return [
        ByModel(name, problem=f"{result.message} {result.hint}".strip())
        if isinstance(result, ExplorerError)
        else ByModel(name, result[1], four_maps.reads(result[0]))
        for name, result in by_model.read_all(page.settings, MODELS, busy)
    ]


def _mount(page: kit.OpenPage[Search], panels: list[dict[str, Any]]) -> None:
    settings, occurrences = page.settings, page.data.occurrences
    key = "senses/four"

    def open_map() -> None:
        if name := kit.component_value(key, "open", [*MODELS]):
            layer = next(panel["stop"] for panel in panels if panel["name"] == name)
            settings.set(MODEL.to(name), VIEW_NAME.to("map"), LAYER.to(layer if layer is not None else ALONE))

    names = charts.order(occurrences.senses)
    kit.component("senses/four_maps")(
        key=key,
        data={
            "label": _("Four models on {word}", word=occurrences.word),
            "panels": panels,
            "marks": [*({"text": name, **charts.mark(i)} for i, name in enumerate(names))],
            "unknown": charts.mark(None),
            "static": settings[STATIC],
            "locked": settings[LOCKED],
            "hint": _(
                "Point at a dot to highlight its sentence in all four maps; the words that a model has not "
                "read are pale."
            ),
        },
        on_lock_change=lock(settings, key, LOCKED),
        on_open_change=open_map,
    )
    if len(occurrences.matches) > MOST:
        kit.note(
            _("The first {shown} of {all} dots.", shown=MOST, all=format_number(len(occurrences.matches)))
        )
    if occurrences.notes:
        kit.note(" ".join(occurrences.notes))


def reading(page: kit.OpenPage[Search]) -> kit.Reading:
    """What the four maps share, and what they cannot show."""
    settings, occurrences = page.settings, page.data.occurrences_or_none
    how = VIEW_TEXT.readings["static"] if settings[STATIC] else VIEW_TEXT.reading
    is_judged = occurrences is None or occurrences.separation is not None
    return how.filled(
        judged=VIEW_TEXT.phrases["judged"] if is_judged else "",
        best=VIEW_TEXT.phrases["best"] if settings[DEPTH] == "best" else "",
    )


def four_models(
    models: tuple[str, ...], read: "Callable[..., Any]", **where: "Any"
) -> "dict[str, tuple[int, Separation | None]]":
    """For each model: how many distinct vectors its last layer has, and how well layers separate senses."""
    from explorer.analysis.senses.duplicates import duplicates
    from explorer.analysis.senses.separation import separation

    result = {}
    for name in models:
        _, occurrences, labels = read(explorer.load(name), **where)
        result[name] = len(duplicates(occurrences.vectors[:, -1])), separation(occurrences.vectors, labels)
    return result


VIEW = SenseView(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(STATIC, DEPTH),
    wide=True,
    opening=FIVE,
    controls=controls,
    picture=draw,
    example=lambda page: WordExample(page, four_models, models=MODELS),
    stage=kit.Stage(
        covered=(".map > g",), panel=".st-key-senses-under-presented", desk=".idle, .verdict, .panel .bar"
    ),
)
