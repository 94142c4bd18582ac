"""A folder of vectors as it is read: how many there are, a fair draw, all of them piece by piece.

Nothing holds all vectors at once: a million of 256 numbers are half a gigabyte, and are read in seconds.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.corpus.lookup import Drawn, shuffled
from explorer.corpus.shards import manifest as manifests
from explorer.corpus.shards import shard
from explorer.corpus.shards.manifest import Manifest
from explorer.errors import ExplorerError, TextError

TEXTS = ["sentence", "start", "end", "text", "sense"]


@dataclass(frozen=True)
class Row:
    """One occurrence by its number among all of its word, with its sentence."""

    number: int
    drawn: Drawn


@dataclass(frozen=True, eq=False)
class Corpus:
    """A complete folder of vectors.

    >>> from explorer.corpus.shards.opened import Corpus
    >>> Corpus.open("no-such-folder")
    Traceback (most recent call last):
    explorer.errors.NotFoundError: ...
    """

    folder: Path
    manifest: Manifest

    @classmethod
    def open(cls, folder: str | Path) -> "Corpus":
        """Raises NotFoundError for what is no folder of vectors, FormatError for a damaged one, ExplorerError
        for one that is not complete."""
        place = Path(os.path.expanduser(folder))  # a home folder of nobody stays as it is written
        found = manifests.read(place)
        if not found.complete:
            words = range(len(found.words))
            there = sum(
                all((place / shard.name(part, word)).is_file() for word in words)
                for part in range(len(found.parts))
            )
            raise ExplorerError(
                f"{place} is not complete: {there:,} of {len(found.parts):,} parts are there.",
                "Run the same command again: it goes on from there.",
            )
        return cls(place, found)

    def total(self, word: str) -> int:
        """How many occurrences of a word there are. Raises TextError for a word that was not looked for."""
        return sum(self._rows(word))

    def vectors(self, word: str, layer: int) -> Iterator[Tensor]:
        """All vectors of a word at a layer, in order, some thousand at a time [some, d_model], in float32.

        Raises FormatError where a shard is damaged.
        """
        for path, _ in self._shards(word):
            for batch in shard.batches(path, [shard.column(layer)]):
                found = shard.vectors(batch, layer, self.manifest.precision)
                yield torch.from_numpy(found.astype(np.float32))

    def draw(self, word: str, most: int, seed: int = 0) -> list[int]:
        """The numbers of at most so many occurrences, each equally likely; a larger draw begins with a
        smaller one."""
        return list(islice(shuffled(self.total(word), seed), most))

    def rows(self, word: str, numbers: Sequence[int]) -> list[Row]:
        """Some occurrences by number, with their sentences."""
        found = {
            number: Row(number, Drawn(one["sentence"], one["text"], one["sense"], (one["start"], one["end"])))
            for there, batch in self._picked(word, numbers, TEXTS)
            for number, one in zip(there, batch.to_pylist())
        }
        return [found[number] for number in numbers]

    def some(self, word: str, layer: int, numbers: Sequence[int]) -> Float[Tensor, "occurrence d_model"]:
        """The vectors of some occurrences by number."""
        found = torch.empty(len(numbers), self.manifest.d_model)
        place = {number: i for i, number in enumerate(numbers)}
        for there, batch in self._picked(word, numbers, [shard.column(layer)]):
            taken = shard.vectors(batch, layer, self.manifest.precision)
            found[[place[number] for number in there]] = torch.from_numpy(taken.astype(np.float32))
        return found

    def _picked(
        self, word: str, numbers: Sequence[int], columns: Sequence[str]
    ) -> Iterator[tuple[list[int], pa.RecordBatch]]:
        """The wanted occurrences, batch by batch, with their numbers."""
        wanted = np.sort(np.asarray(numbers, dtype=np.int64))
        start = 0
        for path, rows in self._shards(word):
            low, high = np.searchsorted(wanted, (start, start + rows))
            at = start
            for batch in shard.batches(path, columns) if high > low else ():
                first, last = np.searchsorted(wanted, (at, at + len(batch)))
                if last > first:
                    some = wanted[first:last]
                    yield some.tolist(), batch.take(pa.array(some - at))
                at += len(batch)
            start += rows

    def _shards(self, word: str) -> Iterator[tuple[Path, int]]:
        number = self.manifest.words.index(word)
        for part, rows in enumerate(self._rows(word)):
            if rows:
                yield self.folder / shard.name(part, number), rows

    def _rows(self, word: str) -> list[int]:
        words = self.manifest.words
        if word not in words:
            raise TextError(f"{self.folder} has no vectors of “{word[:60]}”.", f"It has: {', '.join(words)}.")
        return self.manifest.rows[words.index(word)]
