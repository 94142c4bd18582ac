"""The panel for a folder of vectors: the folder, the word, and the number of dots.

It takes the place of the box of sentences.
"""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame import memory
from explorer.views.frame.page import show_error
from explorer.views.frame.settings import Settings
from explorer.views.senses import corpus
from explorer.views.senses.corpus import COUNTS, LIVE, CorpusOccurrences
from explorer.views.senses.panel_parts import again, how_many, progress, style
from explorer.views.senses.settings import CORPUS, LOCKED, MODEL, WORD
from explorer.views.senses.word_occurrences import WordOccurrences

if TYPE_CHECKING:
    from explorer.models import LanguageModel

FOLDER = "corpus/folder"


def folder_input(settings: Settings) -> None:
    """A box for a folder's path and a button that opens it, in the dialog for the visitor's own text."""
    st.html(
        '<p class="rb-point">Larger texts: <code>python -m explorer.corpus embed</code> computes a word’s '
        "vectors beforehand. The folder that it makes is opened here.</p>"
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        place = st.text_input(
            "A folder of vectors", key=FOLDER, placeholder="/data/bank-vectors", max_chars=1000
        )
        pressed = st.button("Open", key="corpus/open", disabled=not place.strip())
    if not pressed:
        return
    try:
        corpus.open_folder(settings, place)
    except ExplorerError as error:
        show_error(error)
        return
    st.rerun()


def all_layers(settings: Settings, model: "LanguageModel") -> CorpusOccurrences:
    """The sampled occurrences at all layers, with a progress bar while they are run. Raises ExplorerError."""
    with progress() as step:
        return corpus.all_layers(settings, model, step)


def panel(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """Draw the folder's name, its words, and the size of the sample."""
    style()
    with st.container(key="own/panel", gap="xsmall"):
        _folder_line(settings, occurrences)
        try:
            _words(settings, corpus.current(settings).manifest.words)
        except ExplorerError:  # it is shown in place of the picture
            return
        if isinstance(occurrences, CorpusOccurrences):
            _draw(settings, occurrences)


def summary(occurrences: CorpusOccurrences) -> str:
    """How many occurrences are shown, of how many: “1,000 of 1,000,000 occurrences, drawn at random.”"""
    count, total = len(occurrences.sample), occurrences.total
    if count + occurrences.repeats == total:
        text = f"<b>All {total:,}</b> occurrences." if total > 1 else "<b>The only occurrence</b>."
    else:
        text = f"<b>{count:,} of {total:,}</b> occurrences, drawn at random."
    if occurrences.repeats:
        repeat = "repeats a sentence and is" if occurrences.repeats == 1 else "repeat a sentence and are"
        text += f" {occurrences.repeats:,} {repeat} left out."
    return text


def _folder_line(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """Draw the folder's name, the model and layer of its vectors, and a button that closes it."""
    with st.container(key="own/whose", horizontal=True, vertical_alignment="center", gap="small"):
        place = escape(settings[CORPUS], quote=True)
        st.html(f'<p class="rb-own-name" title="{place}">{place.rstrip("/").rpartition("/")[2]}</p>')
        if isinstance(occurrences, CorpusOccurrences):
            model = occurrences.corpus.manifest.model if occurrences.layer is not None else settings[MODEL]
            layer = f", layer {occurrences.layer}" if occurrences.layer is not None else ""
            st.html(
                f'<p class="rb-point">{escape(memory.short_label(model)[:40])}{layer}</p>', width="content"
            )
        st.button(
            "Close",
            key="corpus/close",
            type="tertiary",
            on_click=corpus.close_folder,
            args=(settings,),
            help="Back to the sentences",
        )


def _words(settings: Settings, words: list[str]) -> None:
    """Draw the words that the folder has vectors of, to choose one."""

    def take() -> None:
        if word := st.session_state["corpus/word"]:
            settings.set(WORD.to(word), LOCKED.to(""))

    here = settings[WORD].strip()
    st.pills(
        "The word",
        words,
        default=here if here in words else None,
        key="corpus/word",
        on_change=take,
        help="The words that this folder has vectors of",
    )


def _draw(settings: Settings, occurrences: CorpusOccurrences) -> None:
    """Draw how many occurrences there are and how many are shown, with a button for a new sample."""
    with st.container(key="own/drawn", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="rb-own-drawn">{summary(occurrences)}</p>')
        if len(occurrences.sample) + occurrences.repeats < occurrences.total:
            again(settings)
    most = COUNTS[-1] if occurrences.layer is not None else LIVE
    counts = [
        n for below, n in zip((0, *COUNTS), COUNTS) if n <= most and (below < occurrences.total or not below)
    ]
    how_many(settings, "Dots", counts, occurrences.total)
