"""A folder of precomputed vectors on the word senses page, for a word in texts of any size.

The map uses the vectors in the folder: a random sample of them as dots, all of them as a density. The other
views need every layer, so they run the sampled sentences through the model in the picker.

A folder is read only if the server allows any model name, and once this visitor has typed its path.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import CheckpointError
from explorer.text.search import note as search_note
from explorer.views.frame import picker
from explorer.views.frame.server import caching
from explorer.views.senses.settings import CORPUS, DRAWN, LAYER, LOCKED, MODEL, OWN, SEED, WORD
from explorer.views.senses.text_sample import (
    LIVE,
    SampledOccurrences,
    embed_sample,
    sample_size,
    sentences_with_senses,
)
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.analysis.projection.many import Places
    from explorer.corpus.vectors.reader import Corpus
    from explorer.models import LanguageModel

DOTS = 300  # at first
FITTED = 20_000  # occurrences to which the map's axes are fitted


@dataclass(frozen=True, eq=False)
class MapOccurrences(SampledOccurrences):
    """A sample with the vectors in a folder at one layer, the last one here: every stop gives that layer."""

    corpus: "Corpus"

    @property
    def grouped_in(self) -> str:
        """The name of the layer that k-means clusters."""
        return f"layer {self.layers}"


def open_folder(settings: Settings, place: str) -> None:
    """Open a folder whose path this visitor has typed. Raises as `Corpus.open` does, changing nothing."""
    import explorer
    from explorer.corpus.vectors.reader import Corpus

    place = os.path.expanduser(place.strip())
    _allowed()
    manifest = Corpus.open(place).manifest
    picker.choose(_name(place))
    words = manifest.words
    bundled = {str(checkpoint) for checkpoint in explorer.available() if checkpoint.source == "bundled"}
    settings.set(
        CORPUS.to(place),
        MODEL.to(manifest.model if manifest.model in bundled else settings[MODEL]),
        OWN.to(False),
        WORD.to(settings[WORD] if settings[WORD].strip() in words else words[0]),
        LAYER.to(manifest.layers[-1]),
        DRAWN.to(DOTS),
        SEED.to(0),
        LOCKED.to(""),
    )


def close_folder(settings: Settings) -> None:
    """Go back to the sentences in the box (for a button's callback)."""
    settings.set(CORPUS.to(""), LOCKED.to(""))


def current(settings: Settings) -> "Corpus":
    """The folder that the settings name.

    Raises CheckpointError if folders are off, NotChosenError for a folder that only a link names, and as
    `Corpus.open` does.
    """
    place = settings[CORPUS]
    _allowed()
    if not picker.was_chosen(_name(place)):
        raise picker.NotChosenError(_name(place))
    return _opened(place, stamp(place))


def on_map(settings: Settings) -> MapOccurrences:
    """The sampled occurrences with the folder's vectors at the layer that is shown.

    Raises as `current` does, and TextError for a word that the folder does not have.
    """
    corpus = current(settings)
    place, word = settings[CORPUS], settings[WORD].strip()
    layer = nearest_layer(corpus, settings[LAYER])
    return _on_map(place, stamp(place), word, layer, sample_size(settings), settings[SEED])


def all_layers(
    settings: Settings, model: "LanguageModel", step: Callable[[int, int], None]
) -> SampledOccurrences:
    """At most LIVE of the sampled occurrences, with the vectors of all layers of a model.

    `step(count, total)` is called as they are run. Raises as `on_map` does, and TextError if the model cannot
    read the sentences.
    """
    corpus = current(settings)
    place, word = settings[CORPUS], settings[WORD].strip()
    most = min(sample_size(settings), LIVE)
    key = " ".join(map(str, (model.checkpoint, place, stamp(place), word, most, settings[SEED])))
    cache: dict[str, SampledOccurrences] = st.session_state.setdefault("senses/corpus", {})
    if key not in cache:
        cache[key] = embed_sample(model, corpus.sample(word, most, settings[SEED]), key, step)
        for old in list(cache)[:-6]:
            del cache[old]
    return cache[key]


@caching.resource(max_entries=4)
def places(place: str, stamp: int, word: str, layer: int) -> "Places":
    """The places of all occurrences on three axes: PCA is fitted to FITTED of them, and all are projected.

    They take 12 bytes each and are cached for all visitors.
    """
    from explorer.analysis.projection.many import fit_plane, place_all

    corpus = _opened(place, stamp)
    subset = corpus.some(word, layer, corpus.draw(word, FITTED))
    return place_all(fit_plane(subset, axes=3), corpus.vectors(word, layer))


def nearest_layer(corpus: "Corpus", wished: int) -> int:
    """The layer in the folder that is nearest to the wished one."""
    return min(corpus.manifest.layers, key=lambda layer: (abs(layer - wished), layer))


def stamp(place: str) -> int:
    """The time at which a folder was completed, as part of cache keys: a new run into it is a new folder."""
    from explorer.corpus.vectors import manifest

    try:
        return (Path(place) / manifest.NAME).stat().st_mtime_ns
    except OSError:
        return 0


@caching.resource(max_entries=8)
def _opened(place: str, stamp: int) -> "Corpus":
    from explorer.corpus.vectors.reader import Corpus

    return Corpus.open(place)


@caching.resource(max_entries=16)
def _on_map(place: str, stamp: int, word: str, layer: int, most: int, seed: int) -> MapOccurrences:
    from explorer.analysis.senses.occurrences import Occurrences, senses_of

    corpus = _opened(place, stamp)
    sample = corpus.sample(word, most, seed)
    places = sample.occurrences
    vectors = corpus.some(word, layer, [occurrence.sentence for occurrence in places])
    sentences, notes = sentences_with_senses(places)
    notes += filter(None, [search_note(word)])
    matches = Occurrences(
        word=word,
        vectors=vectors[:, None].expand(-1, layer + 1, -1),
        sentence_index=list(range(len(places))),
        span=[occurrence.span for occurrence in places],
        tokens=[[occurrence.form] for occurrence in places],
        missing=[],
    )
    return MapOccurrences(
        key=f"{place} {stamp} {word} {layer} {most} {seed}",
        word=word,
        sentences=sentences,
        matches=matches,
        alone=vectors,
        senses=senses_of(matches, sentences),
        separation=None,
        notes=notes,
        sample=sample,
        corpus=corpus,
    )


def _allowed() -> None:
    if not picker.open_sources():
        raise CheckpointError(
            "Folders are off on this server.",
            "Run Riverbank on your own computer to open a folder of vectors.",
        )


def _name(place: str) -> str:
    return f"vectors:{place}"
