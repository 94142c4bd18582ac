"""The page's word and sentences as any model reads them, not only the chosen one."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import PureWindowsPath
from typing import Any

from explorer.assets import read_once
from explorer.catalogue.ability import Ability
from explorer.catalogue.manifest import manifests
from explorer.errors import ExplorerError
from explorer.locale import _
from explorer.server import memory
from explorer.server.kept import kept
from explorer.views.senses import own_text
from explorer.views.senses.settings import OWN, TEXT, WORD
from explorer.views.senses.word_occurrences import WordOccurrences, find_word
from explorer.views.settings.settings import Settings
from explorer.views.types import LanguageModel, RandomWords

RANDOM_WORDS = 200  # their mean cosine is then known to within about 0.015, after a second of reading
PATIENCE_S = 0.15  # after this time the page says which model it is waiting for


def read(
    settings: Settings, model: "LanguageModel", step: Callable[[int, int], None] = lambda count, total: None
) -> WordOccurrences:
    """The occurrences of the page's word as a model reads them.

    `step(count, total)` is called as those of a longer text are run. Raises TextError if this model cannot
    read the word or the sentences.
    """
    if settings[OWN]:
        return own_text.find_word(settings, model, step)
    return find_word(model, settings[TEXT], settings[WORD])


def read_all(
    settings: Settings, names: Sequence[str], busy: Any
) -> "Iterator[tuple[str, tuple[LanguageModel, WordOccurrences] | ExplorerError]]":
    """Each model with its occurrences, or the error if it cannot read the word or the sentences.

    `busy` shows which model is reading, if it takes long.
    """
    started = time.monotonic()
    for number, name in enumerate(names, 1):
        if time.monotonic() - started > PATIENCE_S:
            reads = _("{model} reads, {number} of {all}…", model=label(name), number=number, all=len(names))
            busy.progress((number - 1) / len(names), reads)
        try:
            model = memory.get(name)
            yield name, (model, read(settings, model))
        except ExplorerError as error:
            yield name, error
    busy.empty()


def bundled(*abilities: str) -> list[str]:
    """The names of the bundled comparison models that have one of these abilities, named as in `Ability`."""
    return [
        model.name
        for model in manifests().values()
        if model.comparison and model.ships() and any(model.abilities & Ability[name] for name in abilities)
    ]


def label(model: str) -> str:
    """A model's name on a chart: `BERT`, or the last part of a hub name or a path.

    >>> label("folder:/models/my-bert"), label(r"folder:C:\\models\\my-bert")
    ('my-bert', 'my-bert')
    """
    name = PureWindowsPath(memory.short_label(model)).name  # it knows both separators
    return name.removeprefix("hub:").removeprefix("folder:")


@kept(8, of="models")
def random_words(model: "LanguageModel") -> "RandomWords":
    """Random words of our own sentences, each from a different sentence, as a model reads them."""
    from explorer.analysis.senses import contextuality

    return contextuality.random_words(model, _sentences(), RANDOM_WORDS)


@read_once
def _sentences() -> list[str]:
    from explorer.analysis import senses

    return [sentence.text for word in senses.library_words() for sentence in senses.library(word)]
