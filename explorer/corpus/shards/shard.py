"""One part's occurrences of one word as a Parquet file, complete or absent.

A row is an occurrence: the number of its sentence within the part, the sentence, the characters of the word
in it (start, end), its sense if the text names one, and for each layer a column with the vector's bytes:

    numpy.frombuffer(row["layer_6"], "<f2")     float16, or "<f4" if the manifest says float32

Bytes are read six times as fast as lists of numbers.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from torch import Tensor

from explorer.corpus.lookup import Occurrence
from explorer.corpus.shards.manifest import Manifest, Precision
from explorer.errors import ExplorerError, FormatError
from explorer.files import writing

ROWS = 8192  # that a reader holds at a time
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


@contextmanager
def writer(
    folder: Path, manifest: Manifest, part: int, word: int
) -> Iterator[Callable[[Sequence[Occurrence], Tensor], None]]:
    """Write a shard: gives a function that adds occurrences and their vectors [occurrence, layer, d_model].

    Its layers are those of the manifest. The shard has its name only once all of it is written. Raises
    ExplorerError if the disk is full.
    """
    temporary = folder / f".{name(part, word)}.{os.getpid()}{UNFINISHED}"
    dtype = np.dtype(BYTES[manifest.precision])
    vector = pa.binary(manifest.d_model * dtype.itemsize)
    schema = pa.schema(
        {
            "sentence": pa.int32(),
            "start": pa.int32(),
            "end": pa.int32(),
            "text": pa.string(),
            "sense": pa.string(),
            **{column(layer): vector for layer in manifest.layers},
        }
    )

    def add(occurrences: Sequence[Occurrence], vectors: Tensor) -> None:
        rows = [(one.sentence, *one.span, one.text, one.sense) for one in occurrences]
        arrays = [pa.array(values, kind) for values, kind in zip(zip(*rows), schema.types)]
        numbers = vectors.numpy().astype(dtype)
        for i in range(len(manifest.layers)):
            data = pa.py_buffer(numbers[:, i].tobytes())
            arrays.append(pa.FixedSizeBinaryArray.from_buffers(vector, len(rows), [None, data]))
        with disk_errors(folder):
            file.write_table(pa.table(arrays, schema=schema))

    with disk_errors(folder):
        file = pq.ParquetWriter(
            temporary,
            schema,
            compression={item: "zstd" if item in ("text", "sense") else "none" for item in schema.names},
            use_dictionary=["sense"],
            write_statistics=False,
        )
    try:
        yield add
        with disk_errors(folder):
            file.close()
            with temporary.open("rb+") as written:
                os.fsync(written.fileno())
            os.replace(temporary, folder / name(part, word))
    finally:
        with suppress(OSError):
            file.close()
        temporary.unlink(missing_ok=True)


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
    again = "Make room and run the same command again: what is complete is not computed again."
    try:
        with writing.disk_errors(folder, again):
            yield
    except OSError as error:
        raise ExplorerError(f"{folder} cannot be written to: {error.strerror or error}.", again) from error
