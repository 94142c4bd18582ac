"""The curves of a training, as plain data for their component."""

from collections.abc import Sequence
from typing import Any

MOST_POINTS = 160


def curve(
    title: str, points: Sequence[tuple[float, float]], most: float, least: float = 0.0, **more: Any
) -> dict[str, Any]:
    """One curve on an axis from `least` to `most`.

    `more` may have `others`, pale lines with their names, `named`, its own name among them, and `line`, a
    level to compare with, called `lined`.
    """
    defaults = {"percent": False, "line": None, "lined": "", "others": [], "named": ""}
    return {"title": title, "points": list(points), "most": most, "least": least, **defaults, **more}


def axis_top(lines: Sequence[Sequence[tuple[float, float]]], least: float) -> float:
    """The top of an axis from 0: a little above all lines, and above `least`."""
    return 1.12 * max([least, *(value for line in lines for _, value in line)])


def thin(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """No more points than a small curve can show, the last one among them."""
    every = max(1, len(points) // MOST_POINTS)
    return [*points[:-1:every], *points[-1:]]
