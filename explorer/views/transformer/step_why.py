"""Step by step: how the clicked number was computed, and from which other numbers."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from explorer import analysis
from explorer.analysis.transformer.tensors import LABELS
from explorer.views.types import Cause, Cell, Origin, Walk
from explorer.views.widgets.numbers import short


class Names(NamedTuple):
    """The names of the tokens: of the layer's own text, and of the source that a decoder reads."""

    own: Sequence[str]
    source: Sequence[str] = ()

    def row(self, cell: "Cell") -> str:
        """The token whose row a number is in."""
        return (self.source if LABELS[cell.name].rows == "source" else self.own)[cell.row]

    def column(self, cell: "Cell") -> str:
        """The token that a score or a weight refers to."""
        return (self.source if LABELS[cell.name].columns == "source" else self.own)[cell.column]


def why(walk: "Walk", names: Names, cell: list[Any]) -> dict[str, Any]:
    """One number and its parts. Raises ExplorerError where the walk has no such number."""
    source = analysis.transformer.origin(walk, *cell[:3])
    smaller = "other scores" if source.kind == "softmax" else "smaller products"
    return {
        "cell": [source.cell.name, source.cell.row, source.cell.column],
        "title": spoken(names, source.cell),
        "value": number(source.value),
        "how": source.sentence.format_map({name: number(value) for name, value in source.details.items()}),
        "parts": [_part(names, source, cause) for cause in source.causes if cause.cell is not None],
        "rest": f"{source.omitted} {smaller}: {number(source.omitted_sum)}" if source.omitted else "",
    }


def spoken(names: Names, cell: "Cell") -> str:
    """A number's name in words.

    >>> from explorer.analysis.transformer import Cell
    >>> names = Names(["the", "bank"], ["la", "banque"])
    >>> spoken(names, Cell("q", 1, 6)), spoken(names, Cell("cross_weights", 1, 0))
    ('Q of bank, number 7', 'Cross A: bank reads la')
    """
    symbol = _symbol(cell.name)
    if LABELS[cell.name].columns != "numbers":
        return f"{symbol}: {names.row(cell)} reads {names.column(cell)}"
    unit = "unit" if LABELS[cell.name].role == "hidden" else "number"
    return f"{symbol} of {names.row(cell)}, {unit} {cell.column + 1}"


def _symbol(name: str) -> str:
    """A tensor's symbol in plain text, without subscripts."""
    symbol = LABELS[name].symbol.replace("_{0}", "₀").replace("_{φ}", " rotated").replace("_{G}", "G")
    return f"Cross {symbol.removesuffix('_{c}')}" if symbol.endswith("_{c}") else symbol


def _brief(names: Names, source: "Origin", cell: "Cell") -> str:
    """A part's name: only its place, if all parts are of one tensor and one token."""
    if source.kind == "scores":
        return f"Q {cell.column + 1}:"
    if LABELS[cell.name].columns != "numbers":
        return f"{names.column(cell)}:"
    return f"{_symbol(cell.name)} {cell.column + 1:,}:"


def number(value: float) -> str:
    """A number as the picture writes it: four significant digits, a true minus."""
    if value == float("-inf"):
        return "−∞"
    return f"{value:.4g}".replace("-", "−")


def _part(names: Names, source: "Origin", cause: "Cause") -> dict[str, Any]:
    """One of the numbers, for a button that follows it back, with its factor if it has one."""
    assert cause.cell is not None
    text = f"{_brief(names, source, cause.cell)} {number(cause.number)}"
    times = ""
    if cause.factor is not None:
        divided = source.kind == "scores" and "divisor" in source.details
        times = f"× {number(cause.factor)} {'÷ √d ' if divided else ''}= {number(cause.share)}"
    elif source.kind == "softmax":
        times = f"→ {short(cause.share)}"
    cell = [cause.cell.name, cause.cell.row, cause.cell.column, cause.cell.layer, cause.cell.head]
    cell += ["encoder"] if cause.cell.encoder else []
    other = cause.factor_cell
    return {
        "text": text,
        "times": times,
        "cell": cell,
        "other": other and [other.name, other.row, other.column, None, None],
    }
