"""The panel for a visitor's own text: its name, the word, and the sample.

It takes the place of the box of sentences, and has its height.
"""

from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.corpus.matching import forms
from explorer.errors import TextError
from explorer.locale import _, format_number, in_this_language, ngettext
from explorer.views import kit
from explorer.views.senses import own_text
from explorer.views.senses.example_sentences import FEW_OCCURRENCES
from explorer.views.senses.own_text import OwnText
from explorer.views.senses.own_text_dialog import choose
from explorer.views.senses.settings import DRAWN, FORMS, LOCKED, OWN, SEED, WORD
from explorer.views.senses.text_sample import LIVE, MOST
from explorer.views.widgets.visually_hidden import hidden_label, icon_button

if TYPE_CHECKING:
    from explorer.corpus.lookup import Sample

TRIED = kit.Session[str | None]("own/try", None)
SIZES = (30, FEW_OCCURRENCES, 120, LIVE, 1000, MOST)  # of a sample


def open_button(settings: kit.Settings) -> None:
    """Draw the button below the sentences that opens the visitor's own text, or goes back to it."""
    if own_text.current() is None:
        if st.button(
            _("Your own text…"),
            key="own/open",
            type="tertiary",
            help=_("Paste sentences, or open a file of up to 5 MB"),
        ):
            choose(settings)
        return
    st.button(
        _("Back to your own text"),
        key="own/back",
        type="tertiary",
        on_click=settings.set,
        args=(OWN.to(True), LOCKED.to("")),
    )


def panel(settings: kit.Settings) -> None:
    """Draw the word, the text's name, the sample, and words to try."""
    own, sample = own_text.current(), None
    with st.container(key="own/panel", gap="xsmall"):
        kit.text_box(
            settings, WORD, _("The word"), _("A word of your text"), on_change=lambda: _changed(settings)
        )
        _text_line(settings, own)
        if own is None:
            return
        with suppress(TextError):  # the error is shown in place of the map
            sample = own_text.draw_sample(settings)
            _sample(settings, sample)
            _forms(settings, sample)
        _try(settings, own, "own/words" if sample else "own/words-all")


def _text_line(settings: kit.Settings, own: OwnText | None) -> None:
    """Draw the text's name, and buttons to open another text or delete it."""
    forget, another = _("Delete this text now, and go back to the sentences"), _("Another text of your own")
    with _line("whose"):
        if own is not None:
            name, count = escape(own.contents.name, quote=True), own.index.sentences
            st.html(f'<p class="rb-own-name" title="{name}" dir="auto" translate="no">{name}</p>')
            sentences = ngettext("{count} sentence", "{count} sentences", count, count=format_number(count))
            st.html(f'<p class="rb-point">{sentences}</p>', width="content")
        if st.button(
            hidden_label(another) if own else _("Open your own text"),
            key="own/other",
            icon=":material/upload_file:" if own else None,
            type="tertiary",
            help=another if own else None,
        ):
            choose(settings)
        st.button(
            hidden_label(forget) if own else _("Back to the sentences"),
            key="own/forget",
            icon=":material/delete:" if own else None,
            type="tertiary",
            on_click=own_text.forget,
            args=(settings,),
            help=forget if own else None,
        )
    if own is not None and own.notes:
        kit.note(" ".join(own.notes))


def _sample(settings: kit.Settings, sample: "Sample") -> None:
    """Draw how many occurrences are shown, a button for a new sample, and the choice of its size."""
    with _line("drawn"):
        st.html(f'<p class="rb-own-drawn">{summary(sample)}</p>')
        if not sample.whole:
            icon_button(
                "casino",
                _("Draw again: seed {seed}", seed=settings[SEED] + 1),
                key="own/again",
                type="tertiary",
                on_click=lambda: settings.set(SEED.to(settings[SEED] + 1), LOCKED.to("")),
            )
    sizes = [n for below, n in zip((0, *SIZES), SIZES) if n == SIZES[0] or below < sample.total]
    if len(sizes) < 2:
        return
    settings.nearest(DRAWN, sizes)
    every = _("all {count}", count=format_number(sample.total))
    st.segmented_control(
        _("Occurrences"),
        sizes,
        key=settings.key(DRAWN, _("Occurrences")),
        required=True,
        label_visibility="collapsed",
        format_func=in_this_language(lambda n: format_number(n) if n < sample.total else every),
        help=_("More than {count} take a while.", count=LIVE),
    )


def summary(sample: "Sample") -> str:
    """How many occurrences are shown, of how many: “60 of 1,240 occurrences, drawn at random, seed 0.”"""
    count, total = len(sample.occurrences), sample.total
    if not sample.whole:
        text = _(
            "<b>{shown} of {all}</b> occurrences, drawn at random, seed {seed}.",
            shown=format_number(count),
            all=format_number(total),
            seed=sample.seed,
        )
    elif total == 1:
        text = _("<b>The only occurrence</b>.")
    elif total == 2:
        text = _("<b>Both</b> occurrences.")
    else:
        text = _("<b>All {count}</b> occurrences.", count=format_number(total))
    if sample.repeats:
        text += " " + ngettext(
            "{count} repeats a sentence and is left out.",
            "{count} repeat a sentence and are left out.",
            sample.repeats,
            count=format_number(sample.repeats),
        )
    return text


def _forms(settings: kit.Settings, sample: "Sample") -> None:
    """Draw the switch that counts a word's regular forms as well, and how many there are of each."""
    if len(forms(sample.word)) == 1:
        return
    with _line("forms"):
        kit.switch(
            settings,
            FORMS,
            _("Word forms"),
            help=_("Finds regular plurals, past forms and -ing forms; not irregular ones such as mice."),
        )
        if settings[FORMS]:
            counts = " · ".join(f"{kit.quoted(form)} {format_number(n)}" for form, n in sample.forms.items())
            st.html(f'<p class="rb-point">{counts}</p>')


def _try(settings: kit.Settings, own: OwnText, key: str) -> None:
    """Draw words of the text to try, in a container with this key."""
    if not own.suggestions:
        return

    def take() -> None:
        if word := TRIED.get():
            settings.set(WORD.to(word))
            _changed(settings)
        TRIED.set(None)

    with st.container(key=key):
        st.pills(
            _("Words to try"),
            list(own.suggestions),
            key=TRIED,
            on_change=take,
            format_func=in_this_language(lambda word: f"{word} {format_number(own.suggestions[word])}"),
            help=_(
                "Frequent words in varied contexts, with the number of their sentences. Words that our "
                "examples have in several senses come first."
            ),
        )


def _changed(settings: kit.Settings) -> None:
    """Limit the sample of a new word to what a live view takes."""
    settings.set(LOCKED.to(""), DRAWN.to(min(settings[DRAWN], LIVE)))


def _line(name: str) -> Any:
    return st.container(key=f"own/{name}", horizontal=True, vertical_alignment="center", gap="small")
