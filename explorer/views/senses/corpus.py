"""A folder of precomputed vectors on the word senses page, for a word in texts of any size.

The map uses the vectors in the folder: a random sample of them as dots, all of them as a density. The other
views need every layer, so they run the sampled sentences through the model in the picker.

A folder is read only if the server allows any model name, and once this visitor has typed its path.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import CheckpointError
from explorer.text.search import note as search_note
from explorer.views.frame import caching, picker
from explorer.views.frame.settings import Settings
from explorer.views.senses.settings import CORPUS, DRAWN, LAYER, LOCKED, MODEL, OWN, SEED, WORD
from explorer.views.senses.word_occurrences import WordOccurrences

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection.many import Places
    from explorer.corpus.lookup import Occurrence
    from explorer.corpus.shards.reader import Corpus
    from explorer.models import LanguageModel

DOTS = 300  # at first
COUNTS = (60, DOTS, 1000, 2000)
LIVE = 300  # sentences that the other views run through the model
FITTED = 20_000  # occurrences to which the map's axes are fitted


@dataclass(frozen=True, eq=False)
class CorpusOccurrences(WordOccurrences):
    """A random sample of a word's occurrences in a folder of vectors.

    `numbers` are the occurrences' numbers among all of the word, `sample` their sentences, `repeats` how many
    repeated a sentence and were left out. On the map, `matches` has only the `layer` that is shown, and
    every stop gives that layer.
    """

    corpus: "Corpus"
    numbers: list[int]
    sample: "list[Occurrence]"
    repeats: int
    layer: int | None = None

    @property
    def total(self) -> int:
        """The number of occurrences in the folder."""
        return self.corpus.total(self.word)

    @property
    def layers(self) -> int:
        """The number of the last layer."""
        return super().layers if self.layer is None else self.layer

    @property
    def grouped_in(self) -> str:
        """The name of the layer that k-means clusters."""
        return super().grouped_in if self.layer is None else f"layer {self.layer}"

    def at(self, stop: int) -> "Tensor":
        """The vectors at a stop, one per occurrence."""
        return super().at(stop) if self.layer is None else self.matches.vectors[:, 0]

    def name(self, index: int) -> str:
        """An occurrence's name in a link: its number and where its word starts, without any text."""
        at = self.matches.sentence_index[index]
        return f"{self.numbers[at]}:{self.sample[at].span[0]}"


def open_folder(settings: Settings, place: str) -> None:
    """Open a folder whose path this visitor has typed. Raises as `Corpus.open` does, changing nothing."""
    import explorer
    from explorer.corpus.shards.reader import Corpus

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


def on_map(settings: Settings) -> CorpusOccurrences:
    """The sampled occurrences with the folder's vectors at the layer that is shown.

    Raises as `current` does, and TextError for a word that the folder does not have.
    """
    corpus = current(settings)
    place, word = settings[CORPUS], settings[WORD].strip()
    layer = nearest_layer(corpus, settings[LAYER])
    return _on_map(place, stamp(place), word, layer, dot_count(settings), settings[SEED])


def all_layers(
    settings: Settings, model: "LanguageModel", step: Callable[[int, int], None]
) -> CorpusOccurrences:
    """At most LIVE of the sampled occurrences, with the vectors of all layers of a model.

    `step(count, total)` is called as they are run. Raises as `on_map` does, and TextError if the model cannot
    read the sentences.
    """
    corpus = current(settings)
    place, word = settings[CORPUS], settings[WORD].strip()
    most = min(dot_count(settings), LIVE)
    key = (str(model.checkpoint), place, stamp(place), word, most, settings[SEED])
    cache: dict[object, CorpusOccurrences] = st.session_state.setdefault("senses/corpus", {})
    if key not in cache:
        cache[key] = _run_sample(corpus, " ".join(map(str, key)), model, word, most, settings[SEED], step)
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


