"""What a model can do, by names that need no torch."""

from enum import Flag, auto
from functools import reduce
from operator import or_


class Ability(Flag):
    """What a model can do. A page offers only what the chosen model declares.

    >>> Ability.FILL in explorer.load("bert").abilities, Ability.FILL in explorer.load("gpt").abilities
    (True, False)
    """

    NONE = 0
    VECTORS = auto()  # one vector per word, whatever the context
    CONTEXT = auto()  # a hidden state per token and layer
    ATTENTION = auto()  # attention patterns
    FILL = auto()  # predicts masked tokens
    GENERATE = auto()  # predicts the next token
    NEXT_SENTENCE = auto()  # judges whether a second sentence follows the first
    NEXT_WORD = auto()  # reads from the left and predicts the word that comes next
    PREVIOUS_WORD = auto()  # reads from the right and predicts the word that came before
    TRANSLATE = auto()  # reads a text in one language and writes it in another
    DETECT = auto()  # judges of each token whether somebody replaced it
    SENTENCE_ORDER = auto()  # judges which of two sentences came first in their text
    CHARACTERS = auto()  # makes a word's first vector from its characters


def all_of(names: str) -> Ability:
    """Several abilities as one, by their names.

    >>> all_of("ATTENTION FILL") == Ability.ATTENTION | Ability.FILL
    True
    """
    return reduce(or_, (Ability[name] for name in names.split()))
