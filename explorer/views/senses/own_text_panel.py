"""The panel for the visitor's own text: the word, the sample of its occurrences, and words to try.

It takes the place of the box of sentences, and has its height.
"""

from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.settings import Settings
from explorer.views.senses import own_text
from explorer.views.senses.own_text import LIVE, MOST, OwnText, regular_forms
from explorer.views.senses.own_text_dialog import choose
from explorer.views.senses.panel_parts import again, how_many, progress, style
from explorer.views.senses.presets import FEW_OCCURRENCES
from explorer.views.senses.settings import DRAWN, FORMS, LOCKED, OWN, WORD
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.corpus.lookup import Sample
    from explorer.models import LanguageModel

COUNTS = (30, FEW_OCCURRENCES, 120, LIVE)


def open_button(settings: Settings) -> None:
    """Draw the button below the sentences that opens the visitor's own text, or goes back to it."""
    style()
    if own_text.current() is None:
        if st.button(
            "Your own text…",
            key="own/open",
            type="tertiary",
            help="Paste sentences, or open a file of up to 50 MB",
        ):
            choose(settings)
        return
    st.button(
        "Back to your own text",
        key="own/back",
        type="tertiary",
        on_click=settings.set,
        args=(OWN.to(True), LOCKED.to("")),
    )


def find_word(settings: Settings, model: "LanguageModel") -> WordOccurrences:
    """The word in the visitor's own text, with a progress bar while sentences are run. Raises TextError."""
    with progress() as step:
        return own_text.find_word(settings, model, step)


def panel(settings: Settings) -> None:
    """Draw the word, the text and the size of the sample."""
    style()
    own = own_text.current()
    with st.container(key="own/panel", gap="xsmall"):
        text_box(settings, WORD, "The word", "A word of your text", on_change=lambda: _changed(settings))
        _text_line(settings, own)
        if own is None:
            return
        sample = None
        with suppress(TextError):  # the error is shown in place of the map
            sample = own_text.draw_sample(settings)
            _draw(settings, sample)
        _try(settings, own, "own/words" if sample else "own/words-all")


def _text_line(settings: Settings, own: OwnText | None) -> None:
    """Draw the text's name, and buttons to open another text or delete it."""
    with st.container(key="own/whose", horizontal=True, vertical_alignment="center", gap="small"):
        if own is not None:
            name = escape(own.contents.name, quote=True)
            count = f"{own.index.sentences:,} {'sentence' if own.index.sentences == 1 else 'sentences'}"
            st.html(f'<p class="rb-own-name" title="{name}" dir="auto" translate="no">{name}</p>')
            st.html(f'<p class="rb-point">{count}</p>', width="content")
        other = ":material/upload_file:" if own else "Open your own text"
        if st.button(
            other, key="own/other", type="tertiary", help="Another text of your own" if own else None
        ):
            choose(settings)
        st.button(
            ":material/delete:" if own else "Back to the sentences",
            key="own/forget",
            type="tertiary",
            on_click=own_text.forget,
            args=(settings,),
            help="Delete this text now, and go back to the sentences" if own else None,
        )
    if own is not None and own.notes:
        st.html(f'<p class="rb-point">{escape(" ".join(own.notes))}</p>')


def _draw(settings: Settings, sample: "Sample") -> None:
    """Draw how many occurrences there are and how many are shown, with controls of the sample."""
    with st.container(key="own/drawn", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="rb-own-drawn">{summary(sample)}</p>')
        if not sample.whole:
            again(settings)
    total = sample.matches.total
    counts = [n for below, n in zip((0, *COUNTS), COUNTS) if n == COUNTS[0] or below < total]
    if settings[DRAWN] > LIVE:
        counts.append(MOST)
    with st.container(key="own/counts", horizontal=True, vertical_alignment="center", gap="small"):
        how_many(settings, "Occurrences", counts, total)
        if total > LIVE >= settings[DRAWN]:
            st.button(
                f"up to {min(MOST, total):,}",
                key="own/more",
                type="tertiary",
                on_click=settings.set,
                args=(DRAWN.to(MOST),),
                help="This takes a while: every sentence is read",
            )
    if len(regular_forms(sample.matches.word)) > 1:
        with st.container(key="own/forms", horizontal=True, vertical_alignment="center", gap="small"):
            st.toggle(
                "Word forms",
                key=settings.key(FORMS, "Word forms"),
                help="Finds regular plurals, past forms and -ing forms; not irregular ones such as mice.",
            )
            if settings[FORMS]:
                counts_by_form = " · ".join(
                    f"{quoted(form)} {n:,}" for form, n in sample.matches.forms.items()
                )
                st.html(f'<p class="rb-point">{counts_by_form}</p>')


def summary(sample: "Sample") -> str:
    """How many occurrences are shown, of how many: “60 of 1,240 occurrences, drawn at random, seed 0.”"""
    count, total = len(sample.occurrences), sample.matches.total
    if not sample.whole:
        text = f"<b>{count:,} of {total:,}</b> occurrences, drawn at random, seed {sample.seed}."
    elif total == 1:
        text = "<b>The only occurrence</b>."
    else:
        text = f"<b>{'Both' if total == 2 else f'All {total:,}'}</b> occurrences."
    if sample.repeats:
        repeat = "repeats a sentence and is" if sample.repeats == 1 else "repeat a sentence and are"
        text += f" {sample.repeats:,} {repeat} left out."
    return text


def _try(settings: Settings, own: OwnText, key: str) -> None:
    """Draw words of the text to try, in a container with this key."""
    words = {suggestion.word: suggestion for suggestion in own.suggestions}
    if not words:
        return

    def take() -> None:
        if word := st.session_state["own/try"]:
            settings.set(WORD.to(word))
            _changed(settings)
        st.session_state["own/try"] = None

    with st.container(key=key):
        st.pills(
            "Words to try",
            list(words),
            key="own/try",
            on_change=take,
            format_func=lambda word: f"{word} {words[word].sentences:,}",
            help="Frequent words in varied contexts, with the number of their sentences. Words that our "
            "examples have in several senses come first.",
        )


def _changed(settings: Settings) -> None:
    """Limit the sample of a new word to what a live view takes."""
    settings.set(LOCKED.to(""), DRAWN.to(min(settings[DRAWN], LIVE)))
