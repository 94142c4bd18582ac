"""A larger model for the sentences at which the bundled BERT fails, one click away."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.text.letters import is_letters
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.server import memory
from explorer.views.masked.settings import MODEL

if TYPE_CHECKING:
    from explorer.views.frame.view import OpenPage
    from explorer.views.masked.blanks import Sentence
    from explorer.views.masked.sentence import PageText

OURS = "gpt"  # the model that writes where no larger one is installed
SHORTEST = 4  # letters of a repeated word: “the” may well be needed twice


def offer(page: "OpenPage[PageText]") -> None:
    """Draw a button that lets the larger model read the sentence, beside the bundled BERT."""
    if not is_ours(page) or WRITER == OURS:
        return
    st.button(
        f"Read by {memory.short_label(WRITER)}",
        key="masked/larger",
        on_click=lambda: page.settings.set(MODEL.to(WRITER)),
        help="Let a larger model fill the same blank; it tries words and reads the sentence to its end",
    )


def is_ours(page: "OpenPage[PageText]") -> bool:
    """Whether the page's model is the bundled BERT."""
    return str(page.model.checkpoint) == MODEL.default


def repeated(sentence: "Sentence", guess: str) -> bool:
    """Whether a guess is a word, not a short one, that the sentence has elsewhere."""
    elsewhere = {word.text.casefold() for word in sentence.words}
    return len(guess) >= SHORTEST and is_letters(guess) and guess.casefold() in elsewhere


def repetition_note(page: "OpenPage[PageText]", sentence: "Sentence", guess: str) -> str:
    """A note on a first guess of the bundled BERT that repeats a word; else empty."""
    if not is_ours(page) or not repeated(sentence, guess):
        return ""
    other = "" if WRITER == OURS else f" “Read by {memory.short_label(WRITER)}” asks a larger one."
    return f"“{guess}” is in the sentence already. The bundled BERT is small and often repeats words.{other}"
