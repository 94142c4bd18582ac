"""A token as a picture writes it, and what is said where a word's pieces are drawn as one."""

from explorer.text.byte_letters import SIGNS
from explorer.views.types import Encoding

MERGED = "Pieces of a word are merged: attention to them is summed, from them averaged (Clark et al. 2019)."
UNKNOWN = ("[UNK]", "<unk>")


def visible(text: str) -> str:
    """A token's text without the spaces around it; a token of spaces only is shown by signs.

    >>> visible(" bank"), visible(" \\n")
    ('bank', '␣↵')
    """
    return text.strip() or text.translate(SIGNS)


def label(encoding: "Encoding", position: int) -> str:
    """A token's label in a picture: a WordPiece as it is, a byte-level token as its text."""
    token = encoding.tokens[position]
    surface = encoding.surface(position)
    if encoding.special[position] or token.startswith("##") or token in UNKNOWN or not surface:
        return token
    return visible(surface)
