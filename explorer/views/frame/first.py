"""The two lines under the picture that a view opens with: what to see in it, and what to try next.

They speak of the opening picture alone, so they stand there only while nothing has been changed.
"""

from collections.abc import Iterable
from typing import NamedTuple

from explorer.views.frame.settings import Settings

# Which picture it is, and what a picture keeps for itself; all else must be as it was.
FREE = {"view", "bertviz", "tree", "point"}


class First(NamedTuple):
    """What to see in a view's opening picture, and what to try next; both are sentences of ours."""

    see: str
    then: str


def untouched(settings: Settings, names: Iterable[str]) -> bool:
    """Whether these settings are what the page opens with."""
    return all(settings.stored(name) == settings.defaults[name] for name in {*names} - FREE)
