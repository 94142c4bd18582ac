"""Tokens as a picture names them: short on the screen, told apart in words."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from explorer.text.letters import has_letters
from explorer.views.types import Encoding
from explorer.views.widgets.token_text import label


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
