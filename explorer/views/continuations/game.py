"""Shannon's game: which words are guessed, what the model would guess, and the score."""

from html import escape
from math import log2
from typing import TYPE_CHECKING

from explorer.server import memory
from explorer.server.kept import kept
from explorer.views.continuations.settings import ROUNDS
from explorer.views.frame.presenter import for_class
from explorer.views.settings.settings import Settings
from explorer.views.types import LanguageModel, Probe, Spot
from explorer.views.widgets.numbers import short

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Candidate

GUESSES = 5  # at each word, for the person as for the model
FIRST = {"next": 4, "masked": 1}  # the number of the first word that is guessed
EVERY = {"next": 1, "masked": 3}  # each word after it, or every third
MOST_WORDS = 400
ENOUGH = 5  # words from which on bits are shown: one word's guesses say nothing
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def shortened(text: str) -> tuple[str, int]:
    """The part of a passage that is played, and the number of words beyond it."""
    from explorer.analysis.prediction import shannon

    spots = shannon.spots(text)
    if len(spots) <= MOST_WORDS:
        return text, 0
    return text[: spots[MOST_WORDS - 1].end], len(spots) - MOST_WORDS


def guessed_words(spots: "list[Spot]", game: str) -> range:
    """The numbers of the words that are guessed: in a short passage, at least the last one."""
    first = min(FIRST[game], max(len(spots) - 1, 0)) if game == "next" else FIRST[game]
    return range(first, len(spots), EVERY[game])


def played_words(settings: Settings, spots: "list[Spot]") -> list[tuple[int, int | None]]:
    """The words played so far, each with the number of its right guess (None if no guess was right).

    A link may bring anything: entries that do not fit are left out.
    """
    played = []
    for row in settings[ROUNDS]:
        is_pair = isinstance(row, list) and len(row) == 2 and isinstance(row[0], int)
        if is_pair and 0 <= row[0] < len(spots) and (row[1] is None or row[1] in range(1, GUESSES + 1)):
            played.append((row[0], row[1]))
    return played


@kept(256)
def expected(model: "LanguageModel", game: str, text: str, at: int) -> "tuple[list[Candidate], Probe]":
    """The model's guesses at a word, and the word's own probability and rank; cached for all visitors."""
    from explorer.analysis.prediction import shannon

    spot = shannon.spots(text)[at]
    if game == "masked":
        candidates = shannon.hidden_words(model, text, spot, GUESSES)
        return candidates, shannon.hidden_word(model, text, spot, spot.word)
    candidates = shannon.next_words(model, text, spot, GUESSES)
    return candidates, shannon.next_word(model, text, spot, spot.word)


@kept(512)
def looked_up(model: "LanguageModel", game: str, text: str, at: int, guess: str) -> "Probe":
    """Probability and rank of a visitor's guess, cached for all visitors."""
    from explorer.analysis.prediction import shannon

    look_up = shannon.hidden_word if game == "masked" else shannon.next_word
    return look_up(model, text, shannon.spots(text)[at], guess)


def found_at(spot: "Spot", guesses: list[str]) -> int | None:
    """The number of the first guess that is the word, or None."""
    return next((number for number, guess in enumerate(guesses, 1) if spot.is_(guess)), None)


def passage(text: str, spot: "Spot", game: str, revealed: bool) -> str:
    """The passage as HTML, with a blank for the word, or with the word."""
    word = f"<mark>{escape(spot.word)}</mark>" if revealed else "<i aria-label='the word to guess'>?</i>"
    after = escape(text[spot.end :]) if game == "masked" else ""
    passage_html = f"{escape(text[: spot.start])}{word}{after}"
    return f'<div class="rb-tale" dir="auto" translate="no" tabindex="0">{passage_html}</div>'


def score(
    played: list[tuple[int, int | None]], model: "LanguageModel", game: str, text: str, spots: "list[Spot]"
) -> str:
    """The person's score and the model's as an HTML table."""
    from explorer.analysis.prediction import shannon

    if not played:
        return '<p class="rb-note">The score appears after the first word.</p>'

    size = model.tokenizer.size
    own_numbers = [number for _, number in played]
    model_side = [expected(model, game, text, at) for at, _ in played]
    model_numbers = [
        found_at(spots[at], [c.token for c in candidates])
        for (at, _), (candidates, _) in zip(played, model_side)
    ]
    model_bits = [-log2(max(probe.probability or 0.0, 1e-12)) for _, probe in model_side]
    mean_bits = f"{sum(model_bits) / len(model_bits):.1f}"
    columns, lines = (2 if for_class() else 4), []
    for who, numbers, last in (
        ("You", own_numbers, ""),
        (memory.short_label(str(model.checkpoint)), model_numbers, mean_bits),
    ):
        first, within, total = numbers.count(1), sum(n is not None for n in numbers), len(numbers)
        bound = f"{shannon.bits(numbers, size):.1f}" if total >= ENOUGH else f"after {ENOUGH} words"
        cells = (f"{first} of {total}", f"{within} of {total}", bound, last)
        lines.append(
            f"<tr><td>{escape(who)}</td>" + "".join(f"<td>{cell}</td>" for cell in cells[:columns]) + "</tr>"
        )
    heads = ("at the first guess", f"within {GUESSES}", "bits per word, from guesses", "from probabilities")
    head = "<tr><td></td>" + "".join(f"<th>{cell}</th>" for cell in heads[:columns]) + "</tr>"
    return f'<table class="rb-score">{head}{"".join(lines)}</table>'


def verdict(guess_number: int | None, model_number: int | None, probe: "Probe", name: str) -> str:
    """How the person and the model did at this word."""
    you = f"You got it on the {ORDINALS[guess_number]} guess." if guess_number else "You did not get it."
    model = f"{name} would not have got it in {GUESSES}."
    if model_number:
        model = f"{name} would have got it on the {ORDINALS[model_number]}."
    if not probe.probability:
        return f"{you} {model} It cannot give the word a probability."
    return f"{you} {model} It gave the word a probability of {short(probe.probability)}."
