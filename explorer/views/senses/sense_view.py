"""The kind of view of the word senses page, whose picture is beside the sentences."""

from collections.abc import Callable
from dataclasses import dataclass

from explorer.views.frame.view import OpenPage, View, nothing
from explorer.views.senses.search import Search

LINES = 11  # of the box of sentences


@dataclass(frozen=True, kw_only=True, eq=False)
class SenseView(View[Search]):
    """A view of this page.

    The box of sentences has `lines` lines; in a `wide` view it is below the picture, not beside it. `beside`
    draws what comes below the sentences, if there are occurrences.
    """

    wide: bool = False
    lines: int = LINES
    beside: Callable[[OpenPage[Search]], None] = nothing