def dot_count(settings: Settings) -> int:
    """The number of dots that the settings ask for."""
    return min(max(settings[DRAWN], 1), COUNTS[-1])


def stamp(place: str) -> int:
    """The time at which a folder was completed, as part of cache keys: a new run into it is a new folder."""
    from explorer.corpus.shards import manifest

    try:
        return (Path(place) / manifest.NAME).stat().st_mtime_ns
    except OSError:
        return 0


@caching.resource(max_entries=8)
def _opened(place: str, stamp: int) -> "Corpus":
    from explorer.corpus.shards.reader import Corpus

    return Corpus.open(place)


@caching.resource(max_entries=16)
def _on_map(place: str, stamp: int, word: str, layer: int, most: int, seed: int) -> CorpusOccurrences:
    from explorer.analysis.senses.occurrences import Occurrences, senses_of
    from explorer.views.senses.own_text import sentences_with_senses

    corpus = _opened(place, stamp)
    numbers, sample, repeats = _draw_sample(corpus, word, most, seed)
    vectors = corpus.some(word, layer, numbers)[:, None]
    sentences, notes = sentences_with_senses(sample)
    notes += filter(None, [search_note(word)])
    matches = Occurrences(
        word=word,
        vectors=vectors,
        sentence_index=list(range(len(sample))),
        span=[context.span for context in sample],
        tokens=[[context.form] for context in sample],
        missing=[],
    )
    return CorpusOccurrences(
        key=f"{place} {stamp} {word} {layer} {most} {seed}",
        word=word,
        sentences=sentences,
        matches=matches,
        alone=vectors[:, 0],
        senses=senses_of(matches, sentences),
        separation=None,
        notes=notes,
        corpus=corpus,
        numbers=numbers,
        sample=sample,
        repeats=repeats,
        layer=layer,
    )


def _run_sample(
    corpus: "Corpus",
    key: str,
    model: "LanguageModel",
    word: str,
    most: int,
    seed: int,
    step: Callable[[int, int], None],
) -> CorpusOccurrences:
    from explorer.analysis import senses
    from explorer.analysis.senses import chinese
    from explorer.analysis.senses.separation import separation
    from explorer.views.senses.own_text import embed_sample, sentences_with_senses

    numbers, sample, repeats = _draw_sample(corpus, word, most, seed)
    texts = [context.text for context in sample]
    chinese.require(model, texts)
    matches = embed_sample(model, sample, word, step)
    sentences, notes = sentences_with_senses(sample)
    notes += filter(None, [search_note(word)])
    labels = senses.senses_of(matches, sentences)
    return CorpusOccurrences(
        key=key,
        word=word,
        sentences=sentences,
        matches=matches,
        alone=senses.isolated_vectors(model, texts, matches),
        senses=labels,
        separation=separation(matches.vectors, labels),
        notes=notes,
        corpus=corpus,
        numbers=numbers,
        sample=sample,
        repeats=repeats,
    )


def _draw_sample(
    corpus: "Corpus", word: str, most: int, seed: int
) -> "tuple[list[int], list[Occurrence], int]":
    """A random sample: numbers, sentences, and how many were left out since they repeat a sentence.

    A sentence has its occurrence's number, since the folder counts sentences within each part only.
    """
    rows = corpus.rows(word, corpus.draw(word, most, seed))
    first = {(row.occurrence.text, row.occurrence.span): row for row in reversed(rows)}
    unique = [row for row in rows if first[row.occurrence.text, row.occurrence.span] is row]
    sample = [replace(row.occurrence, sentence=row.number) for row in unique]
    return [row.number for row in unique], sample, len(rows) - len(unique)


def _allowed() -> None:
    if not picker.open_sources():
        raise CheckpointError(
            "Folders are off on this server.",
            "Run Riverbank on your own computer to open a folder of vectors.",
        )


def _name(place: str) -> str:
    return f"vectors:{place}"
