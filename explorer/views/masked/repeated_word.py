"""A note where the bundled BERT repeats a word of the sentence, as small models do."""

from explorer.text.letters import is_letters
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.server import memory
from explorer.views.frame.view import OpenPage
from explorer.views.masked.blanks import Sentence
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import BESIDE, MODEL

OURS = "gpt"  # the model that writes where no larger one is installed
SHORTEST = 4  # letters of a repeated word: “the” may well be needed twice


def repeated(sentence: "Sentence", guess: str) -> bool:
    """Whether a guess is a word, not a short one, that the sentence has elsewhere."""
    elsewhere = {word.text.casefold() for word in sentence.words}
    return len(guess) >= SHORTEST and is_letters(guess) and guess.casefold() in elsewhere


def repetition_note(page: "OpenPage[PageText]", sentence: "Sentence", guess: str) -> str:
    """A note on a first guess of the bundled BERT that repeats a word; else empty."""
    if str(page.model.checkpoint) != MODEL.default or not repeated(sentence, guess):
        return ""
    is_offered = WRITER != OURS and not page.settings[BESIDE]
    offer = f" “With {memory.short_label(WRITER)}” asks a larger one." if is_offered else ""
    return f"“{guess}” is in the sentence already. The bundled BERT is small and often repeats words.{offer}"
