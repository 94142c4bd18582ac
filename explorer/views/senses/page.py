"""The word senses page: views of one word in many sentences, one of them at a time.

A view is a module of this package with `DEFAULTS`, `PRESETS` and

    controls(settings, occurrences)      what is chosen above its picture; `seen` is None where nothing is to see
    draw(settings, occurrences)          the picture of a WordOccurrences
    how(settings, occurrences, model)    how to read it, and a caveat
    code(settings)                the same numbers from Python

and, where it has them, `beside(settings, occurrences)`, drawn below the sentences (whose box may then have fewer
`LINES`), and `below(settings, occurrences)`, across the page. The picture of a view that is `WIDE` takes the whole
width, and the sentences stand below it.
"""

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.page import show_error
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Picture, offer
from explorer.views.frame.settings import Settings
from explorer.views.senses import (
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
from explorer.views.senses.word_occurrences import WordOccurrences, find_word
from explorer.views.senses.sense_map import MAP_PX
from explorer.views.widgets.registry import component, text_box

VIEWS: dict[str, tuple[str, ModuleType]] = {
    "map": ("Map", sense_map),
    "matrix": ("Matrix", matrix),
    "well": ("How well", how_well),
    "which": ("Which vector?", which_vector),
    "four": ("Four models", four_models),
    "new": ("New sentence", new_sentence),
}
CSS = Path(__file__).with_name("page.css")
LINES = 11  # of the sentences' box
FEWER = 3  # lines, in presenter mode, where what stands below is to be occurrences
DEFAULTS: dict[str, Any] = {**presets.DEFAULTS, **own_text_panel.DEFAULTS}
for _, module in VIEWS.values():
    DEFAULTS |= module.DEFAULTS


def view(settings: Settings) -> ModuleType:
    """The segmented control; the module of the chosen view."""
    st.html(f"<style>{_css()}</style>")
    if settings["view"] not in VIEWS:
        settings.set(view="map")
    st.segmented_control(
        "View", list(VIEWS), key=settings.key("view"), format_func=lambda name: VIEWS[name][0],
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    return VIEWS[settings["view"]][1]


def places(chosen: ModuleType) -> tuple[Any, Any]:
    """Where the sentences stand, and where the picture does."""
    if not getattr(chosen, "WIDE", False):
        left, right = st.columns([36, 64], gap="medium")
        return left.container(gap="xsmall"), right.container(gap="xsmall")
    picture = st.container(gap="xsmall")
    return st.columns([36, 64], gap="medium")[0].container(key="senses-under", gap="xsmall"), picture


def seen(settings: Settings) -> tuple[WordOccurrences | None, TextError | None]:
    """The look that the settings ask for, or what is wrong with the word or the sentences."""
    try:
        if settings["own"]:
            return own_text_panel.find_word(settings), None
        return find_word(settings["model"], settings["text"], settings["word"]), None
    except TextError as error:
        return None, error


def picture(settings: Settings, chosen: ModuleType, occurrences: WordOccurrences | None, problem: TextError | None) -> None:
    """The chosen view, or, in the place that it keeps, what is wrong."""
    chosen.controls(settings, occurrences)
    if occurrences is not None:
        with st.container(key="senses-picture", gap="xsmall"):
            chosen.draw(settings, occurrences)
        offer(settings, Picture("senses-picture", f"{occurrences.word}-{settings['model']}-{settings['view']}"))
        files.files(settings, occurrences)
    elif problem is not None:
        with st.container(height=MAP_PX, border=False):
            show_error(problem)


def sentences(settings: Settings, chosen: ModuleType, occurrences: WordOccurrences | None) -> None:
    """The word and its sentences, or the visitor's own text; below, what belongs to the view."""
    if settings["own"]:
        own_text_panel.panel(settings)
    else:
        _word(settings)
        _sentences(settings, getattr(chosen, "LINES", LINES) - FEWER * presenting())
    if occurrences is not None and hasattr(chosen, "beside"):
        chosen.beside(settings, occurrences)


def below(settings: Settings, chosen: ModuleType, occurrences: WordOccurrences | None) -> None:
    """What a view has to show below its picture."""
    if occurrences is not None and hasattr(chosen, "below"):
        chosen.below(settings, occurrences)


def code(settings: Settings, chosen: ModuleType) -> dict[str, str]:
    """The view's numbers from Python, with the settings as they are, for `show_code`."""
    shown = chosen.code(settings)
    return own_text_panel.code(settings, shown) if settings["own"] else {"code": shown}


def _word(settings: Settings) -> None:
    """The word, and our own examples."""
    with st.container(key="senses/word", horizontal=True, vertical_alignment="center", gap="small"):
        text_box(settings, "word", "The word", "A word")
        _chooser(settings)


def _sentences(settings: Settings, lines: int) -> None:
    """The sentences, and how to write a sense."""
    text_box(settings, "text", "Sentences, one a line", "One sentence a line", lines=lines)
    with st.container(key="senses/hint", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="rb-point">One a line, with its #sense.</p>')
        own_text_panel.door(settings)


def _chooser(settings: Settings) -> None:
    """Our own words to look through, and which of their sentences to take."""
    key = "senses/library"

    def take() -> None:
        if (word := st.session_state[key].word) in presets.library():
            settings.set(word=word, text=presets.sentences(word, settings["kind"]), locked="")

    def change() -> None:
        if (kind := st.session_state[key].kind) not in presets.KINDS:
            return
        settings.set(kind=kind)
        word = settings["word"].strip()
        ours = [presets.sentences(word, k) for k in presets.KINDS] if word in presets.library() else []
        if settings["text"] in [*ours, presets.DEFAULTS["text"]]:  # never over sentences of the visitor's own
            settings.set(text=presets.sentences(word, kind), locked="")

    component("senses/word_chooser")(
        key=key,
        data={
            "label": "Examples",
            "question": "Which sentences",
            "words": [{"word": word, "senses": senses} for word, senses in presets.library().items()],
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
    return CSS.read_text(encoding="utf-8")
