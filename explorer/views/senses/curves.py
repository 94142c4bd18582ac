"""The figures behind the curves of Senses by layer: those of every model and of the baselines."""

from typing import Any

from explorer.catalogue.ability import Ability
from explorer.errors import ExplorerError
from explorer.server import memory
from explorer.server.kept import kept
from explorer.views.senses import by_model
from explorer.views.senses.settings import ADJUSTED, MODEL
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.settings.settings import Settings
from explorer.views.types import Contextuality, Curve, LanguageModel

STATIC = "word2vec"


def model_curves(
    settings: Settings, chosen: "LanguageModel", busy: Any
) -> tuple[dict[str, "Curve"], list[str]]:
    """The curve of every model with layers, and the names of models that cannot read the sentences."""
    curves, missing = {}, []
    for name, result in by_model.read_all(settings, _models(settings, chosen, "CONTEXT"), busy):
        if isinstance(result, ExplorerError):
            missing.append(by_model.label(name))
        elif (figures := curve(result[1].key, result[1])) is not None:
            curves[name] = figures
    return curves, missing


def baselines(settings: Settings, occurrences: WordOccurrences, missing: list[str]) -> dict[str, "Curve"]:
    """The figures of baselines that do not read the word in its sentence: word2vec, and topic measures."""
    curves = {}
    try:
        static = memory.get(STATIC)
        static_occurrences = occurrences if settings[MODEL] == STATIC else by_model.read(settings, static)
        curves["word2vec"] = curve(static_occurrences.key, static_occurrences)
        curves["other words’ mean"] = _other_words(occurrences.key, static, occurrences)
    except ExplorerError:
        missing.append(by_model.label(STATIC))
    curves["bag of words"] = _bag(occurrences.key, occurrences)
    return {name: figures for name, figures in curves.items() if figures is not None}


def contextuality_by_model(
    settings: Settings, chosen: "LanguageModel", busy: Any
) -> dict[str, "Contextuality"]:
    """The contextuality of the word in every model, minus the random baseline if that is switched on."""
    contextualities = {
        name: _contextuality(result[1].key, *result)
        for name, result in by_model.read_all(settings, _models(settings, chosen, "CONTEXT", "VECTORS"), busy)
        if not isinstance(result, ExplorerError)
    }
    if not settings[ADJUSTED]:
        return contextualities
    return {name: contextuality.adjusted() for name, contextuality in contextualities.items()}


def _models(settings: Settings, chosen: "LanguageModel", *abilities: str) -> list[str]:
    """The bundled models with one of the abilities, and the chosen model if it has one."""
    names, name = by_model.bundled(*abilities), settings[MODEL]
    has = any(chosen.abilities & Ability[a] for a in abilities)
    return names if name in names or not has else [*names, name]


@kept(512)
def curve(key: str, _occurrences: WordOccurrences) -> "Curve | None":
    """The three measures at every layer; None if there are no two senses to separate."""
    from explorer.analysis.senses import separation

    return separation.curve(_occurrences.matches.vectors, _occurrences.senses)


@kept(64)
def _bag(key: str, _occurrences: WordOccurrences) -> "Curve | None":
    from explorer.analysis.senses import separation, topic

    return separation.curve(
        topic.bag_of_words(_texts(_occurrences), _occurrences.matches), _occurrences.senses
    )


@kept(64)
def _other_words(key: str, static: "LanguageModel", _occurrences: WordOccurrences) -> "Curve | None":
    from explorer.analysis.senses import separation, topic

    vectors = topic.other_words(static, _texts(_occurrences), _occurrences.matches)
    return separation.curve(vectors, _occurrences.senses)


@kept(64)
def _contextuality(key: str, model: "LanguageModel", _occurrences: WordOccurrences) -> "Contextuality":
    from explorer.analysis.senses import contextuality

    within = by_model.sentence_similarities(model, _occurrences)
    return contextuality.contextuality(_occurrences.matches.vectors, within, by_model.random_words(model))


def _texts(occurrences: WordOccurrences) -> list[str]:
    return [sentence.text for sentence in occurrences.sentences]
