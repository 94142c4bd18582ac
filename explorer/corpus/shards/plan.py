"""All parts of some texts: the missing ones are computed, then the manifest is completed.

    plan = prepare(Request("texts/", ["bank"], "bert"), Path("vectors"))
    for result in compute_all(plan):          or ray_data.compute_all(plan, ...)
        print(result.part, result.rows)
    plan.finish()

A run may be killed at any time: a part is complete or absent, and the same call computes the rest.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

import explorer
from explorer.checkpoints.fingerprint import fingerprint
from explorer.corpus.matching import LONGEST_WORD, tidy
from explorer.corpus.shards import manifest as manifests
from explorer.corpus.shards import shard, texts
from explorer.corpus.shards.manifest import OTHER_FOLDER, Manifest, Precision
from explorer.corpus.shards.texts import FilePart, TextFile
from explorer.corpus.shards.worker import PartResult, compute
from explorer.errors import ExplorerError, TextError, at_least_one
from explorer.models import LanguageModel
from explorer.trace import Ability

MB = 1_000_000
LOCK = ".run.lock"


@dataclass(frozen=True)
class Request:
    """A request for the vectors of some words in a file or folder of texts, by a model.

    `layers` are counted from 0, the embedding; -1 is the last. `forms` includes regular endings. `part_mb` is
    about how much text is one part: what a kill may cost, and what one process computes at a time. `columns`
    are the names of a table's column of text and, second, of senses.
    """

    texts: str
    words: Sequence[str]
    model: str
    layers: Sequence[int] = (-1,)
    forms: bool = False
    precision: Precision = "float16"
    part_mb: float = 16
    encoding: str | None = None
    columns: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Plan:
    """The work in a folder: its manifest, the model, and the numbers of the missing parts."""

    manifest: Manifest
    folder: Path
    model: LanguageModel
    todo: list[int]

    def finish(self) -> Manifest:
        """Complete the manifest. Raises TextError if none of the words occurs, and then empties the
        folder."""
        counts = [
            _rows(self.folder, part, len(self.manifest.words)) for part in range(len(self.manifest.parts))
        ]
        if None in counts:
            raise ExplorerError("Some parts are not there yet.", "Run the same command again.")
        rows = [list(word) for word in zip(*filter(None, counts))]
        if not any(map(sum, rows)):
            for path in [*self.folder.glob("part-*.parquet"), self.folder / manifests.NAME]:
                path.unlink(missing_ok=True)
            words = " or ".join(f"“{word}”" for word in self.manifest.words)
            raise TextError(f"{words} does not occur in {self.manifest.texts}.", "Choose another word.")
        complete = replace(self.manifest, rows=rows)
        complete.write(self.folder)
        return complete


def prepare(request: Request, folder: Path) -> Plan:
    """Check the texts and the model, and what an earlier run left in the folder.

    Raises NotFoundError, TextError and CheckpointError for what cannot be used, ExplorerError if the folder
    was begun for something else, or the texts have changed since.
    """
    model = explorer.load(request.model)
    model.require(Ability.CONTEXT, "give a word its vectors")
    manifest = Manifest(
        model=str(model.checkpoint),
        fingerprint=fingerprint(model),
        d_model=model.config.d_model,
        depth=model.config.layers,
        layers=_check_layers(request.layers, model),
        words=_check_words(request.words, model),
        forms=request.forms,
        precision=request.precision,
        texts=str(Path(request.texts).resolve()),
        files=[],
        parts=[],
    )
    if (folder / manifests.NAME).exists():
        existing = manifests.read(folder)
        manifests.require_same(existing, manifest)
        _require_unchanged(existing, texts.find_files(Path(request.texts)))
        manifest = replace(existing, texts=manifest.texts)
    else:
        manifest = _plan_parts(manifest, request)
        _begin(manifest, folder)
    for path in folder.glob(f".part-*{shard.UNFINISHED}"):
        path.unlink(missing_ok=True)
    words, parts = len(manifest.words), range(len(manifest.parts))
    return Plan(manifest, folder, model, [part for part in parts if _rows(folder, part, words) is None])


def compute_all(plan: Plan) -> Iterator[PartResult]:
    """Compute the missing parts in this process, one after the other."""
    for part in plan.todo:
        yield compute(plan.model, plan.manifest, plan.folder, part)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder, which is created if need be. Raises ExplorerError if one is using
    it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise ExplorerError(
            f"{folder} cannot be written to: {error.strerror or error}.", "Choose another folder (--out)."
        ) from error
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise ExplorerError(
            f"Another run is using {folder}.", "Wait until it ends, or choose another folder."
        ) from error
    try:
        yield
    finally:
        lock.release()


def _rows(folder: Path, part: int, words: int) -> list[int] | None:
    """The number of occurrences of each word in a part; None if a shard is absent or damaged."""
    counts = [shard.rows(folder / shard.name(part, word)) for word in range(words)]
    return None if None in counts else [n for n in counts if n is not None]


def _plan_parts(manifest: Manifest, request: Request) -> Manifest:
    """The manifest with the files and their parts."""
    at_least_one(part_mb=max(int(request.part_mb * 1000), 0))
    files: list[TextFile] = []
    parts: list[FilePart] = []
    for name, path in texts.find_files(Path(request.texts)).items():
        file = texts.inspect_file(path, name, request.encoding, request.columns)
        parts += texts.split_file(path, len(files), file, max(int(request.part_mb * MB), 1))
        files.append(file)
    return replace(manifest, files=files, parts=parts)


def _begin(manifest: Manifest, folder: Path) -> None:
    for path in folder.glob("*.parquet"):
        raise ExplorerError(f"{folder} holds {path.name} and no manifest.", OTHER_FOLDER)
    with shard.disk_errors(folder):
        manifest.write(folder)


def _require_unchanged(manifest: Manifest, paths: dict[str, Path]) -> None:
    """Raises ExplorerError if the texts are not those that the folder was begun with."""
    old = {file.name: file.digest for file in manifest.files}
    for name in sorted(old.keys() | paths.keys()):
        change = "is new" if name not in old else "is gone" if name not in paths else "has changed"
        if change != "has changed" or texts.digest(paths[name]) != old[name]:
            raise ExplorerError(f"{name} {change} since the folder was begun.", OTHER_FOLDER)


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
