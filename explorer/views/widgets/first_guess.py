"""What is said of a model's guesses: the first of them aloud, and which words the sentence has already."""

from collections.abc import Sequence
from html import escape
from typing import Any

import regex
import streamlit as st

from explorer.locale import N_, _, close_up, translate
from explorer.text.letters import LETTERS, is_letters
from explorer.views.widgets.numbers import in_words
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import MASK
from explorer.views.widgets.visually_hidden import live_region

SHORTEST = 3  # letters of a repeated word: “of” may well be needed twice
NEEDED_TWICE = {"and", "are", "for", "had", "has", "her", "his", "not", "our", "she", "the", "was", "you"}
WORDS = regex.compile(LETTERS)
SMALL = N_("The bundled BERT is small and often repeats words.")


def repeats(text: str, guess: str) -> bool:
    """Whether a guess for a [MASK] of a text is a word, no very common one, that the text has elsewhere.

    >>> repeats("The dog chased the [MASK].", "Dog"), repeats("The dog chased the [MASK].", "the")
    (True, False)
    """
    word = guess.casefold()
    if len(word) < SHORTEST or not is_letters(word) or word in NEEDED_TWICE:
        return False
    return word in {other.casefold() for other in WORDS.findall(text.replace(MASK, " "))}


def repetition_line(rows: Sequence[dict[str, Any]], more: str = "") -> None:
    """A line on the rows whose bars are hatched, followed by `more`; none without one."""
    words = [
        _("“{word}”", word=quoted(row["token"]))
        for row in rows
        if row.get("repeats") and not row.get("covered")
    ]
    if words:
        every = _(", ").join(words)
        line = (
            _("Hatched: {words} are in the sentence already.", words=every)
            if len(words) > 1
            else _("Hatched: {words} is in the sentence already.", words=every)
        )
        line = close_up(f"{line} {escape(translate(more))}".rstrip())
        st.html(f'<p class="rb-how">{line}</p>')


def say_first(rows: Sequence[dict[str, Any]]) -> None:
    """The first guess for a screen reader, which says it whenever it has changed."""
    first = next((row for row in rows if not row.get("covered") and not row.get("pinned")), None)
    if first is not None:
        probability = in_words(first["probability"])
        live_region(_("First guess: {word}, {probability}", word=first["token"], probability=probability))
