"""Our own sentences for the test from English to Chinese (see `assets/transfer/README.md`)."""

import csv
import io
import re
from dataclasses import dataclass

from explorer import assets
from explorer.assets import TRANSFER
from explorer.errors import TextError
from explorer.finetuning.examples import Labelled

TASKS = ("topics", "feelings")  # the first is the one that counts
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*|\d+")


@dataclass(frozen=True)
class Transfer:
    """A task's sentences: English ones to train on, Chinese ones for the test only.

    `shared` says of each Chinese sentence whether it has digits or Latin words.
    """

    task: str
    english: tuple[Labelled, ...]
    chinese: tuple[Labelled, ...]
    shared: tuple[bool, ...]

    @property
    def labels(self) -> list[str]:
        """The classes, in the order in which they come."""
        return list(dict.fromkeys(one.label for one in self.english))


def read(task: str) -> Transfer:
    """A task's sentences in both languages. Raises TextError for a task that there is not.

    >>> topics = read("topics")
    >>> topics.labels, len(topics.english), len(topics.chinese)
    (['food', 'travel', 'school', 'health'], 200, 240)
    """
    if task not in TASKS:
        raise TextError(f"There is no task “{task}”.", f"There are: {', '.join(TASKS)}.")
    english, chinese = (_rows(f"{task}-{language}.tsv") for language in ("en", "zh"))
    return Transfer(
        task,
        tuple(Labelled(row["text"], row["label"]) for row in english),
        tuple(Labelled(row["text"], row["label"]) for row in chinese),
        tuple(row["shared"] == "yes" for row in chinese),
    )


def without_punctuation(text: str) -> str:
    """A text without its punctuation, which both languages share and which tells no meaning.

    >>> without_punctuation("Wash it, please!"), without_punctuation("她說：「好吃！」")
    ('Wash it please', '她說 好吃')
    """
    return " ".join(re.sub(r"[^\w\s]|_", " ", text).split())


def on_both_pages(text: str) -> list[str]:
    """The digits and Latin words of a text, in lower case: what a Chinese and an English text may share.

    >>> on_both_pages("我们在KFC买了3份。"), on_both_pages("Two for KFC")
    (['kfc', '3'], ['two', 'for', 'kfc'])
    """
    return [token.lower() for token in _LATIN.findall(text)]


def _rows(name: str) -> list[dict[str, str]]:
    text = assets.text(TRANSFER / name)
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
