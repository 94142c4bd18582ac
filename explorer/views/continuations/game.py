"""Shannon's game without its screen: which words are played, what the model would say, and the score."""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import memory
from explorer.views.frame.settings import Settings
from explorer.views.widgets.bars import short

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Candidate, Probe
    from explorer.analysis.prediction.shannon import Spot

GUESSES = 5  # at each word, for the person as for the model
GIVEN = 4  # words that are shown before the first guess
MOST_WORDS = 400
ENOUGH = 5  # words before bits are counted: one word's count says nothing


def shortened(text: str) -> tuple[str, int]:
    """The part of a passage that is played, and how many words are not."""
    from explorer.analysis.prediction import shannon

    spots = shannon.spots(text)
    if len(spots) <= MOST_WORDS:
        return text, 0
    return text[: spots[MOST_WORDS - 1].end], len(spots) - MOST_WORDS


def turns(spots: "list[Spot]", game: str) -> list[int]:
    """The words that are guessed: each after the first few, or every third where one is hidden."""
    if game == "next":
        return list(range(min(GIVEN, max(len(spots) - 1, 0)), len(spots)))
    return list(range(1, len(spots), 3))


def rounds(settings: Settings, spots: "list[Spot]") -> list[tuple[int, int | None]]:
    """The words that were played, and the number of the guess that found each; a link may bring anything."""
    played = []
    for row in settings["rounds"]:
        fine = isinstance(row, list) and len(row) == 2 and isinstance(row[0], int)
        if fine and 0 <= row[0] < len(spots) and (row[1] is None or row[1] in range(1, GUESSES + 1)):
            played.append((row[0], row[1]))
    return played


@st.cache_resource(max_entries=256, show_spinner=False)
def expected(name: str, game: str, text: str, at: int) -> "tuple[list[Candidate], Probe]":
    """The model's guesses at a word, and what it gave to the word itself; kept for all visitors."""
    from explorer.analysis.prediction import shannon

    model, spot = memory.get(name), shannon.spots(text)[at]
    if game == "masked":
        found = shannon.hidden_words(model, text, spot, GUESSES)
        return found, shannon.hidden_word(model, text, spot, spot.word)
    found = shannon.next_words(model, text, spot, GUESSES)
    return found, shannon.next_word(model, text, spot, spot.word)


@st.cache_resource(max_entries=512, show_spinner=False)
def looked_up(name: str, game: str, text: str, at: int, guess: str) -> "Probe":
    """Where one guess stands for the model."""
    from explorer.analysis.prediction import shannon

    ask = shannon.hidden_word if game == "masked" else shannon.next_word
    return ask(memory.get(name), text, shannon.spots(text)[at], guess)


def found_at(spot: "Spot", guesses: list[str]) -> int | None:
    """The number of the guess that is the word."""
    return next((number for number, guess in enumerate(guesses, 1) if spot.is_(guess)), None)


def score(played: list[tuple[int, int | None]], name: str, game: str, text: str, spots: "list[Spot]") -> str:
    """Both sides of the game as a table."""
    from explorer.analysis.prediction import shannon

    if not played:
        return '<p class="rb-quiet" style="margin:4px 0">The score comes with the first word.</p>'
    from math import log2

    size = memory.get(name).tokenizer.size
    yours = [found for _, found in played]
    sides = [expected(name, game, text, at) for at, _ in played]
    theirs = [found_at(spots[at], [c.token for c in side[0]]) for (at, _), side in zip(played, sides)]
    own = [-log2(max(side[1].probability or 0.0, 1e-12)) for side in sides]
    lines = []
    for who, found, last in (
        ("You", yours, ""),
        (memory.short_label(name), theirs, f"{sum(own) / len(own):.1f}"),
    ):
        first, within = found.count(1), sum(n is not None for n in found)
        bound = f"{shannon.bits(found, size):.1f}" if len(found) >= ENOUGH else f"after {ENOUGH} words"
        cells = (f"{first} of {len(found)}", f"{within} of {len(found)}", bound, last)
        lines.append(f"<tr><td>{escape(who)}</td>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    heads = ("at the first guess", f"within {GUESSES}", "bits a word, by guesses", "by its probabilities")
    head = "<tr><th></th>" + "".join(f"<th>{cell}</th>" for cell in heads) + "</tr>"
    return f'<table class="rb-score">{head}{"".join(lines)}</table>'


def said(found: int | None, theirs: int | None, own: "Probe", name: str) -> str:
    """How the two did at this word."""
    names = {1: "at once", 2: "at the second guess", 3: "at the third", 4: "at the fourth", 5: "at the fifth"}
    you = f"You found it {names[found]}" if found else "You did not find it"
    model = f"{name} would have {names[theirs]}" if theirs else f"{name} would not have"
    given = f"{short(own.probability)}" if own.probability else "none that it can say"
    return f"{you}; {model}: it gave the word a probability of {given}."
