"""One part's occurrences of one word as a Parquet file, complete or absent.

A row is an occurrence: the number of its sentence within the part, the sentence, the characters of the word
in it (start, end), its sense if the text names one, and for each layer a column with the vector's bytes:

    numpy.frombuffer(row["layer_6"], "<f2")     float16, or "<f4" if the manifest says float32

Bytes are read six times as fast as lists of numbers.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from torch import Tensor

from explorer.corpus.lookup import Occurrence
from explorer.corpus.shards.manifest import Manifest, Precision
from explorer.errors import ExplorerError, FormatError

ROWS = 8192  # of a row group; a reader holds one group at a time
BYTES = {"float16": "<f2", "float32": "<f4"}
UNFINISHED = ".tmp"


def name(part: int, word: int) -> str:
    """A shard's file name.

    >>> name(12, 0)
    'part-00012.word-0.parquet'
    """
    return f"part-{part:05}.word-{word}.parquet"


def column(layer: int) -> str:
    """The name of the column with a layer's vectors."""
    return f"layer_{layer}"


class ShardWriter:
    """Writes a shard to a temporary file; `finish` renames it. A file that is not finished is removed on
    leaving.

    Raises ExplorerError if the disk is full.
    """

    def __init__(self, folder: Path, manifest: Manifest, part: int, word: int) -> None:
        self.rows = 0
        self._path = folder / name(part, word)
        self._temporary = folder / f".{name(part, word)}.{os.getpid()}{UNFINISHED}"
        self._layers, self._dtype = manifest.layers, np.dtype(BYTES[manifest.precision])
        width = manifest.d_model * self._dtype.itemsize
        self._schema = pa.schema(
            {
                "sentence": pa.int32(),
                "start": pa.int32(),
                "end": pa.int32(),
                "text": pa.string(),
                "sense": pa.string(),
                **{column(layer): pa.binary(width) for layer in manifest.layers},
            }
        )
        self._buffer: list[pa.RecordBatch] = []
        with disk_errors(folder):
            self._writer = pq.ParquetWriter(
                self._temporary,
                self._schema,
                compression={
                    item: "zstd" if item in ("text", "sense") else "none" for item in self._schema.names
                },
                use_dictionary=["sense"],
                write_statistics=False,
            )

    def __enter__(self) -> "ShardWriter":
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):
            self._writer.close()
        self._temporary.unlink(missing_ok=True)

    def add(self, occurrences: Sequence[Occurrence], vectors: Tensor) -> None:
        """Add occurrences with their vectors [occurrence, layer, d_model], in the order of the manifest."""
        numbers = vectors.numpy().astype(self._dtype)
        columns = [
            [one.sentence for one in occurrences],
            [one.span[0] for one in occurrences],
            [one.span[1] for one in occurrences],
            [one.text for one in occurrences],
            [one.sense for one in occurrences],
        ]
        arrays = [pa.array(values, kind) for values, kind in zip(columns, self._schema.types)]
        for i, layer in enumerate(self._layers):
            data = pa.py_buffer(numbers[:, i].tobytes())
            kind = self._schema.field(column(layer)).type
            arrays.append(pa.FixedSizeBinaryArray.from_buffers(kind, len(occurrences), [None, data]))
        self._buffer.append(pa.record_batch(arrays, schema=self._schema))
        self.rows += len(occurrences)
        if sum(map(len, self._buffer)) >= ROWS:
            self._flush()

    def close(self) -> None:
        """Write everything to the disk."""
        self._flush()
        with disk_errors(self._path.parent):
            self._writer.close()
            with self._temporary.open("rb+") as file:
                os.fsync(file.fileno())

    def finish(self) -> None:
        """Give the shard its name; call `close` first."""
        os.replace(self._temporary, self._path)

    def _flush(self) -> None:
        if self._buffer:
            with disk_errors(self._path.parent):
                self._writer.write_table(pa.Table.from_batches(self._buffer))
            self._buffer = []


def rows(path: Path) -> int | None:
    """The number of occurrences in a shard; None if it is absent or damaged."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, pa.ArrowInvalid):
        return None


def batches(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Some columns of a shard, at most ROWS occurrences at a time. Raises FormatError if it is damaged."""
    try:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(ROWS, columns=list(columns), use_threads=False)
    except (OSError, pa.ArrowInvalid, KeyError) as error:
        raise FormatError(
            f"{path} cannot be read: it is damaged, or gone.",
            "Delete it and run python -m explorer.corpus embed again: only its part is computed.",
        ) from error


def vectors(array: pa.FixedSizeBinaryArray, precision: Precision) -> np.ndarray:
    """The vectors in a layer's column [occurrence, d_model], without a copy."""
    width = array.type.byte_width
    data = memoryview(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]
    return np.frombuffer(data, BYTES[precision]).reshape(len(array), -1)


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Raises ExplorerError for a full disk, or a folder that cannot be written to."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT) or "No space" in str(error)
        problem = "has no room left" if full else f"cannot be written to: {error.strerror or error}"
        raise ExplorerError(
            f"{folder} {problem}.",
            "Make room and run the same command again: what is complete is not computed again.",
        ) from error
