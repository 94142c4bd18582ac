"""A folder of vectors from texts: the occurrences are found, then each gets its vectors, then it is moved
into place. A folder is there as a whole or not at all.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from explorer.analysis.senses import chinese
from explorer.checkpoints.fingerprint import fingerprint
from explorer.corpus.embedding import embed
from explorer.corpus.lookup import Occurrence
from explorer.corpus.matching import LONGEST_WORD, tidy
from explorer.corpus.vectors import occurrences
from explorer.corpus.vectors.manifest import DTYPE, Manifest, column, files
from explorer.errors import ExplorerError, TextError
from explorer.files.writing import disk_errors
from explorer.models import LanguageModel
from explorer.trace import Ability

OTHER_FOLDER = "Give the vectors a folder of their own (--out)."
Compute = Callable[[Manifest, Path, Path], None]  # of the occurrences in a folder, into another one


@dataclass(frozen=True)
class Request:
    """A request for the vectors of some words in a file or folder of texts.

    `layers` are counted from 0, the embedding; -1 is the last. `forms` includes regular endings. `columns`
    are the names of a table's column of text and, second, of senses.
    """

    texts: str
    words: Sequence[str]
    layers: Sequence[int] = (-1,)
    forms: bool = False
    encoding: str | None = None
    columns: Sequence[str] = ()


def create(model: LanguageModel, request: Request, folder: Path, compute: Compute | None = None) -> Manifest:
    """Create a folder of vectors; its manifest. By default they are computed in this process.

    Raises NotFoundError and TextError for texts and words that cannot be used, ExplorerError if the folder
    holds anything, cannot be written, or the disk is full.
    """
    model.require(Ability.CONTEXT, "give a word its vectors")
    manifest = Manifest(
        model=str(model.checkpoint),
        fingerprint=fingerprint(model),
        d_model=model.config.d_model,
        layers=_check_layers(request.layers, model),
        words=_check_words(request.words, model),
        forms=request.forms,
        texts=str(Path(request.texts).resolve()),
        totals=[],
    )
    _require_empty(folder)
    with _unfinished(folder) as place:
        (source := place / "occurrences").mkdir()
        (target := place / "vectors").mkdir()
        texts, how = Path(request.texts), (request.forms, request.encoding, request.columns)
        occurrences.write(source, texts, manifest.words, *how)
        (compute or in_this_process(model))(manifest, source, target)
        manifest = replace(manifest, totals=_count(target, len(manifest.words)))
        manifest.write(target)
        if folder.exists():
            folder.rmdir()
        target.rename(folder)
    return manifest


def in_this_process(model: LanguageModel, step: Callable[[int, int], None] = lambda i, n: None) -> Compute:
    """The vectors of one file after the other; `step(files, files_in_all)` is called after each."""

    def compute(manifest: Manifest, source: Path, target: Path) -> None:
        files = sorted(source.iterdir())
        for i, file in enumerate(files):
            table = with_vectors(model, manifest, pq.read_table(file, schema=occurrences.SCHEMA))
            names = f"{file.stem}-{{i}}.parquet"
            pq.write_to_dataset(table, target, partition_cols=["word"], basename_template=names)
            step(i + 1, len(files))

    return compute


def with_vectors(model: LanguageModel, manifest: Manifest, table: pa.Table) -> pa.Table:
    """Occurrences with their vectors; those past the end of the model's context are left out.

    Raises TextError for a text that the model cannot read.
    """
    kind = pa.binary(manifest.d_model * DTYPE.itemsize)
    parts = []
    for number, word in enumerate(manifest.words):
        rows = table.filter(pc.field("word") == number)
        places = [
            Occurrence(i, row["text"], row["sense"], (row["start"], row["end"]))
            for i, row in enumerate(rows.to_pylist())
        ]
        chinese.require(model, [one.text for one in places])
        computed = embed(model, places, word)
        rows = rows.take(pa.array(computed.sentence_index, pa.int64()))
        for layer in manifest.layers:
            data = pa.py_buffer(computed.vectors[:, layer].numpy().astype(DTYPE).tobytes())
            vectors = pa.FixedSizeBinaryArray.from_buffers(kind, len(rows), [None, data])
            rows = rows.append_column(column(layer), vectors)
        parts.append(rows)
    return pa.concat_tables(parts)


def _count(folder: Path, words: int) -> list[int]:
    return [sum(pq.read_metadata(path).num_rows for path in files(folder, word)) for word in range(words)]


def _require_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ExplorerError(f"{folder} is there already, and not empty.", OTHER_FOLDER)


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A folder beside `folder`, on the same disk, for the length of the block."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        place = tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent)
    except OSError as error:
        raise ExplorerError(
            f"{folder} cannot be written: {error.strerror or error}.", OTHER_FOLDER
        ) from error
    with disk_errors(folder.parent, "Make room and run the same command again."), place as name:
        yield Path(name)


def _check_layers(layers: Sequence[int], model: LanguageModel) -> list[int]:
    depth = model.config.layers
    numbers = sorted({depth if layer == -1 else layer for layer in layers})
    wrong = [layer for layer in numbers if not 0 <= layer <= depth]
    if wrong or not numbers:
        problem = f"{model.checkpoint} has no layer {wrong[0]}" if wrong else "No layers were named"
        raise ExplorerError(f"{problem}: there are 0 to {depth}.", "Choose some of these.")
    return numbers


def _check_words(words: Sequence[str], model: LanguageModel) -> list[str]:
    unique = list(dict.fromkeys(map(tidy, words)))
    if not unique:
        raise TextError("There is no word to look for.", "Name one or more (--words).")
    for word in unique:
        if not word or len(word) > LONGEST_WORD:
            raise TextError(
                f"“{word[:24]}” is no word to look for.", f"A word has 1 to {LONGEST_WORD} characters."
            )
        if model.tokenizer.id(word) is None:
            model.encode(word)  # raises TextError if a model of whole words does not know it
    return unique
