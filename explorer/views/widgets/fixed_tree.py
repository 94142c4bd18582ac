"""A tree of branches that is looked at and not edited: widgets/tree.js without its tools."""

from collections.abc import Sequence
from typing import Any


def fixed_tree(branches: Sequence[dict[str, Any]], here: int, length: int) -> dict[str, Any]:
    """The component's data; `here` is the number of the branch that is marked, `length` that of its text."""
    return {
        "branches": branches,
        "here": here,
        "length": length,
        "shown": -1,
        "versus": -1,
        "undo": False,
        "says": "",
        "fixed": True,
    }
