"""One part's occurrences of one word as a Parquet file, there whole or not at all.

A row is an occurrence: its sentence by number within the part and in words, the characters of the word in it
(start, end), its sense where the text names one, and for each layer a column of its vector's bytes:

    numpy.frombuffer(row["layer_6"], "<f2")     float16, or "<f4" where the manifest says float32

Bytes and not lists of numbers: a million vectors are read in a sixth of the time.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

from explorer.corpus.lookup import Drawn
from explorer.corpus.shards.manifest import Manifest
from explorer.errors import ExplorerError, FormatError

ROWS = 8192  # written as one group; a reader holds one group at a time
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
    """Writes a shard beside its place; `finish` puts it there.

    Raises ExplorerError where the disk is full. What was not finished is removed on leaving.
    """

    def __init__(self, folder: Path, manifest: Manifest, part: int, word: int) -> None:
        self.rows = 0
        self._place = folder / name(part, word)
        self._beside = folder / f".{name(part, word)}.{os.getpid()}{UNFINISHED}"
        self._layers, self._bytes = manifest.layers, BYTES[manifest.precision]
        width = manifest.d_model * np.dtype(self._bytes).itemsize
        vectors = [pa.field(column(layer), pa.binary(width)) for layer in manifest.layers]
        self._schema = pa.schema(
            [
                pa.field("sentence", pa.int32()),
                pa.field("start", pa.int32()),
                pa.field("end", pa.int32()),
                pa.field("text", pa.string()),
                pa.field("sense", pa.string()),
                *vectors,
            ]
        )
        self._waiting: list[pa.RecordBatch] = []
        texts = ["text", "sense"]
        packed = {field.name: "zstd" if field.name in texts else "none" for field in self._schema}
        with _room(self._beside):
            self._writer = pq.ParquetWriter(
                self._beside,
                self._schema,
                compression=packed,
                use_dictionary=["sense"],
                write_statistics=False,
            )

    def __enter__(self) -> "ShardWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._writer.close()
        except OSError:
            if error is None:
                raise
        finally:
            self._beside.unlink(missing_ok=True)

    def add(self, occurrences: Sequence[Drawn], vectors: Tensor) -> None:
        """Add occurrences with their vectors [occurrence, layer, d_model], in the order of the manifest."""
        kind = torch.float16 if self._bytes == "<f2" else torch.float32
        numbers = vectors.to(kind).numpy().astype(self._bytes, copy=False)
        columns = [
            pa.array([one.sentence for one in occurrences], pa.int32()),
            pa.array([one.span[0] for one in occurrences], pa.int32()),
            pa.array([one.span[1] for one in occurrences], pa.int32()),
            pa.array([one.text for one in occurrences], pa.string()),
            pa.array([one.sense for one in occurrences], pa.string()),
        ]
        for at in range(len(self._layers)):
            data = pa.py_buffer(np.ascontiguousarray(numbers[:, at]).tobytes())
            kind_of = self._schema.field(column(self._layers[at])).type
            columns.append(pa.FixedSizeBinaryArray.from_buffers(kind_of, len(occurrences), [None, data]))
        self._waiting.append(pa.record_batch(columns, schema=self._schema))
        self.rows += len(occurrences)
        if sum(len(batch) for batch in self._waiting) >= ROWS:
            self._write()

    def close(self) -> None:
        """Write what waits, down to the disk."""
        self._write()
        with _room(self._beside):
            self._writer.close()
            with self._beside.open("rb+") as file:
                os.fsync(file.fileno())

    def finish(self) -> None:
        """Put the shard in its place; `close` comes before."""
        os.replace(self._beside, self._place)

    def _write(self) -> None:
        if self._waiting:
            with _room(self._beside):
                self._writer.write_table(pa.Table.from_batches(self._waiting))
            self._waiting = []


def rows(path: Path) -> int | None:
    """How many occurrences a shard has; None where it is not there, or damaged."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, pa.ArrowInvalid):
        return None


def batches(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Some columns of a shard, at most ROWS occurrences at a time. Raises FormatError where it is damaged."""
    try:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(ROWS, columns=list(columns), use_threads=False)
    except (OSError, pa.ArrowInvalid, KeyError) as error:
        raise FormatError(
            f"{path} cannot be read: it is damaged, or gone.",
            "Delete it and run python -m explorer.corpus embed again: only this part is computed.",
        ) from error


def vectors(batch: pa.RecordBatch, layer: int, precision: str) -> np.ndarray:
    """A layer's vectors in a batch [occurrence, d_model], without a copy."""
    array = batch.column(column(layer))
    width = array.type.byte_width
    data = memoryview(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]
    return np.frombuffer(data, BYTES[precision]).reshape(len(array), -1)


class _room:
    """Turns a disk without room, or a folder that cannot be written to, into a clear line."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError):
            full = error.errno in (28, 122) or "No space" in str(error)
            raise ExplorerError(
                f"{self._folder} has no room left."
                if full
                else f"{self._folder} cannot be written to: {error.strerror or error}.",
                "Make room and run the same command again: what is complete is not computed again.",
            ) from error
