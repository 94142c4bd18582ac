"""How much of a text and a model BertViz is asked to draw: each weight is a line, and lines take time.

Each setting is [first, last], both included, or None for all. What is asked for and too much loses
tokens at its end, then layers, then heads; the page says what is left.
"""

from dataclasses import dataclass
from typing import Any

LINES = 40_000  # of a model view: more takes the browser longer than a class waits
TOKENS = 48  # of a head or neuron view
FEWEST = 8  # tokens that a model view keeps while there is a layer or a head to drop instead


@dataclass(frozen=True)
class Part:
    """What is drawn: layers and heads by number, tokens by their place among those shown."""

    layers: range
    heads: range
    tokens: range

    @property
    def lines(self) -> int:
        """Weights in it, which the model view draws as a line each."""
        return len(self.layers) * len(self.heads) * len(self.tokens) ** 2


def asked(setting: Any, size: int) -> range:
    """The numbers below `size` that a setting asks for; all of them where it asks for nothing sensible.

    >>> asked([2, 4], 6), asked([4, 99], 6), asked(None, 3)
    (range(2, 5), range(4, 6), range(0, 3))
    """
    match setting:
        case [int(first), int(last)] if 0 <= first <= last and first < size:
            return range(first, min(last, size - 1) + 1)
    return range(size)


def fit_model(wanted: Part, lines: int = LINES) -> Part:
    """As much of a part as a model view may draw, from its beginning.

    With L layers and H heads, floor(sqrt(lines / (L H))) tokens, and rather fewer layers or heads
    than fewer than eight tokens.
    """
    layers, heads, tokens = len(wanted.layers), len(wanted.heads), len(wanted.tokens)
    tokens = min(tokens, max(FEWEST, int((lines / (layers * heads)) ** 0.5)))
    layers = min(layers, max(1, lines // (heads * tokens**2)))
    heads = min(heads, max(1, lines // (layers * tokens**2)))
    return Part(wanted.layers[:layers], wanted.heads[:heads], wanted.tokens[:tokens])


def fit_tokens(wanted: Part, tokens: int = TOKENS) -> Part:
    """As many tokens as a head or neuron view may draw, from the beginning of those asked for."""
    return Part(wanted.layers, wanted.heads, wanted.tokens[:tokens])
