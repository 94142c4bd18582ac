"""Step by step: what is said of a number that was clicked, and which numbers made it."""

from typing import TYPE_CHECKING, Any

from explorer.views.transformer.step_figures import NAMES
from explorer.views.widgets.bars import short

if TYPE_CHECKING:
    from explorer.analysis.transformer import Cell, Origin, Part, Walk

SQUARE = ("scores", "masked", "weights")  # whose columns are tokens too


def why(walk: "Walk", names: list[str], cell: list[Any]) -> dict[str, Any]:
    """One number and its parts. Raises ExplorerError where the walk has no such number."""
    from explorer.analysis.transformer import origin

    made = origin(walk, *cell[:3])
    found: dict[str, Any] = {
        "cell": [made.cell.name, made.cell.row, made.cell.column],
        "title": spoken(names, made.cell),
        "value": number(made.value),
        "how": _how(walk, made),
        "parts": [_part(names, made, part) for part in made.parts if made.kind != "learnt"],
        "rest": "",
    }
    if made.others:
        smaller = "other scores" if made.kind == "softmax" else "smaller products"
        found["rest"] = f"{made.others} {smaller}: {number(made.rest)}"
    return found


def spoken(names: list[str], cell: "Cell") -> str:
    """A number's name in words.

    >>> from explorer.analysis.transformer import Cell
    >>> spoken(["the", "bank"], Cell("q", 1, 6)), spoken(["the", "bank"], Cell("weights", 1, 0))
    ('Q of bank, number 7', 'A: bank reads the')
    """
    symbol = NAMES[cell.name].symbol.replace("_{0}", "₀")
    if cell.name in SQUARE:
        return f"{symbol}: {names[cell.row]} reads {names[cell.column]}"
    what = "unit" if NAMES[cell.name].role == "hidden" else "number"
    return f"{symbol} of {names[cell.row]}, {what} {cell.column + 1}"


def _brief(names: list[str], made: "Origin", cell: "Cell") -> str:
    """A part's name: its place alone, where all parts are of one tensor and one token."""
    symbol = NAMES[cell.name].symbol.replace("_{0}", "₀")
    if made.kind == "scores":
        return f"Q {cell.column + 1}:"
    if cell.name in SQUARE:
        return f"{names[cell.column]}:"
    return f"{symbol} {cell.column + 1:,}:"


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
        case "dot" if made.cell.name == "out":
            return "Each token’s weight times the same number of its value, added up."
        case "dot":
            return f"A row times a learnt column, number by number, plus the bias {told['bias']}."
        case "scores":
            return f"Query times key, number by number; the sum divided by {told['divisor']}."
        case "softmax":
            return f"e to the power of its score, divided by the sum of the row, {told['total']}."
        case "norm":
            (part,) = made.parts
            return (
                f"= ({number(part.number)} − mean {told['mean']}) / deviation {told['deviation']} "
                f"× gain {told['gain']} + shift {told['shift']}"
            )
        case "activation":
            return "The activation of this number."
        case "mask":
            hidden = made.value == float("-inf")
            return "The score is put out: this must not be read." if hidden else "The score, let through."
        case "copy":
            return f"The same number, as head {made.told['head']:.0f} found it." if made.told else ""
    return f"Layer {walk.layer - 1} gave it."


def _part(names: list[str], made: "Origin", part: "Part") -> dict[str, Any]:
    """One of the numbers, as a button that follows it back, with its factor where it has one."""
    assert part.cell is not None
    text = f"{_brief(names, made, part.cell)} {number(part.number)}"
    times = ""
    if part.factor is not None:
        divided = made.kind == "scores"
        times = f"× {number(part.factor)} {'÷ √d ' if divided else ''}= {number(part.share)}"
    elif made.kind == "softmax":
        times = f"→ {short(part.share)}"
    cell = [part.cell.name, part.cell.row, part.cell.column, part.cell.layer, part.cell.head]
    other = part.factor_cell
    return {
        "text": text,
        "times": times,
        "cell": cell,
        "other": other and [other.name, other.row, other.column, None, None],
    }
