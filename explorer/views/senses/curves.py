"""The figures behind the curves of How well: every model's, and those of the baselines."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.errors import ExplorerError
from explorer.views.frame import caching, memory
from explorer.views.frame.settings import Settings
from explorer.views.senses import by_model
from explorer.views.senses.settings import ADJUSTED, MODEL
from explorer.views.senses.word_occurrences import WordOccurrences

if TYPE_CHECKING:
    from explorer.analysis.senses.contextuality import Contextuality
    from explorer.analysis.senses.separation import Curve
    from explorer.models import LanguageModel

STATIC = "word2vec"
PATIENCE_S = 0.15  # after which the page says what it is waiting for


class Read(NamedTuple):
    """A model, and the occurrences that it has read."""

    model: "LanguageModel"
    occurrences: WordOccurrences


def judged(
    settings: Settings, chosen: "LanguageModel", occurrences: WordOccurrences, busy: Any
) -> tuple[dict[str, "Curve"], list[str]]:
    """The curve of every model with layers, and the models that cannot read the sentences."""
    found, missing = {}, []
    for name, read in _every_model(settings, chosen, occurrences, busy, "CONTEXT"):
        if read is None:
            missing.append(by_model.label(name))
        elif (figures := curve(read.occurrences.key, read.occurrences)) is not None:
            found[name] = figures
    return found, missing


def baselines(settings: Settings, occurrences: WordOccurrences, missing: list[str]) -> dict[str, "Curve"]:
    """The figures of what does not see the word in its sentence: word2vec, and the words around it."""
    found = {}
    try:
        static = memory.get(STATIC)
        of = occurrences if settings[MODEL] == STATIC else by_model.read(settings, static)
        found["word2vec"] = curve(of.key, of)
        found["other words’ mean"] = _other_words(occurrences.key, static, occurrences)
    except ExplorerError:
        missing.append(by_model.label(STATIC))
    found["bag of words"] = _bag(occurrences.key, occurrences)
    return {name: figures for name, figures in found.items() if figures is not None}


def by_layer(
    settings: Settings, chosen: "LanguageModel", occurrences: WordOccurrences, busy: Any
) -> dict[str, "Contextuality"]:
    """The contextuality of the word in every model, minus the random baseline where that is asked for."""
    found = {
        name: _contextuality(read.occurrences.key, read.model, read.occurrences)
        for name, read in _every_model(settings, chosen, occurrences, busy, "CONTEXT", "VECTORS")
        if read is not None
    }
    return {name: of.adjusted() for name, of in found.items()} if settings[ADJUSTED] else found


def _every_model(
    settings: Settings, chosen: "LanguageModel", occurrences: WordOccurrences, busy: Any, *abilities: str
) -> Iterator[tuple[str, Read | None]]:
    """Every model with its occurrences, None where it cannot read the word; those given are `chosen`'s.

    `busy` says which model is reading, if it takes long.
    """
    names, started = _models(settings, chosen, *abilities), time.monotonic()
    for number, name in enumerate(names, 1):
        if time.monotonic() - started > PATIENCE_S:
            said = f"{by_model.label(name)} reads, {number} of {len(names)}…"
            busy.progress((number - 1) / len(names), said)
        try:
            model = chosen if name == settings[MODEL] else memory.get(name)
            of = occurrences if model is chosen else by_model.read(settings, model)
        except ExplorerError:
            yield name, None
        else:
            yield name, Read(model, of)
    busy.empty()


def _models(settings: Settings, chosen: "LanguageModel", *abilities: str) -> list[str]:
    """The bundled models with one of the abilities, and the chosen one where it has."""
    from explorer.trace import Ability

    names, name = by_model.bundled(*abilities), settings[MODEL]
    has = any(chosen.abilities & Ability[a] for a in abilities)
    return names if name in names or not has else [*names, name]


@caching.resource(max_entries=64)
def curve(key: str, _occurrences: WordOccurrences) -> "Curve | None":
    """The three measures on every layer."""
    from explorer.analysis.senses import separation

    return separation.curve(_occurrences.found.vectors, _occurrences.senses)


@caching.resource(max_entries=64)
def _bag(key: str, _occurrences: WordOccurrences) -> "Curve | None":
    from explorer.analysis.senses import separation, topic

    return separation.curve(topic.bag_of_words(_texts(_occurrences), _occurrences.found), _occurrences.senses)


@caching.resource(max_entries=64)
def _other_words(key: str, static: "LanguageModel", _occurrences: WordOccurrences) -> "Curve | None":
    from explorer.analysis.senses import separation, topic

    vectors = topic.other_words(static, _texts(_occurrences), _occurrences.found)
    return separation.curve(vectors, _occurrences.senses)


@caching.resource(max_entries=64)
def _contextuality(key: str, model: "LanguageModel", _occurrences: WordOccurrences) -> "Contextuality":
    from explorer.analysis.senses import contextuality

    within = by_model.sentence_similarities(model, _occurrences)
    return contextuality.contextuality(_occurrences.found.vectors, within, by_model.random_words(model))


def _texts(occurrences: WordOccurrences) -> list[str]:
    return [sentence.text for sentence in occurrences.sentences]
