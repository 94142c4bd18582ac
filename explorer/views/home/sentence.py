"""A sentence in which a word may be hidden: its words to click, and what a click makes of it."""

import re

from explorer.views.home.settings import HIDDEN, TEXT
from explorer.views.settings.settings import Settings
from explorer.views.widgets.text_box import GAP, MASK
from explorer.views.widgets.token_strip import token_strip

WORD = re.compile(r"\[MASK\]|[\w'’-]+|[^\w\s]")
MOST = 80  # words to click


def strip(settings: Settings, text: str, guess: str) -> None:
    """The words of a text; a click hides one, or puts the hidden one back: `guess` if it is not known."""
    words = list(WORD.finditer(text))[:MOST]

    def clicked(index: int) -> None:
        changed, hidden = click(text, settings[HIDDEN] or guess, *words[index].span())
        settings.set(TEXT.to(changed), HIDDEN.to(hidden))

    tokens = [
        {
            "text": word.group().replace(MASK, GAP),
            "glued": before is not None and before.end() == word.start(),
            "selected": word.group() == MASK,
            "title": "click to fill it" if word.group() == MASK else "click to hide",
        }
        for before, word in zip([None, *words], words)
    ]
    token_strip(tokens, "home/strip", "The words of the sentence; click one to hide it", clicked)


def click(text: str, back: str, start: int, end: int) -> tuple[str, str]:
    """The text after a click on a word, and the word that is hidden in it now.

    Only one is: the word `back` goes into an earlier gap.

    >>> click("A cat sat.", "", 2, 5)
    ('A [MASK] sat.', 'cat')
    >>> click("A [MASK] sat.", "cat", 9, 12)
    ('A cat [MASK].', 'sat')
    >>> click("A [MASK] sat.", "cat", 2, 8)
    ('A cat sat.', '')
    """
    gap = text.find(MASK)
    if gap >= 0:
        text = text.replace(MASK, back, 1)
        if gap == start:
            return text, ""
        moved = len(back) - len(MASK) if gap < start else 0
        start, end = start + moved, end + moved
    return text[:start] + MASK + text[end:], text[start:end]
