"""All parts of some texts: those that are missing are computed, and the manifest is completed.

    plan = prepare(Wanted("texts/", ["bank"], "bert"), Path("vectors"))
    for done in plainly(plan):          or scaled.with_ray(plan, ...)
        print(done.part, done.rows)
    plan.finish()

A run may be killed at any time: a part is there whole or not at all, and the same call goes on.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import explorer
from explorer.checkpoints.fingerprint import fingerprint
from explorer.corpus import folder as locks
from explorer.corpus.matching import LONGEST_WORD, tidy
from explorer.corpus.shards import manifest as manifests
from explorer.corpus.shards import shard, texts
from explorer.corpus.shards.manifest import Manifest, Precision
from explorer.corpus.shards.texts import Part, TextFile
from explorer.corpus.shards.worker import Done, compute
from explorer.errors import ExplorerError, TextError, at_least_one
from explorer.models import LanguageModel
from explorer.trace import Ability

MB = 1_000_000
LOCK = ".run.lock"


@dataclass(frozen=True)
class Wanted:
    """What is asked for: the vectors of some words in a file or folder of texts, by a model.

    `layers` are numbers from 0, the embedding, on; -1 is the last. `forms` finds regular endings too.
    `part_mb` is about how much text is one part: what a kill may cost, and what one process does at a time.
    `columns` are the names of a table's column of text and, second, of the senses.
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
    """What is to be done in a folder: the manifest, and the parts that are not there yet."""

    manifest: Manifest
    folder: Path
    model: LanguageModel
    todo: list[int]

    def finish(self) -> Manifest:
        """Complete the manifest. Raises TextError where none of the words occurs, and takes the folder's
        shards away, since there is nothing in them."""
        parts, words = range(len(self.manifest.parts)), range(len(self.manifest.words))
        found = [[shard.rows(self.folder / shard.name(part, word)) for part in parts] for word in words]
        rows = [[n for n in some if n is not None] for some in found]
        if any(len(some) != len(parts) for some in rows):
            raise ExplorerError("Some parts are not there yet.", "Run the same command again.")
        if not any(map(sum, rows)):
            for part in parts:
                _remove(self.folder, part, len(words))
            (self.folder / manifests.NAME).unlink()
            said = " or ".join(f"“{word}”" for word in self.manifest.words)
            raise TextError(f"{said} does not occur in {self.manifest.texts}.", "Choose another word.")
        made = replace(self.manifest, rows=rows)
        made.write(self.folder)
        return made


def prepare(wanted: Wanted, folder: Path) -> Plan:
    """Look at the texts and the model, and at what an earlier run left in the folder.

    Raises NotFoundError, TextError and CheckpointError for what cannot be used, ExplorerError where the
    folder was begun for something else, or the texts are others by now.
    """
    model = explorer.load(wanted.model)
    model.require(Ability.CONTEXT, "give a word its vectors")
    asked = Manifest(
        model=str(model.checkpoint),
        fingerprint=fingerprint(model),
        d_model=model.config.d_model,
        depth=model.config.layers,
        layers=_layers(wanted.layers, model),
        words=_words(wanted.words, model),
        forms=wanted.forms,
        precision=wanted.precision,
        texts=str(Path(wanted.texts).resolve()),
        files=[],
        parts=[],
    )
    if (folder / manifests.NAME).exists():
        there = manifests.read(folder)
        manifests.agree(there, asked)
        _unchanged(there, Path(wanted.texts))
        whole = replace(there, texts=asked.texts)
    else:
        whole = _planned(asked, wanted)
        _begin(whole, folder)
    for left in folder.glob(f".part-*{shard.UNFINISHED}"):
        left.unlink(missing_ok=True)
    words = range(len(whole.words))
    todo = [
        part
        for part in range(len(whole.parts))
        if any(shard.rows(folder / shard.name(part, word)) is None for word in words)
    ]
    return Plan(whole, folder, model, todo)


def plainly(plan: Plan) -> Iterator[Done]:
    """Compute the missing parts in this process, one after the other."""
    for part in plan.todo:
        yield compute(plan.model, plan.manifest, plan.folder, part)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else computes in this folder meanwhile. Raises ExplorerError where somebody does."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise ExplorerError(
            f"{folder} cannot be written to: {error.strerror or error}.", "Choose another folder (--out)."
        ) from error
    with locks.held(folder / LOCK) as mine:
        if not mine:
            raise ExplorerError(
                f"Another run is using {folder}.", "Wait until it ends, or choose another folder."
            )
        yield


def _planned(asked: Manifest, wanted: Wanted) -> Manifest:
    """The files and their parts."""
    at_least_one(part_mb=max(int(wanted.part_mb * 1000), 0))
    place = Path(wanted.texts)
    found: list[TextFile] = []
    parts: list[Part] = []
    for path in texts.files(place):
        name = path.name if place.is_file() else path.relative_to(place).as_posix()
        file = texts.looked_at(path, name, wanted.encoding, wanted.columns)
        parts += texts.cut(path, len(found), file, max(int(wanted.part_mb * MB), 1))
        found.append(file)
    return replace(asked, files=found, parts=parts)


def _begin(manifest: Manifest, folder: Path) -> None:
    foreign = [path.name for path in folder.iterdir() if path.suffix == ".parquet"]
    if foreign:
        raise ExplorerError(f"{folder} holds {foreign[0]} and no manifest.", manifests.AGAIN)
    try:
        manifest.write(folder)
    except OSError as error:
        raise ExplorerError(
            f"{folder} cannot be written to: {error.strerror or error}.",
            "Make room, or choose another (--out).",
        ) from error


def _unchanged(there: Manifest, place: Path) -> None:
    """Raises ExplorerError where the texts are not those that the folder was begun with."""
    known = {file.name: file for file in there.files}
    now = {
        (path.name if place.is_file() else path.relative_to(place).as_posix()): path
        for path in texts.files(place)
    }
    for name in sorted(known.keys() | now.keys()):
        what = "is new" if name not in known else "is gone" if name not in now else ""
        if not what and texts.digest(now[name]) != known[name].digest:
            what = "has changed"
        if what:
            raise ExplorerError(f"{name} {what} since the folder was begun.", manifests.AGAIN)


def _layers(asked: Sequence[int], model: LanguageModel) -> list[int]:
    depth = model.config.layers
    found = sorted({depth if layer == -1 else layer for layer in asked})
    wrong = [layer for layer in found if not 0 <= layer <= depth]
    if wrong or not found:
        what = f"{model.checkpoint} has no layer {wrong[0]}" if wrong else "No layers were named"
        raise ExplorerError(f"{what}: there are 0 to {depth}.", "Choose some of these.")
    return found


def _words(asked: Sequence[str], model: LanguageModel) -> list[str]:
    found = list(dict.fromkeys(map(tidy, asked)))
    for word in found:
        if not word or len(word) > LONGEST_WORD:
            raise TextError(
                f"“{word[:24]}” is no word to look for.", f"A word has 1 to {LONGEST_WORD} characters."
            )
        if model.tokenizer.id(word) is None:
            model.encode(word)  # a model of whole words says here if it lacks this one
    if not found:
        raise TextError("There is no word to look for.", "Name one or more (--words).")
    return found


def _remove(folder: Path, part: int, words: int) -> None:
    for word in range(words):
        (folder / shard.name(part, word)).unlink(missing_ok=True)
