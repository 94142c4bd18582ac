"""The two lines under a view's opening picture: what to see in it, and what to try next.

They describe the opening picture, so they are shown only until a setting is changed.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from explorer.views.settings.settings import Settings

# Settings that may differ: the choice of the picture, and what a picture keeps for itself.
FREE = {"view", "tree", "point"}


class Hints(NamedTuple):
    """What to see in a view's opening picture, and what to try next, as sentences."""

    see: str
    then: str


def untouched(settings: Settings, names: Iterable[str], values: Mapping[str, Any] | None = None) -> bool:
    """Whether these settings have the values with which the page opens, or those of a preset."""
    expected = settings.defaults | dict(values or {})
    return all(settings.chosen(name) == expected[name] for name in {*names} - FREE)
