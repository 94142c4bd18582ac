"""A complete folder of vectors: counts, random samples, all vectors in batches.

The vectors are never all in memory: a million of 256 numbers are half a gigabyte, and are read in seconds.
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

from explorer.corpus.lookup import Occurrence, Sample, shuffled
from explorer.corpus.shards import manifest as manifests
from explorer.corpus.shards import shard
from explorer.corpus.shards.manifest import Manifest
from explorer.errors import ExplorerError, TextError


@dataclass(frozen=True, eq=False)
class Corpus:
    """A complete folder of vectors.

    >>> from explorer.corpus.shards.reader import Corpus
    >>> Corpus.open("no-such-folder")
    Traceback (most recent call last):
    explorer.errors.NotFoundError: ...
    """

    folder: Path
    manifest: Manifest

    @classmethod
    def open(cls, folder: str | Path) -> "Corpus":
        """Raises NotFoundError if it is not a folder of vectors, FormatError if it is damaged, ExplorerError
        if it is not complete."""
        path = Path(os.path.expanduser(folder))  # leaves the home folder of an unknown user unchanged
        manifest = manifests.read(path)
        if not manifest.complete:
            parts, words = range(len(manifest.parts)), range(len(manifest.words))
            count = sum(all((path / shard.name(part, word)).is_file() for word in words) for part in parts)
            raise ExplorerError(
                f"{path} is not complete: {count:,} of {len(parts):,} parts are there.",
                "Run the same command again: it goes on from there.",
            )
        return cls(path, manifest)

    def total(self, word: str) -> int:
        """The number of occurrences of a word. Raises TextError for a word that the folder does not have."""
        return sum(self._rows(word))

    def vectors(self, word: str, layer: int) -> Iterator[Tensor]:
        """All vectors of a word at a layer, in order, some thousand at a time [some, d_model], in float32.

        Raises FormatError if a shard is damaged.
        """
        for path in self._paths(word):
            for batch in shard.batches(path, [shard.column(layer)]):
                yield self._tensor(batch.column(0))

    def draw(self, word: str, most: int, seed: int = 0) -> list[int]:
        """The numbers of at most `most` occurrences, each equally likely; a larger sample begins with a
        smaller one."""
        return list(islice(shuffled(self.total(word), seed), most))

    def occurrences(self, word: str, numbers: Sequence[int]) -> list[Occurrence]:
        """Some occurrences by number, which is also given as that of their sentence."""
        table = self._take(word, numbers, ["text", "sense", "start", "end"])
        return [
            Occurrence(number, row["text"], row["sense"], (row["start"], row["end"]))
            for number, row in zip(numbers, table.to_pylist(), strict=True)
        ]

    def sample(self, word: str, most: int, seed: int = 0) -> Sample:
        """At most `most` occurrences, each equally likely, without those that repeat a sentence."""
        sample = self.occurrences(word, self.draw(word, most, seed))
        unique: dict[tuple[str, tuple[int, int]], Occurrence] = {}
        for occurrence in sample:
            unique.setdefault((occurrence.text, occurrence.span), occurrence)
        return Sample(word, list(unique.values()), self.total(word), seed, len(sample) - len(unique))

    def some(self, word: str, layer: int, numbers: Sequence[int]) -> Float[Tensor, "occurrence d_model"]:
        """The vectors of some occurrences by number."""
        table = self._take(word, numbers, [shard.column(layer)])
        chunks = [self._tensor(chunk) for chunk in table.column(0).chunks]
        return torch.cat([torch.empty(0, self.manifest.d_model), *chunks])

    def _take(self, word: str, numbers: Sequence[int], columns: list[str]) -> pa.Table:
        """Some columns of some occurrences by number, in that order."""
        order = np.argsort(np.asarray(numbers, dtype=np.int64))
        ascending = np.asarray(numbers, dtype=np.int64)[order]
        chosen, start = [], 0
        for path in self._paths(word) if len(order) else ():
            for batch in shard.batches(path, columns):
                first, last = np.searchsorted(ascending, (start, start + len(batch)))
                chosen.append(batch.take(pa.array(ascending[first:last] - start)))
                start += len(batch)
        if not chosen:
            return pa.table({name: [] for name in columns})
        return pa.Table.from_batches(chosen).combine_chunks().take(pa.array(np.argsort(order)))

    def _tensor(self, column: pa.FixedSizeBinaryArray) -> Tensor:
        return torch.from_numpy(shard.vectors(column, self.manifest.precision).astype(np.float32))

    def _paths(self, word: str) -> list[Path]:
        """The shards of a word that have occurrences, in order."""
        parts = [part for part, rows in enumerate(self._rows(word)) if rows]
        number = self.manifest.words.index(word)
        return [self.folder / shard.name(part, number) for part in parts]

    def _rows(self, word: str) -> list[int]:
        words = self.manifest.words
        if word not in words:
            raise TextError(f"{self.folder} has no vectors of “{word[:60]}”.", f"It has: {', '.join(words)}.")
        return self.manifest.rows[words.index(word)]
