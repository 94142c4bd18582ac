"""The data that all views of the word senses page show: a word's occurrences, or an error."""

from dataclasses import dataclass
from typing import Any

from explorer.errors import ExplorerError
from explorer.views.senses.word_occurrences import WordOccurrences


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
