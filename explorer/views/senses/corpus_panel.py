"""The word senses page with a folder of vectors: the word, how many dots, and the way in.

It takes the place that the sentences' box has otherwise.
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


def way_in(settings: Settings) -> None:
    """The path of a folder, and a button that opens it; for the dialog of one's own text."""
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
        corpus.take(settings, place)
    except ExplorerError as error:
        show_error(error)
        return
    st.rerun()


def anew(settings: Settings, model: "LanguageModel") -> CorpusOccurrences:
    """Some drawn occurrences through all layers, with a bar while sentences are run. Raises ExplorerError."""
    with progress() as step:
        return corpus.anew(settings, model, step)


def panel(settings: Settings, found: WordOccurrences | None) -> None:
    """The folder, its words, the draw."""
    style()
    with st.container(key="own/panel", gap="xsmall"):
        _whose(settings, found)
        try:
            _words(settings, corpus.current(settings).manifest.words)
        except ExplorerError:  # it is said in the picture's place
            return
        if isinstance(found, CorpusOccurrences):
            _draw(settings, found)


def told(found: CorpusOccurrences) -> str:
    """How the occurrences that are shown were chosen.

    Such as “1,000 of 1,000,000 occurrences, drawn at random, seed 0.”
    """
    shown, total = len(found.drawn), found.total
    if shown + found.repeats == total:
        said = f"<b>All {total:,}</b> occurrences." if total > 1 else "<b>The only occurrence</b>."
    else:
        said = f"<b>{shown:,} of {total:,}</b> occurrences, drawn at random."
    if found.repeats:
        repeat = "repeats a sentence and is" if found.repeats == 1 else "repeat a sentence and are"
        said += f" {found.repeats:,} {repeat} left out."
    return said


def _whose(settings: Settings, found: WordOccurrences | None) -> None:
    """Which folder this is, whose vectors, and the way back."""
    with st.container(key="own/whose", horizontal=True, vertical_alignment="center", gap="small"):
        place = escape(settings[CORPUS], quote=True)
        st.html(f'<p class="rb-own-name" title="{place}">{place.rstrip("/").rpartition("/")[2]}</p>')
        if isinstance(found, CorpusOccurrences):
            model = found.corpus.manifest.model if found.layer is not None else settings[MODEL]
            layer = f", layer {found.layer}" if found.layer is not None else ""
            st.html(
                f'<p class="rb-point">{escape(memory.short_label(model)[:40])}{layer}</p>', width="content"
            )
        st.button(
            "Close",
            key="corpus/close",
            type="tertiary",
            on_click=corpus.leave,
            args=(settings,),
            help="Back to the sentences",
        )


def _words(settings: Settings, words: list[str]) -> None:
    """The words that the folder has vectors of."""

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


def _draw(settings: Settings, found: CorpusOccurrences) -> None:
    """How many there are, how many of them are shown, and another draw."""
    with st.container(key="own/drawn", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="rb-own-drawn">{told(found)}</p>')
        if len(found.drawn) + found.repeats < found.total:
            again(settings)
    most = COUNTS[-1] if found.layer is not None else LIVE
    counts = [n for below, n in zip((0, *COUNTS), COUNTS) if n <= most and (below < found.total or not below)]
    how_many(settings, "Dots", counts, found.total)
