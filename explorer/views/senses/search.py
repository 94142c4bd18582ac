"""The kind of view of the word senses page, and what all of them show: a word's occurrences, or an error."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.errors import ExplorerError
from explorer.views import kit
from explorer.views.senses.word_occurrences import WordOccurrences

LINES = 11  # of the box of sentences
PANEL = '[data-testid="stColumn"]:has(.st-key-senses-word)'  # of the sentences, beside the picture


@dataclass(frozen=True, eq=False)
class Search:
    """The occurrences of the page's word in its sentences, or the error in one of them.

    `column` is the container of the sentences.
    """

    result: WordOccurrences | ExplorerError
    column: Any

    @property
    def occurrences_or_none(self) -> WordOccurrences | None:
        """The occurrences, or None if there is an error."""
        return None if isinstance(self.result, ExplorerError) else self.result

    @property
    def occurrences(self) -> WordOccurrences:
        """The occurrences. Raises the error if there is one."""
        if isinstance(self.result, ExplorerError):
            raise self.result
        return self.result


@dataclass(frozen=True, kw_only=True, eq=False)
class SenseView(kit.View[Search]):
    """A view of this page.

    The box of sentences has `lines` lines; in a `wide` view it is below the picture, not beside it. `beside`
    draws what comes below the sentences, if there are occurrences. `opening` are the sentences with which the
    view opens, if they are not those of the page.
    """

    wide: bool = False
    lines: int = LINES
    opening: str = ""
    beside: Callable[[kit.OpenPage[Search]], None] = lambda page: None
