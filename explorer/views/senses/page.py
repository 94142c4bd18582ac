"""What stands around every view of the word senses page: the word and its sentences, beside the picture.

A view of this page also says what stands with the sentences (`SenseView`). The picture of a view that
is `WIDE` takes the whole width, and the sentences stand below it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import streamlit as st

from explorer import assets
from explorer.errors import ExplorerError, TextError
from explorer.views.frame.page import Header, picture
from explorer.views.frame.presenter import presenting
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, View, choose, nothing
from explorer.views.senses import (
    corpus,
    corpus_panel,
    files,
    four_models,
    how_well,
    matrix,
    new_sentence,
    own_text,
    own_text_panel,
    presets,
    sense_map,
    which_vector,
)
from explorer.views.senses.map_player import MAP_PX
from explorer.views.senses.search import Search
from explorer.views.senses.word_occurrences import WordOccurrences, find_word
from explorer.views.widgets.registry import component, sent
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.models import LanguageModel


class SenseView(View[Search], Protocol):
    """A view of this page."""

    @property
    def WIDE(self) -> bool:
        """Whether the sentences stand below the picture and not beside it."""

    @property
    def LINES(self) -> int:
        """How many lines the sentences' box has."""

    def beside(self, page: Page[Search]) -> None:
        """What stands below the sentences; called where there are occurrences."""


NAME = "senses"
SETTINGS: dict[str, Any] = {**presets.DEFAULTS, **own_text.DEFAULTS, **corpus.DEFAULTS}
VIEWS: Mapping[str, SenseView] = {
    "map": sense_map,
    "matrix": matrix,
    "well": how_well,
    "which": which_vector,
    "four": four_models,
    "new": new_sentence,
}
MORE = ("which",)  # a mixing desk for layers
CSS = Path(__file__).with_name("page.css")
FEWER = 3  # lines of the sentences' box, in presenter mode, where what stands below is to be in view
WITH_WORDNET = 4  # its lines where WordNet's list needs the room
end = nothing


def open(settings: Settings, header: Header) -> Page[Search]:
    """The row of views, and the occurrences that all of them look at. Raises AbilityError."""
    model = header.model("CONTEXT", "VECTORS")
    sense_map.fit(settings, model)
    st.html(f"<style>{_css()}</style>")
    view = choose(settings, VIEWS, MORE)
    result = _search(settings, model)
    with picture():
        left, right = _columns(VIEWS[settings["view"]])
    return Page(settings, view, Search(result, left), model, right)


@contextmanager
def place(page: Page[Search]) -> Iterator[Any]:
    """The picture's column, below the controls; then the sentences are drawn in theirs.

    What is wrong with the word or its sentences stands where the picture would, as tall as the map.
    """
    with page.row:
        if page.data.found is None:
            box = st.container(height=MAP_PX, border=False)
        else:
            box = st.container(key=files.PICTURE, gap="xsmall")
        with box:
            yield box
    with page.data.column:
        _sentences(page, VIEWS[page.settings["view"]])


def _search(settings: Settings, model: "LanguageModel") -> WordOccurrences | ExplorerError:
    """The occurrences that the settings ask for, or what is wrong with the word or where it is sought."""
    if settings["corpus"]:
        try:
            on_map = VIEWS[settings["view"]] is sense_map
            return corpus.on_map(settings) if on_map else corpus_panel.anew(settings, model)
        except ExplorerError as error:
            return error
    try:
        if settings["own"]:
            return own_text_panel.find_word(settings, model)
        return find_word(model, settings["text"], settings["word"])
    except TextError as error:
        return error


def _columns(view: SenseView) -> tuple[Any, Any]:
    """Where the sentences stand, and where the picture does."""
    if not view.WIDE:
        left, right = st.columns([36, 64], gap="medium")
        return left.container(gap="xsmall"), right.container(gap="xsmall")
    right = st.container(gap="xsmall")
    return st.columns([36, 64], gap="medium")[0].container(key="senses-under", gap="xsmall"), right


def _sentences(page: Page[Search], view: SenseView) -> None:
    """The word and its sentences, or the visitor's own text; below, what belongs to the view."""
    settings = page.settings
    if settings["corpus"]:
        corpus_panel.panel(settings, page.data.found)
    elif settings["own"]:
        own_text_panel.panel(settings)
    else:
        with st.container(key="senses/word", horizontal=True, vertical_alignment="center", gap="small"):
            text_box(settings, "word", "The word", "A word")
            _examples(settings, presets.library(page.model.languages))
        lines = view.LINES - FEWER * presenting()
        if settings["wordnet"] and view is VIEWS["map"]:
            lines = WITH_WORDNET
        text_box(settings, "text", "Sentences, one per line", "One sentence per line", lines=lines)
        with st.container(key="senses/hint", horizontal=True, vertical_alignment="center", gap="small"):
            st.html('<p class="rb-point">One a line, with its #sense.</p>')
            own_text_panel.open_button(settings)
    if page.data.found is not None:
        view.beside(page)


def _examples(settings: Settings, library: Mapping[str, list[str]]) -> None:
    """Our own words to choose from, and which of their sentences to take."""
    key = "senses/library"

    def take() -> None:
        if (word := sent(key, "word")) in library:
            settings.set(word=word, text=presets.sentences(word, settings["kind"]), locked="")

    def change() -> None:
        if (kind := sent(key, "kind")) not in presets.KINDS:
            return
        settings.set(kind=kind)
        word = settings["word"].strip()
        ours = [presets.sentences(word, k) for k in presets.KINDS] if word in library else []
        if settings["text"] in [*ours, presets.DEFAULTS["text"]]:  # never over sentences of the visitor's own
            settings.set(text=presets.sentences(word, kind), locked="")

    component("senses/word_chooser")(
        key=key,
        data={
            "label": "Examples",
            "question": "Which sentences",
            "words": [{"word": word, "senses": senses} for word, senses in library.items()],
            "chosen": settings["word"].strip(),
            "kinds": [{"name": name, "label": label} for name, label in presets.KINDS.items()],
            "kind": settings["kind"] if settings["kind"] in presets.KINDS else presets.FEW,
        },
        width="content",
        on_word_change=take,
        on_kind_change=change,
    )


@cache
def _css() -> str:
    return assets.text(CSS)
