"""How much of a text and a model BertViz draws: each weight is a line, and lines take time."""

from dataclasses import dataclass, replace
from typing import Any

LINES = 40_000  # of a model view: more takes the browser longer than a class waits
TOKENS = 48  # of a head or neuron view
FEWEST = 8  # tokens that a model view keeps while there is a layer or a head to drop instead


@dataclass(frozen=True)
class Selection:
    """The layers and heads drawn, by number, and the tokens, by their place among those shown."""

    layers: range
    heads: range
    tokens: range

    @property
    def lines(self) -> int:
        """Its weights, which the model view draws as a line each."""
        return len(self.layers) * len(self.heads) * len(self.tokens) ** 2


def requested(setting: Any, size: int) -> range:
    """The numbers below `size` from the first to the last of a setting; all of them if it is no such pair."""
    match setting:
        case [int(first), int(last)] if 0 <= first <= last and first < size:
            return range(first, min(last, size - 1) + 1)
    return range(size)


def fit_model(part: Selection, lines: int = LINES) -> Selection:
    """The beginning of a part, as much as the model view may draw.

    With L layers and H heads, floor(sqrt(lines / (L H))) tokens; with fewer than eight, layers are
    dropped instead, then heads.
    """
    layers, heads, tokens = len(part.layers), len(part.heads), len(part.tokens)
    tokens = min(tokens, max(FEWEST, int((lines / (layers * heads)) ** 0.5)))
    layers = min(layers, max(1, lines // (heads * tokens**2)))
    heads = min(heads, max(1, lines // (layers * tokens**2)))
    return Selection(part.layers[:layers], part.heads[:heads], part.tokens[:tokens])


def fit_tokens(part: Selection) -> Selection:
    """The beginning of a part, with as many tokens as the head or neuron view may draw."""
    return replace(part, tokens=part.tokens[:TOKENS])
