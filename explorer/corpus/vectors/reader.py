"""A complete folder of vectors: counts, random samples, all vectors in batches.

The vectors are never all in memory: a million of 256 numbers are half a gigabyte, and are read in seconds.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch
from jaxtyping import Float
from pyarrow.dataset import Dataset, dataset
from torch import Tensor

from explorer.corpus.lookup import Occurrence, Sample, shuffled
from explorer.corpus.vectors import manifest as manifests
from explorer.corpus.vectors.manifest import DTYPE, Manifest, column, files
from explorer.errors import FormatError, TextError

ROWS = 8192  # that are held at a time


@dataclass(frozen=True, eq=False)
class Corpus:
    """A complete folder of vectors.

    >>> from explorer.corpus.vectors.reader import Corpus
    >>> Corpus.open("no-such-folder")
    Traceback (most recent call last):
    explorer.errors.NotFoundError: ...
    """

    folder: Path
    manifest: Manifest

    @classmethod
    def open(cls, folder: str | Path) -> "Corpus":
        """Raises NotFoundError if it is not a folder of vectors, FormatError if it is damaged."""
        path = Path(os.path.expanduser(folder))  # leaves the home folder of an unknown user unchanged
        return cls(path, manifests.read(path))

    def total(self, word: str) -> int:
        """The number of occurrences of a word. Raises TextError for a word that the folder does not have."""
        return self.manifest.totals[self._number(word)]

    def vectors(self, word: str, layer: int) -> Iterator[Tensor]:
        """All vectors of a word at a layer, in order, some thousand at a time [some, d_model], in float32.

        Raises FormatError if a file is damaged.
        """
        if not self.total(word):
            return
        with self._explain_errors():
            for batch in self._dataset(word).to_batches(columns=[column(layer)], batch_size=ROWS):
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
        table = self._take(word, numbers, [column(layer)])
        chunks = [self._tensor(chunk) for chunk in table.column(0).chunks]
        return torch.cat([torch.empty(0, self.manifest.d_model), *chunks])

    def _take(self, word: str, numbers: Sequence[int], columns: list[str]) -> pa.Table:
        """Some columns of some occurrences by number, in that order."""
        if not len(numbers):
            return pa.table({name: [] for name in columns})
        with self._explain_errors():
            return self._dataset(word).take(pa.array(numbers, pa.int64()), columns=columns)

    def _dataset(self, word: str) -> Dataset:
        return dataset(list(map(str, files(self.folder, self._number(word)))), format="parquet")

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            raise FormatError(
                f"A file of {self.folder} cannot be read: {str(error)[:200]}", "Compute the vectors again."
            ) from error

    def _tensor(self, column: pa.FixedSizeBinaryArray) -> Tensor:
        width = column.type.byte_width
        data = memoryview(column.buffers()[1])[column.offset * width : (column.offset + len(column)) * width]
        numbers = np.frombuffer(data, DTYPE).astype(np.float32)
        return torch.from_numpy(numbers.reshape(len(column), -1))

    def _number(self, word: str) -> int:
        words = self.manifest.words
        if word not in words:
            raise TextError(f"{self.folder} has no vectors of “{word[:60]}”.", f"It has: {', '.join(words)}.")
        return words.index(word)
