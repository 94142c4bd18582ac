"""The marks of a word's occurrences, and the words around them, as plain data."""

import math
from collections.abc import Sequence
from typing import Any

from explorer.views.look.theme import SENSE_SHAPES, UNKNOWN_SHAPE


def _star(points: int, outer: float, inner: float) -> str:
    corners = [
        (r * math.sin(math.pi * i / points), -r * math.cos(math.pi * i / points))
        for i, r in enumerate([outer, inner] * points)
    ]
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in corners) + "Z"


_CIRCLE = "M9,0A9,9 0 1 1 -9,0A9,9 0 1 1 9,0Z"
# The theme's shapes as SVG paths around the origin, all of about the same area.
PATHS = {
    "circle": _CIRCLE,
    "square": "M-8,-8H8V8H-8Z",
    "triangle-up": "M0,-11L10.5,7.5H-10.5Z",
    "diamond": "M0,-12L9.5,0L0,12L-9.5,0Z",
    "cross": "M-3.7,-10H3.7V-3.7H10V3.7H3.7V10H-3.7V3.7H-10V-3.7H-3.7Z",
    "star": _star(5, 12.5, 5.6),
    "circle-open": _CIRCLE,
}


def order(senses: Sequence[str | None]) -> list[str]:
    """The senses in the order of their first occurrence, so that a new one never recolours the others."""
    return list(dict.fromkeys(s for s in senses if s))


def mark(group: int | None) -> dict[str, Any]:
    """How the dots of a group are drawn: the number of a palette colour (-1: no group) and a path.

    Colours repeat after six groups, with other shapes.
    """
    if group is None:
        return {"colour": -1, "path": PATHS[UNKNOWN_SHAPE]}
    lap, colour = divmod(group, len(SENSE_SHAPES))
    return {"colour": colour, "path": PATHS[SENSE_SHAPES[(colour + lap) % len(SENSE_SHAPES)]]}


def parts(
    text: str, span: tuple[int, int], before: int | None = None, after: int | None = None
) -> tuple[str, str, str]:
    """The text before, in and after a span: whole words, at most `before` and `after` characters of them."""
    left, word, right = text[: span[0]], text[slice(*span)], text[span[1] :]
    if before is not None and len(left) > before:
        left = "…" + left[len(left) - before :].partition(" ")[2]
    if after is not None and len(right) > after:
        right = right[:after].rpartition(" ")[0] + "…"
    return left, word, right
