"""The word senses page: the word and its sentences, beside the picture of a view.

A view of this page (`SenseView`) also says what is drawn below the sentences. The picture of a `wide` view
takes the whole width, with the sentences below it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer import assets
from explorer.errors import ExplorerError, TextError
from explorer.views.frame.page import Header, picture
from explorer.views.frame.presenter import presenting
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Page, choose
from explorer.views.senses import (
    corpus,
    corpus_panel,
    files,
    four_models,
    how_well,
    matrix,
    new_sentence,
    own_text_panel,
    presets,
    sense_map,
    which_vector,
)
from explorer.views.senses.map_player import MAP_PX
from explorer.views.senses.search import Search
from explorer.views.senses.sense_view import SenseView
from explorer.views.senses.settings import (
    AXES,
    CONTOURS,
    CORPUS,
    DENSITY,
    DRAWN,
    FORMS,
    KIND,
    LAYER,
    LOCKED,
    MODEL,
    OWN,
    PROJECTION,
    SEED,
    SENSES,
    TEXT,
    VIEW_NAME,
    WORD,
    WORDNET,
)
from explorer.views.senses.word_occurrences import WordOccurrences, find_word
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.models import LanguageModel


VIEWS: Mapping[str, SenseView] = {
    "map": sense_map.VIEW,
    "matrix": matrix.VIEW,
    "well": how_well.VIEW,
    "which": which_vector.VIEW,
    "four": four_models.VIEW,
    "new": new_sentence.VIEW,
}
MORE = ("which",)  # a mixing desk for layers
CSS = Path(__file__).with_name("page.css")
FEWER = 3  # lines that the box of sentences loses in presenter mode, so that what is below it is visible
WITH_WORDNET = 4  # its lines when WordNet's list needs the room


def open(settings: Settings, header: Header) -> OpenPage[Search]:
    """Draw the row of views, and find the occurrences that all of them show. Raises AbilityError."""
    model = header.model("CONTEXT", "VECTORS")
    sense_map.fit(settings, model)
    st.html(f"<style>{_css()}</style>")
    view = choose(settings, VIEWS, MORE)
    result = _search(settings, model, view is sense_map.VIEW)
    with picture():
        left, right = _columns(view)
    return OpenPage(settings, view, Search(result, left), model, right)


@contextmanager
def place(page: OpenPage[Search]) -> Iterator[Any]:
    """The place of the picture, below the controls; afterwards the sentences are drawn in their column.

    An error in the word or its sentences is shown in place of the picture, with the map's height.
    """
    with page.row:
        if page.data.occurrences_or_none is None:
            box = st.container(height=MAP_PX, border=False)
        else:
            box = st.container(key=files.PICTURE, gap="xsmall")
        with box:
            yield box
    with page.data.column:
        _sentences(page, VIEWS[page.settings[VIEW_NAME]])


def _search(settings: Settings, model: "LanguageModel", on_map: bool) -> WordOccurrences | ExplorerError:
    """The occurrences that the settings ask for, or the error in the word, the sentences or the folder."""
    if settings[CORPUS]:
        try:
            return corpus.on_map(settings) if on_map else corpus_panel.all_layers(settings, model)
        except ExplorerError as error:
            return error
    try:
        if settings[OWN]:
            return own_text_panel.find_word(settings, model)
        return find_word(model, settings[TEXT], settings[WORD])
    except TextError as error:
        return error


def _columns(view: SenseView) -> tuple[Any, Any]:
    """The containers of the sentences and of the picture."""
    if not view.wide:
        left, right = st.columns([36, 64], gap="medium")
        return left.container(gap="xsmall"), right.container(gap="xsmall")
    right = st.container(gap="xsmall")
    return st.columns([36, 64], gap="medium")[0].container(key="senses-under", gap="xsmall"), right


def _sentences(page: OpenPage[Search], view: SenseView) -> None:
    """Draw the word and its sentences, or the visitor's own text, and below them what the view adds."""
    settings = page.settings
    if settings[CORPUS]:
        corpus_panel.panel(settings, page.data.occurrences_or_none)
    elif settings[OWN]:
        own_text_panel.panel(settings)
    else:
        with st.container(key="senses/word", horizontal=True, vertical_alignment="center", gap="small"):
            text_box(settings, WORD, "The word", "A word")
            _examples(settings, presets.library(page.model.languages))
        lines = view.lines - FEWER * presenting()
        if settings[WORDNET] and view is VIEWS["map"]:
            lines = WITH_WORDNET
        text_box(settings, TEXT, "Sentences, one per line", "One sentence per line", lines=lines)
        with st.container(key="senses/hint", horizontal=True, vertical_alignment="center", gap="small"):
            st.html('<p class="rb-point">One a line, with its #sense.</p>')
            own_text_panel.open_button(settings)
    if page.data.occurrences_or_none is not None:
        view.beside(page)


def _examples(settings: Settings, library: Mapping[str, list[str]]) -> None:
    """Draw the choice among the words of our library, and which of their sentences to use."""
    key = "senses/library"

    def take() -> None:
        if (word := component_value(key, "word")) in library:
            settings.set(WORD.to(word), TEXT.to(presets.sentences(word, settings[KIND])), LOCKED.to(""))

    def change() -> None:
        if (kind := component_value(key, "kind")) not in presets.KINDS:
            return
        settings.set(KIND.to(kind))
        word = settings[WORD].strip()
        ours = [presets.sentences(word, k) for k in presets.KINDS] if word in library else []
        if settings[TEXT] in [*ours, TEXT.default]:  # never over sentences of the visitor's own
            settings.set(TEXT.to(presets.sentences(word, kind)), LOCKED.to(""))

    component("senses/word_chooser")(
        key=key,
        data={
            "label": "Examples",
            "question": "Which sentences",
            "words": [{"word": word, "senses": senses} for word, senses in library.items()],
            "chosen": settings[WORD].strip(),
            "kinds": [{"name": name, "label": label} for name, label in presets.KINDS.items()],
            "kind": settings[KIND] if settings[KIND] in presets.KINDS else presets.FEW,
        },
        width="content",
        on_word_change=take,
        on_kind_change=change,
    )


@cache
def _css() -> str:
    return assets.text(CSS)


PAGE = Page(
    name="senses",
    settings=(
        VIEW_NAME,
        MODEL,
        WORD,
        TEXT,
        KIND,
        LAYER,
        PROJECTION,
        AXES,
        SENSES,
        CONTOURS,
        LOCKED,
        OWN,
        CORPUS,
        DRAWN,
        SEED,
        FORMS,
        DENSITY,
    ),
    views=VIEWS,
    open=open,
    place=place,
)
