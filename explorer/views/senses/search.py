"""What all views of the word senses page look at: a word's occurrences, or what is wrong."""

from dataclasses import dataclass
from typing import Any

from explorer.errors import ExplorerError
from explorer.views.senses.word_occurrences import WordOccurrences


@dataclass(frozen=True, eq=False)
class Search:
    """The occurrences of the page's word in its sentences, or what is wrong with one of them.

    `column` is the container in which the sentences stand.
    """

    result: WordOccurrences | ExplorerError
    column: Any

    @property
    def occurrences_or_none(self) -> WordOccurrences | None:
        """The occurrences, if there are any."""
        return None if isinstance(self.result, ExplorerError) else self.result

    @property
    def occurrences(self) -> WordOccurrences:
        """The occurrences. Raises what is wrong where there are none."""
        if isinstance(self.result, ExplorerError):
            raise self.result
        return self.result
