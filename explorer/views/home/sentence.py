"""A sentence in which a word may be hidden: its words to press and what a press makes of it, or its box."""

import regex
import streamlit as st

from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.home.settings import GAP_AT, HIDDEN, TEXT

WORD = regex.compile(r"\[MASK\]|(?:[\p{L}\p{N}\p{Pc}'’-]\p{M}*)+|(?!\s)\X")
MOST = 80  # words to press
WRITING = kit.Session("/home/writing", False)  # whether the box stands in the place of the words
LABEL = N_("A sentence")


def draw(settings: kit.Settings, text: str, guess: str, shows: bool = False) -> None:
    """The words of a text, or in their place the box, and the button from one to the other.

    On stage the gap `shows` the guess once it is not asked any more.
    """
    if not text.strip():
        WRITING.set(True)
    writes, resets = WRITING.get(), [HIDDEN.to(""), GAP_AT.to(0)]
    with st.container(key="home-sentence", horizontal=True, vertical_alignment="center"):
        with st.container(key="home-text"):  # as a setting's control, which a preset marks
            if writes:
                kit.text_box(settings, TEXT, _(LABEL), resets=resets, blanks=True, gaps=True, on_enter=turn)
            else:
                strip(settings, text, guess, shows)
        st.button(_("Done") if writes else _("Write your own"), key="home/write", on_click=turn)


def turn() -> None:
    """Put the box into the place of the words, or the words into that of the box (for a callback)."""
    WRITING.set(not WRITING.get())


def strip(settings: kit.Settings, text: str, guess: str, shows: bool = False) -> None:
    """The words of a text; a press hides one, and fills a gap: with its own word, or `guess` without one.

    Behind a long text's last word to press stands a sign that opens the box, which has all of it.
    """
    settings.text_labels[TEXT] = _(LABEL)
    words = list(WORD.finditer(text))[:MOST]

    def clicked(index: int) -> None:
        if index == len(words):
            return turn()
        word, at = words[index], settings[GAP_AT]
        if word.group() == kit.MASK and not settings[HIDDEN] and text[: word.start()].count(kit.MASK) == at:
            settings.set(TEXT.to(text[: word.start()] + guess + text[word.end() :]), GAP_AT.to(0))
        else:
            changed, hidden, gap = click(text, settings[HIDDEN], at, *word.span())
            settings.set(TEXT.to(changed), HIDDEN.to(hidden), GAP_AT.to(gap))

    tokens = []
    for before, word in zip([None, *words], words):
        is_gap, at = word.group() == kit.MASK, text[: word.start()].count(kit.MASK)
        is_here = is_gap and at == settings[GAP_AT]
        token = {
            "text": word.group().replace(kit.MASK, (shows and is_here and guess) or kit.GAP),
            "glued": before is not None and before.end() == word.start(),
            "selected": is_here,
            "title": _("press to hide"),
        }
        if is_gap:
            token |= {"name": _("gap"), "title": _("press to fill it") if is_here else _("press to guess it")}
        tokens.append(token)
    if words and text[words[-1].end() :].strip():
        tokens.append({"text": "…", "name": _("more"), "title": _("press to read all of it")})
    kit.token_strip(tokens, "home/strip", _("The words of the sentence; press one to hide it"), clicked)


def click(text: str, hidden: str, at: int, start: int, end: int) -> tuple[str, str, int]:
    """The text after a press on a word, the word that is hidden in it now, and the number of its gap.

    Gap number `at` gets `hidden` back, its own word. A gap whose word is not known stays: nothing is
    put into a sentence that its writer has not written.

    >>> click("A cat sat.", "", 0, 2, 5)
    ('A [MASK] sat.', 'cat', 0)
    >>> click("A [MASK] sat.", "cat", 0, 9, 12)
    ('A cat [MASK].', 'sat', 0)
    >>> click("A [MASK] sat.", "cat", 0, 2, 8)
    ('A cat sat.', '', 0)
    >>> click("A [MASK] sat.", "", 0, 9, 12)
    ('A [MASK] [MASK].', 'sat', 1)
    """
    gaps = [match.start() for match in regex.finditer(regex.escape(kit.MASK), text)]
    if hidden and at < len(gaps):
        gap = gaps[at]
        text = text[:gap] + hidden + text[gap + len(kit.MASK) :]
        if gap == start:
            return text, "", 0
        moved = len(hidden) - len(kit.MASK) if gap < start else 0
        start, end = start + moved, end + moved
    number = text[:start].count(kit.MASK)
    if text[start:end] == kit.MASK:
        return text, "", number
    return text[:start] + kit.MASK + text[end:], text[start:end], number
