"""A visitor's sentences, in memory: read once, then only looked up. All visitors' have a bound together."""

import threading
from collections.abc import Callable, Iterable
from weakref import WeakSet

from explorer.analysis.senses.occurrences import Sentence
from explorer.errors import TextError
from explorer.locale import _

BATCH = 512  # sentences between two steps
MOST_MB = 100  # megabytes (a million bytes) of sentences that a server keeps for all its visitors

_kept: "WeakSet[Index]" = WeakSet()
_lock = threading.Lock()  # guards _kept


class Index:
    """One text: its name and its sentences, which are numbered from 1.

    >>> index = build("a.txt", [Sentence("We sat on the bank.")])
    >>> index.sentences, index.read()[0].text
    (1, 'We sat on the bank.')
    """

    def __init__(self, name: str, sentences: list[Sentence], size: int) -> None:
        self.name, self.sentences, self.size = name, len(sentences), size
        self._sentences: list[Sentence] | None = sentences

    def read(self) -> list[Sentence]:
        """The sentences in order. Raises TextError once the text is deleted."""
        if self._sentences is None:
            raise TextError(_("Your text is no longer here."), _("Paste it, or drop the file, once more."))
        return self._sentences

    def delete(self) -> None:
        """Drop the sentences; a second call does nothing."""
        self._sentences, self.size = None, 0


def build(name: str, sentences: Iterable[Sentence], step: Callable[[], None] = lambda: None) -> Index:
    """Keep the sentences of a text; `step` is called after each few hundred.

    Raises TextError if there are none, and if the server has no room for them.
    """
    every: list[Sentence] = []
    size = 0
    for sentence in sentences:
        every.append(sentence)
        size += len(sentence.text.encode())
        if len(every) % BATCH == 0:
            step()
    if not every:
        raise TextError(
            _("There are no sentences in {name}.", name=name), _("Choose a file with text in it.")
        )
    index = Index(name, every, size)
    with _lock:
        if sum(one.size for one in _kept) + size > MOST_MB * 1_000_000:
            raise TextError(
                _(
                    "The texts of all visitors may have {size} MB together, and there is no room for {name}.",
                    size=MOST_MB,
                    name=name,
                ),
                _("Take a smaller part of it, or try again once others have left."),
            )
        _kept.add(index)
    return index
