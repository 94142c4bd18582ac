"""What the tensors of a walk are called: symbol, meaning, and what their rows and columns are."""

from dataclasses import dataclass, replace
from typing import Literal

from explorer import assets
from explorer.locale import translate

Role = Literal["stream", "query", "key", "value", "score", "attention", "hidden", "learnt"]


@dataclass(frozen=True)
class Label:
    """A tensor's symbol as a formula writes it, its meaning, and its role, which decides the colour.

    A row is a token of the text, or of the source that a decoder reads; a column is a number of a vector,
    or a token of either.
    """

    symbol: str
    meaning: str
    role: Role
    rows: Literal["tokens", "source"] = "tokens"
    columns: Literal["numbers", "tokens", "source"] = "numbers"


LABELS = {name: Label(**one) for name, one in assets.table(assets.TEXTS / "tensors.toml").items()}


def label(name: str) -> Label:
    """The label of a tensor, a learnt matrix or a learnt vector, in the language of whoever sees it.

    >>> label("x1").symbol, label("W_CQ").symbol, label("shift_1").symbol
    ('x′', 'W_{CQ}', 'b')
    """
    kind, _, which = name.partition("_")
    if kind in ("W", "b"):
        return Label(f"{kind}_{{{which}}}", "", "learnt")
    if kind in ("gain", "shift"):
        return Label({"gain": "g", "shift": "b"}[kind], "", "learnt")
    known = LABELS[name]
    return replace(known, symbol=translate(known.symbol), meaning=translate(known.meaning))
