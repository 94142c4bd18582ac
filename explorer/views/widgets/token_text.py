"""Tokens as a picture writes and names them, and what is said where a word's pieces are drawn as one."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from explorer.locale import N_
from explorer.text.byte_letters import SIGNS
from explorer.text.letters import has_letters
from explorer.views.types import Encoding


def token_labels(encoding: "Encoding", positions: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """A trace's tokens for a component: the text, the name, and whether they are special."""
    positions = range(len(encoding)) if positions is None else positions
    texts = [label(encoding, i) for i in positions]
    special = encoding.special.tolist()
    return [
        {"text": text, "name": name, "quiet": special[i]}
        for text, name, i in zip(texts, distinct(texts), positions)
    ]


def distinct(texts: Sequence[str]) -> list[str]:
    """The texts as distinct names: marks are quoted, and repeated texts are numbered."""
    counts = Counter(texts)
    numbers: Counter[str] = Counter()
    names = []
    for text in texts:
        numbers[text] += 1
        name = text if has_letters(text) else f"“{text}”"
        names.append(f"{name} ({numbers[text]})" if counts[text] > 1 else name)
    return names


MERGED = N_(
    "Pieces of a word are merged: attention to them is summed, from them averaged (Clark et al. 2019)."
)
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
