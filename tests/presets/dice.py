"""What the presets of Dice promise."""

from explorer.analysis.generation import ngrams
from explorer.analysis.sentences import our_town
from explorer.views.continuations import dice_writers
from tests.shared_models import model


def tables(counted: str) -> list[ngrams.Ngrams]:
    """One, two and three words back."""
    assert counted == "town"
    return [ngrams.count(our_town.town(), order) for order in (2, 3, 4)]


def three_words_are_new(text: str, counted: str) -> bool:
    """Most are, and counting them gains less than a twentieth of the bits of counting one."""
    one, _, three = tables(counted)
    return three.never_seen(text) > 0.5 and three.bits_per_word(text) > 0.95 * one.bits_per_word(text)


def costs_more_than_a_model(text: str, counted: str) -> bool:
    fewest = min(table.bits_per_word(text) for table in tables(counted))
    return dice_writers.bits_per_word(model("gpt"), text) < fewest
