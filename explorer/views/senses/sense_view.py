"""The kind of view of the word senses page, which shares its picture's row with the sentences."""

from collections.abc import Callable
from dataclasses import dataclass

from explorer.views.frame.view import Page, View, nothing
from explorer.views.senses.search import Search

LINES = 11  # of the sentences' box


@dataclass(frozen=True, kw_only=True, eq=False)
class SenseView(View[Search]):
    """A view of this page.

    The sentences' box has `lines`; in a `wide` view it is below the picture and not beside it. `beside`
    draws what belongs below the sentences; it is called where there are occurrences.
    """

    wide: bool = False
    lines: int = LINES
    beside: Callable[[Page[Search]], None] = nothing
