"""A folder of vectors on the word senses page: a word in texts of any size, computed beforehand.

The map takes the vectors as they stand in the folder: a fair draw of them as dots, all of them as a density.
The other views need every layer: they run the drawn sentences anew, by the model in the picker.

A folder is read where free names of models are allowed, and only once this visitor has asked for it by hand.
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

DOTS = 300  # to begin with
COUNTS = (60, DOTS, 1000, 2000)
LIVE = 300  # sentences that the other views run anew
FITTED = 20_000  # occurrences that the map's axes are fitted to


@dataclass(frozen=True, eq=False)
class CorpusOccurrences(WordOccurrences):
    """A draw of a word's occurrences in a folder of vectors.

    `numbers` are those of the occurrences among all of the word, `drawn` their sentences. On the map `found`
    has the one layer that is shown, whatever stop is asked for.
    """

    corpus: "Corpus"
    numbers: list[int]
    drawn: "list[Occurrence]"
    repeats: int
    layer: int | None = None

    @property
    def total(self) -> int:
        """How many occurrences there are in the folder."""
        return self.corpus.total(self.word)

    @property
    def layers(self) -> int:
        """The number of the last layer."""
        return super().layers if self.layer is None else self.layer

    @property
    def grouped_in(self) -> str:
        """What the layer is called in which k-means looks for groups."""
        return super().grouped_in if self.layer is None else f"layer {self.layer}"

    def at(self, stop: int) -> "Tensor":
        """The vectors at a stop, one per occurrence."""
        return super().at(stop) if self.layer is None else self.found.vectors[:, 0]

    def name(self, index: int) -> str:
        """What an occurrence is called in a link: its number and its place; none of the text."""
        at = self.found.sentence_index[index]
        return f"{self.numbers[at]}:{self.drawn[at].span[0]}"


def take(settings: Settings, place: str) -> None:
    """Open a folder that this visitor has named. Raises as `Corpus.open` does, and changes nothing then."""
    import explorer
    from explorer.corpus.shards.reader import Corpus

    place = os.path.expanduser(place.strip())
    _allowed()
    found = Corpus.open(place).manifest
    picker.choose(_name(place))
    words = found.words
    bundled = {str(checkpoint) for checkpoint in explorer.available() if checkpoint.source == "bundled"}
    settings.set(
        CORPUS.to(place),
        MODEL.to(found.model if found.model in bundled else settings[MODEL]),
        OWN.to(False),
        WORD.to(settings[WORD] if settings[WORD].strip() in words else words[0]),
        LAYER.to(found.layers[-1]),
        DRAWN.to(DOTS),
        SEED.to(0),
        LOCKED.to(""),
    )


def leave(settings: Settings) -> None:
    """Back to the sentences in the box (for a button's callback)."""
    settings.set(CORPUS.to(""), LOCKED.to(""))


def current(settings: Settings) -> "Corpus":
    """The folder that the settings name.

    Raises CheckpointError where folders are off, NotChosenError for one that a link brought, and as
    `Corpus.open` does.
    """
    place = settings[CORPUS]
    _allowed()
    if not picker.was_chosen(_name(place)):
        raise picker.NotChosenError(_name(place))
    return _opened(place, stamp(place))


def on_map(settings: Settings) -> CorpusOccurrences:
    """The drawn occurrences with their vectors of the layer that is shown. Raises as `current` does, and
    TextError for a word that the folder does not have."""
    corpus = current(settings)
    place, word = settings[CORPUS], settings[WORD].strip()
    layer = shown_layer(corpus, settings[LAYER])
    return _on_map(place, stamp(place), word, layer, drawn(settings), settings[SEED])


def anew(settings: Settings, model: "LanguageModel", step: Callable[[int, int], None]) -> CorpusOccurrences:
    """Some of the drawn occurrences through all layers.

    `step(done, all)` is called while they are run. Raises as `on_map` does, and TextError where the model
    cannot read the sentences.
    """
    corpus = current(settings)
    place, word = settings[CORPUS], settings[WORD].strip()
    most = min(drawn(settings), LIVE)
    key = (str(model.checkpoint), place, stamp(place), word, most, settings[SEED])
    kept: dict[object, CorpusOccurrences] = st.session_state.setdefault("senses/corpus", {})
    if key not in kept:
        kept[key] = _anew(corpus, " ".join(map(str, key)), model, word, most, settings[SEED], step)
        for old in list(kept)[:-6]:
            del kept[old]
    return kept[key]


@caching.resource(max_entries=4)
def places(place: str, stamp: int, word: str, layer: int) -> "Places":
    """Where all occurrences lie on three axes: PCA of some of them, on which the others are placed.

    They take 12 bytes each, and are kept for all visitors.
    """
    from explorer.analysis.projection.many import fit_plane, place_all

    corpus = _opened(place, stamp)
    sample = corpus.some(word, layer, corpus.draw(word, FITTED))
    return place_all(fit_plane(sample, axes=3), corpus.vectors(word, layer))


def shown_layer(corpus: "Corpus", asked: int) -> int:
    """The layer in the folder that is nearest to the one asked for."""
    return min(corpus.manifest.layers, key=lambda layer: (abs(layer - asked), layer))


def drawn(settings: Settings) -> int:
    """How many dots are asked for."""
    return min(max(settings[DRAWN], 1), COUNTS[-1])


def stamp(place: str) -> int:
    """When a folder was completed: another run into it is another folder."""
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
    from explorer.views.senses.own_text import labelled

    corpus = _opened(place, stamp)
    numbers, some, repeats = _draw(corpus, word, most, seed)
    vectors = corpus.some(word, layer, numbers)[:, None]
    sentences, notes = labelled(some)
    notes += filter(None, [search_note(word)])
    found = Occurrences(
        word=word,
        vectors=vectors,
        sentence_index=list(range(len(some))),
        span=[one.span for one in some],
        tokens=[[one.form] for one in some],
        missing=[],
    )
    return CorpusOccurrences(
        key=f"{place} {stamp} {word} {layer} {most} {seed}",
        word=word,
        sentences=sentences,
        found=found,
        alone=vectors[:, 0],
        senses=senses_of(found, sentences),
        separation=None,
        notes=notes,
        corpus=corpus,
        numbers=numbers,
        drawn=some,
        repeats=repeats,
        layer=layer,
    )


def _anew(
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
    from explorer.views.senses.own_text import embedded, labelled

    numbers, some, repeats = _draw(corpus, word, most, seed)
    texts = [one.text for one in some]
    chinese.require(model, texts)
    found = embedded(model, some, word, step)
    sentences, notes = labelled(some)
    notes += filter(None, [search_note(word)])
    known = senses.senses_of(found, sentences)
    return CorpusOccurrences(
        key=key,
        word=word,
        sentences=sentences,
        found=found,
        alone=senses.isolated_vectors(model, texts, found),
        senses=known,
        separation=separation(found.vectors, known),
        notes=notes,
        corpus=corpus,
        numbers=numbers,
        drawn=some,
        repeats=repeats,
    )


def _draw(corpus: "Corpus", word: str, most: int, seed: int) -> "tuple[list[int], list[Occurrence], int]":
    """A fair draw: numbers, sentences, and how many repeat a sentence that is there already.

    Sentences are called by their occurrence's number, since the folder numbers them within each part.
    """
    rows = corpus.rows(word, corpus.draw(word, most, seed))
    first = {(row.occurrence.text, row.occurrence.span): row for row in reversed(rows)}
    kept = [row for row in rows if first[row.occurrence.text, row.occurrence.span] is row]
    some = [replace(row.occurrence, sentence=row.number) for row in kept]
    return [row.number for row in kept], some, len(rows) - len(kept)


def _allowed() -> None:
    if not picker.open_sources():
        raise CheckpointError(
            "Folders are off on this server.",
            "Run Riverbank on your own computer to open a folder of vectors.",
        )


def _name(place: str) -> str:
    return f"vectors:{place}"
