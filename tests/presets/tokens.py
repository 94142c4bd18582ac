"""What the presets of Tokens promise."""

from explorer.text.byte_letters import readable
from explorer.views.tokens import learning


def cuts_at_the_ending(text: str, word: str, ending: str) -> bool:
    """After all merges that the text allows, a word of it or not ends in this piece, with one before it."""
    learnt = learning.learn(text, "byte-pairs", 1_000)
    pieces = [readable(piece) for piece in learnt.cut(learning.split(f" {word}", "byte-pairs")[0])]
    return word not in text and len(pieces) == 2 and pieces[1] == ending


def is_whole(text: str, way: str, step: int, word: str) -> bool:
    """After so many merges a word of the text is one piece, and after one fewer it was not."""
    learnt = learning.learn(text, way, 1_000)
    symbols = learning.split(word, way)[0]
    return len(learnt.cut(symbols, step)) == 1 < len(learnt.cut(symbols, step - 1))
