"""The text that a class writes word by word, and what a model says at each place."""

from math import log2
from random import Random
from typing import NamedTuple

from explorer import analysis
from explorer.room.tally import bits
from explorer.server.kept import kept
from explorer.text.spacing import space_before
from explorer.views.continuations.settings import CLASS_WORDS
from explorer.views.settings.settings import Settings
from explorer.views.types import LanguageModel

GUESSES = 6  # of the model, beside the class's votes
MOST_WORDS = 40


class Word(NamedTuple):
    """A word of the class: its votes of `total`, and those for the model's first guess at its place."""

    word: str
    votes: int
    total: int
    votes_for_guess: int


def class_words(settings: Settings) -> list[Word]:
    """The words so far. A link may bring anything: what does not fit is left out."""
    rows = [row for row in settings[CLASS_WORDS] if isinstance(row, list) and len(row) == 4]
    fitting = [row for row in rows if isinstance(row[0], str) and all(isinstance(n, int) for n in row[1:])]
    return [Word(*row) for row in fitting if row[0].strip() and 0 < row[1] <= row[2] >= row[3] >= 0][
        :MOST_WORDS
    ]


def text_after(prompt: str, words: list[Word]) -> str:
    """The prompt with the class's words, spaced as people write them."""
    text = prompt.rstrip()
    for one in words:
        text += space_before(text, one.word) + one.word
    return text


def draw_word(votes: dict[str, int], seed: int) -> str:
    """A word drawn by its votes, the same for the same seed."""
    return Random(seed).choices(list(votes), list(votes.values()))[0]


@kept(256)
def next_guesses(model: "LanguageModel", text: str) -> "list[analysis.prediction.fill.Candidate]":
    """The model's most probable next words."""
    from explorer.analysis.prediction import shannon

    spot = shannon.Spot(len(text), len(text), "", space_before(text, "a"))
    return shannon.next_words(model, text, spot, GUESSES)


@kept(512)
def probability(model: "LanguageModel", text: str, word: str) -> float:
    """How probable a next word is to the model."""
    from explorer.analysis.prediction import shannon

    spot = shannon.Spot(len(text), len(text), "", space_before(text, word))
    return shannon.next_word(model, text, spot, word).probability or 0.0


@kept(64)
def own_words(model: "LanguageModel", prompt: str, count: int) -> list[str]:
    """What the model writes after the prompt, as many words."""
    from explorer.analysis.generation.steps import Sampling, generate

    sampling = Sampling(greedy=True, max_new_tokens=4 * count)
    return "".join(step.text for step in generate(model, prompt.rstrip(), sampling)).split()[:count]


def comparison(model: "LanguageModel", prompt: str, words: list[Word]) -> list[tuple[str, float, str, float]]:
    """Each word of the class with its bits for the model, the model's guess with its bits for the class."""
    rows = []
    for number, (word, _, total, votes_for_guess) in enumerate(words):
        before = text_after(prompt, words[:number])
        surprisal = -log2(max(probability(model, before, word), 1e-12))
        guess = next((one.token for one in next_guesses(model, before)), "")
        rows.append((word, surprisal, guess, bits(votes_for_guess, total)))
    return rows
