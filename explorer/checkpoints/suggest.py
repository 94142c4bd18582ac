"""A suggestion for a name that was almost right."""

from collections.abc import Sequence
from difflib import get_close_matches


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """“Did you mean …?” with the closest name; else the choices; empty if there are none."""
    if close := get_close_matches(name, names, n=1, cutoff=0.5):
        return f"Did you mean {close[0]}?"
    return f"There are: {', '.join(names)}." if names else ""
