"""The word senses page: the word and its sentences, beside the picture of a view.

A view of this page (`SenseView`) also says what is drawn below the sentences. The picture of a `wide` view
takes the whole width, with the sentences below it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.errors import ExplorerError
from explorer.locale import _, format_number, translate
from explorer.views import kit
from explorer.views.frame import popovers
from explorer.views.frame.lecture import stage
from explorer.views.frame.page import picture
from explorer.views.senses import by_model, example_sentences, files, four_models, sense_map, text_panel
from explorer.views.senses.map_player import MAP_PX
from explorer.views.senses.search import Search, SenseView
from explorer.views.senses.settings import (
    KIND,
    LOCKED,
    NEW,
    OF_PAGE,
    OWN,
    SHOWN,
    TEXT,
    VIEW_NAME,
    WORD,
    WORDNET,
)
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.types import LanguageModel

VIEWS: Mapping[str, SenseView] = {"map": sense_map.VIEW, "four": four_models.VIEW}
CSS = Path(__file__).with_name("page.css")
FEWER = 3  # lines that the box of sentences loses in presenter mode, so that what is below it is visible
WITH_WORDNET = 4  # its lines when WordNet's list needs the room


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[Search]:
    """Draw the row of views, and find the occurrences that all of them show. Raises AbilityError."""
    model = kit.model_with(settings, header, "CONTEXT", "VECTORS")
    sense_map.fit(settings, model)
    st.html(f"<style>{_css()}</style>")
    with st.container(key="senses-views", horizontal=True, gap="medium"):
        view = kit.choose(settings, VIEWS)
        if view is sense_map.VIEW:
            sense_map.picture_controls(settings)
    few = view is not sense_map.VIEW or settings[SHOWN] == "dots"
    if few and view.opening and "en" in model.languages and _untouched(settings):
        settings.show_instead(TEXT.to(view.opening))
    result = _search(settings, model)
    with picture():
        left, right = _columns(view, settings)
    return kit.OpenPage(settings, view, Search(result, left), model, right)


@contextmanager
def place(page: kit.OpenPage[Search]) -> Iterator[Any]:
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


def _untouched(settings: kit.Settings) -> bool:
    """Whether the word and its sentences are those of the page, and no dot of theirs is selected."""
    sentence = settings.chosen(LOCKED).partition(":")[2]
    selected = bool(sentence) and sentence in TEXT.default
    return not selected and (settings.chosen(TEXT), settings.chosen(WORD)) == (TEXT.default, WORD.default)


def _search(settings: kit.Settings, model: "LanguageModel") -> WordOccurrences | ExplorerError:
    """The occurrences that the settings ask for, or the error in the word or the sentences."""
    try:
        with st.container(key="own/progress"), kit.progress_bar() as show:

            def step(done: int, of: int) -> None:
                show(
                    done / of,
                    _("{done} of {all} occurrences read", done=format_number(done), all=format_number(of)),
                )

            return by_model.read(settings, model, step)
    except ExplorerError as error:
        return error


def _columns(view: SenseView, settings: kit.Settings) -> tuple[Any, Any]:
    """The containers of the sentences and of the picture, which is alone at a stop without a new sentence."""
    is_alone = kit.for_class() and stage.stop(settings) is not None and not settings[NEW].strip()
    if not view.wide and not is_alone:
        left, right = st.columns([36, 64], gap="medium")
        return left.container(gap="xsmall"), right.container(gap="xsmall")
    right = st.container(gap="xsmall")
    if kit.presenting():  # flat maps, and the sentences beside the word, so that all of it is on the screen
        return st.container(key="senses-under-presented", horizontal=True, gap="small"), right
    return st.columns([36, 64], gap="medium")[0].container(key="senses-under", gap="xsmall"), right


def _sentences(page: kit.OpenPage[Search], view: SenseView) -> None:
    """Draw the word and its sentences, or the visitor's own text, and below them what the view adds."""
    settings = page.settings
    if settings[OWN]:
        text_panel.panel(settings)
    else:
        with st.container(key="senses/word", horizontal=True, vertical_alignment="center", gap="small"):
            kit.text_box(settings, WORD, _("The word"), _("A word"))
            _examples(settings, example_sentences.library(page.model.languages))
        lines = view.lines - FEWER * kit.presenting()
        if settings[WORDNET] and view is VIEWS["map"]:
            lines = WITH_WORDNET
        kit.text_box(settings, TEXT, _("Sentences, one per line"), _("One sentence per line"), lines=lines)
        with st.container(key="senses/hint", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<p class="rb-point">{_("One a line, with its #sense.")}</p>')
            text_panel.open_button(settings)
    if page.data.occurrences_or_none is not None:
        view.beside(page)


def _examples(settings: kit.Settings, library: Mapping[str, list[str]]) -> None:
    """Draw the choice among the words of our library, and which of their sentences to use."""
    key, popover = "senses/example", "senses/examples"

    def take() -> None:
        if word := st.session_state[key]:
            settings.set(WORD.to(word), TEXT.to(example_sentences.sentences(word, settings[KIND])))
            settings.set(LOCKED.to(""), NEW.to(""))
            popovers.close(popover)

    def change() -> None:
        word = settings[WORD].strip()
        kinds = example_sentences.KINDS if word in library else []
        ours = [example_sentences.sentences(word, kind) for kind in kinds]
        if settings[TEXT] in [*ours, TEXT.default]:  # never over sentences of the visitor's own
            settings.set(TEXT.to(example_sentences.sentences(word, settings[KIND])), LOCKED.to(""))

    settings.restrict(KIND, example_sentences.KINDS)
    st.session_state[key] = None  # the box is for searching: the word that is shown stands above
    with st.popover(_("Examples"), key=f"{popover}/{popovers.times_closed(popover)}"):
        kit.segments(
            settings, KIND, _("Which sentences"), translate(example_sentences.KINDS), on_change=change
        )
        st.selectbox(
            _("A word with several senses"),
            list(library),
            index=None,
            key=key,
            on_change=take,
            format_func=lambda word: f"{word}: {' · '.join(library[word])}",
            placeholder=_("Search {count} words", count=len(library)),
            filter_mode="contains",
        )


@read_once
def _css() -> str:
    return assets.text(CSS)


PAGE = kit.Page(name="senses", settings=OF_PAGE, views=VIEWS, open=open, place=place)
