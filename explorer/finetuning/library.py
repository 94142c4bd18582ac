"""What ships: our own examples for each task, ready task heads, and their scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from explorer.assets import FINETUNING, data, table
from explorer.errors import NotFoundError
from explorer.finetuning import store
from explorer.finetuning.checkpoint_head import checkpoint_head
from explorer.finetuning.examples import Example
from explorer.finetuning.features import Layers
from explorer.finetuning.parsing import parse_table
from explorer.finetuning.task_head import TaskHead
from explorer.finetuning.tasks import Kind
from explorer.models.base import Model

HEADS = FINETUNING / "heads"


@dataclass(frozen=True)
class Collection:
    """Sentences of our own for one task: `name` is the file's, `title` is shown.

    `head` is the ready head that has their labels, "" if there is none.
    """

    name: str
    kind: Kind
    title: str
    head: str = ""


_STORED = table(FINETUNING / "collections.toml")
COLLECTIONS = tuple(Collection(**one) for one in _STORED["collection"])
SOURCES: Mapping[str, str] = _STORED["sources"]  # what the ready heads were trained on
BERT_NAMES: Mapping[Layers, float] = _STORED["bert_names"]  # F1 in BERT’s paper


@cache
def examples(name: str) -> tuple[Example, ...]:
    """Our own examples of a collection.

    >>> len(examples("films")), examples("films")[0].label
    (100, 'positive')

    Raises NotFoundError for another name.
    """
    kinds = {collection.name: collection.kind for collection in COLLECTIONS}
    if name not in kinds:
        raise NotFoundError(f"There are no examples called “{name}”.", f"Choose from: {', '.join(kinds)}.")
    return parse_table(kinds[name], (FINETUNING / f"{name}.tsv").read_bytes(), f"{name}.tsv").examples


def heads() -> list[str]:
    """The names of the heads that are ready."""
    return sorted(file.stem for file in HEADS.glob("*.safetensors"))


def head(name: str, model: Model) -> TaskHead:
    """A ready head on the bundled BERT; `own` is the classifier in a fine-tuned model's files.

    >>> [prediction.label for prediction in head("sst2", explorer.load("bert")).predict(["A joy to watch."])]
    ['positive']

    Raises NotFoundError, or FormatError on another model.
    """
    own = checkpoint_head(model) if name == "own" else None
    return own or store.load(_file(HEADS, f"{name}.safetensors"), model)


def measured(name: str) -> dict[str, Any]:
    """Scores of a ready head on its test set, by way and measure, and the command that trained it."""
    return _figures(HEADS, name)


def compared(name: Literal["choices", "ulmfit", "ways"]) -> dict[str, Any]:
    """`scores` of a comparison: names by choice of layers; ULMFiT's tricks, or ways to tune GPT, by seed."""
    return _figures(FINETUNING, name)


def _figures(folder: Path, name: str) -> dict[str, Any]:
    figures: dict[str, Any] = data(_file(folder, f"{name}.json"))
    return figures


def _file(folder: Path, name: str) -> Path:
    if Path(name).name != name or not (folder / name).is_file():
        raise NotFoundError(f"There is no {name}.", "Choose one of those that are ready.")
    return folder / name
