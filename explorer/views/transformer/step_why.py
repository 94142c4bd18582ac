"""Step by step: what is said of a number that was clicked, and which numbers made it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.views.transformer.step_figures import NAMES, OF_SOURCE, SQUARE, TO_SOURCE
from explorer.views.widgets.bars import short

if TYPE_CHECKING:
    from explorer.analysis.transformer import Cell, Origin, Part, Walk


class Names(NamedTuple):
    """What the tokens are called: those of the layer's own text, and of the source that a decoder reads."""

    own: Sequence[str]
    source: Sequence[str] = ()

    def row(self, cell: "Cell") -> str:
        """The token whose row a number stands in."""
        return (self.source if cell.name in OF_SOURCE else self.own)[cell.row]

    def column(self, cell: "Cell") -> str:
        """The token that a score or a weight is about."""
        return (self.source if cell.name in TO_SOURCE else self.own)[cell.column]


def why(walk: "Walk", names: Names, cell: list[Any]) -> dict[str, Any]:
    """One number and its parts. Raises ExplorerError where the walk has no such number."""
    from explorer.analysis.transformer import origin

    made = origin(walk, *cell[:3])
    found: dict[str, Any] = {
        "cell": [made.cell.name, made.cell.row, made.cell.column],
        "title": spoken(names, made.cell),
        "value": number(made.value),
        "how": _how(walk, made),
        "parts": [_part(names, made, part) for part in made.parts if part.cell is not None],
        "rest": "",
    }
    if made.others:
        smaller = "other scores" if made.kind == "softmax" else "smaller products"
        found["rest"] = f"{made.others} {smaller}: {number(made.rest)}"
    return found


def spoken(names: Names, cell: "Cell") -> str:
    """A number's name in words.

    >>> from explorer.analysis.transformer import Cell
    >>> names = Names(["the", "bank"], ["la", "banque"])
    >>> spoken(names, Cell("q", 1, 6)), spoken(names, Cell("cross_weights", 1, 0))
    ('Q of bank, number 7', 'Cross A: bank reads la')
    """
    symbol = _symbol(cell.name)
    if cell.name in SQUARE:
        return f"{symbol}: {names.row(cell)} reads {names.column(cell)}"
    what = "unit" if NAMES[cell.name].role == "hidden" else "number"
    return f"{symbol} of {names.row(cell)}, {what} {cell.column + 1}"


def _symbol(name: str) -> str:
    """A symbol where nothing can be set lower."""
    symbol = NAMES[name].symbol.replace("_{0}", "₀").replace("_{φ}", " turned").replace("_{G}", "G")
    return f"Cross {symbol.removesuffix('_{c}')}" if symbol.endswith("_{c}") else symbol


def _brief(names: Names, made: "Origin", cell: "Cell") -> str:
    """A part's name: its place alone, where all parts are of one tensor and one token."""
    if made.kind == "scores":
        return f"Q {cell.column + 1}:"
    if cell.name in SQUARE:
        return f"{names.column(cell)}:"
    return f"{_symbol(cell.name)} {cell.column + 1:,}:"


def number(value: float) -> str:
    """A number as the picture writes it: four significant digits, a true minus."""
    if value == float("-inf"):
        return "−∞"
    return f"{value:.4g}".replace("-", "−")


def _how(walk: "Walk", made: "Origin") -> str:
    told = {name: number(value) for name, value in (made.told or {}).items()}
    match made.kind:
        case "learnt":
            (part,) = made.parts
            row = f"{part.number:,.0f}"
            return f"A learnt number: row {row} of the {part.of} table, column {made.cell.column + 1}."
        case "sum":
            return "These numbers, added up."
        case "dot" if made.cell.name in ("out", "cross_out"):
            return "Each token’s weight times the same number of its value, added up."
        case "dot":
            bias = f", plus the bias {told['bias']}" if "bias" in told else ""
            return f"A row times a learnt column, number by number{bias}."
        case "scores":
            divided = f"; the sum divided by {told['divisor']}" if "divisor" in told else ""
            return f"Query times key, number by number{divided}."
        case "softmax":
            return f"e to the power of its score, divided by the sum of the row, {told['total']}."
        case "norm":
            (part,) = made.parts
            return (
                f"= ({number(part.number)} − mean {told['mean']}) / deviation {told['deviation']} "
                f"× gain {told['gain']}" + (f" + shift {told['shift']}" if "shift" in told else "")
            )
        case "rms":
            (part,) = made.parts
            return f"= {number(part.number)} / root of the mean square {told['root']} × gain {told['gain']}"
        case "rotation":
            return (
                f"Turned by {told['angle']} rad: position {told['position']} × frequency {told['frequency']}."
            )
        case "unturned":
            return "This number is not turned."
        case "angle":
            return f"Position {told['position']} × frequency {told['frequency']}."
        case "cos" | "sin":
            return f"The {'cosine' if made.kind == 'cos' else 'sine'} of the angle."
        case "product":
            return "Gate times value."
        case "activation":
            return "The activation of this number."
        case "mask":
            hidden = made.value == float("-inf")
            return "The score is masked: this must not be read." if hidden else "The score, let through."
        case "copy":
            return f"The same number, as head {made.told['head']:.0f} gives it." if made.told else ""
        case "encoder":
            return "The encoder’s last layer gave it."
    return f"Layer {walk.layer - 1} gave it."


def _part(names: Names, made: "Origin", part: "Part") -> dict[str, Any]:
    """One of the numbers, as a button that follows it back, with its factor where it has one."""
    assert part.cell is not None
    text = f"{_brief(names, made, part.cell)} {number(part.number)}"
    times = ""
    if part.factor is not None:
        divided = made.kind == "scores" and "divisor" in (made.told or {})
        times = f"× {number(part.factor)} {'÷ √d ' if divided else ''}= {number(part.share)}"
    elif made.kind == "softmax":
        times = f"→ {short(part.share)}"
    cell = [part.cell.name, part.cell.row, part.cell.column, part.cell.layer, part.cell.head]
    cell += ["encoder"] if part.cell.encoder else []
    other = part.factor_cell
    return {
        "text": text,
        "times": times,
        "cell": cell,
        "other": other and [other.name, other.row, other.column, None, None],
    }
