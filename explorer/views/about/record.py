"""The record of a training run: its loss, and at some steps its figures and guesses.

Read from assets/checkpoints/<name>/training.json, which the training writes beside the weights.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.assets import CHECKPOINTS, RECORD
from explorer.errors import FormatError
from explorer.locale import N_, _, format_large_number, language, localised

Guess = tuple[str, float]  # a token and its probability


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The model at one step of its training, after it had read `tokens` tokens.

    `figures` are measured on held-out text; `guesses` are a few for each sentence, the best first;
    `continuations` has a text for each sentence if the model can write, and is empty otherwise.
    """

    tokens: int
    steps: int
    seconds: float
    figures: dict[str, float]
    guesses: list[list[Guess]]
    continuations: list[str]


@dataclass(frozen=True, eq=False)
class Record:
    """A training run: fixed sentences, the loss as (tokens, nats), and its snapshots, the earliest first.

    `numbers` names the number of a guess: its probability, or for word vectors a cosine.
    """

    sentences: list[str]
    loss: list[tuple[int, float]]
    snapshots: list[Snapshot]
    numbers: str = "probability"

    @property
    def last(self) -> Snapshot:
        """The end of the training."""
        return self.snapshots[-1]

    def guesses(self, sentence: int) -> list[list[Guess]]:
        """The model's guesses for a sentence, snapshot by snapshot."""
        return [snapshot.guesses[sentence] for snapshot in self.snapshots]


def folder(name: str = "") -> Path:
    """The folder of a bundled checkpoint, or of all of them."""
    return CHECKPOINTS / name


def read(name: str) -> Record | None:
    """The record of a bundled checkpoint's training, or None if it has none.

    Raises FormatError if the file is damaged.
    """
    path = folder(name) / RECORD
    if not path.exists():
        return None
    try:
        return parse(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(
            f"The record of the training of “{name}” cannot be read.",
            f"The file {RECORD} beside its weights is damaged; the model itself is not affected.",
        ) from error


def parse(data: dict[str, Any]) -> Record:
    """A record from its JSON. Raises ValueError where a part is missing or does not fit the others."""
    sentences = [str(sentence) for sentence in data["sentences"]]
    curve = data.get("curve", {"tokens": [], "loss": []})
    snapshots = sorted((_snapshot(one) for one in data["points"]), key=lambda one: one.tokens)
    if not snapshots:
        raise ValueError("a record has at least one snapshot")
    for one in snapshots:
        if any(len(part) not in (0, len(sentences)) for part in (one.guesses, one.continuations)):
            raise ValueError("a snapshot has one list of guesses and one text for each sentence, or none")
    if any(bool(one.guesses) != bool(snapshots[0].guesses) for one in snapshots):
        raise ValueError("either every snapshot has guesses or none has")
    loss = [(int(t), float(nats)) for t, nats in zip(curve["tokens"], curve["loss"], strict=True)]
    return Record(sentences, loss, snapshots, str(data.get("numbers", "probability")))


def _snapshot(data: dict[str, Any]) -> Snapshot:
    return Snapshot(
        tokens=int(data["tokens"]),
        steps=int(data["steps"]),
        seconds=float(data["seconds"]),
        figures={str(name): float(value) for name, value in data.get("figures", {}).items()},
        guesses=[[(str(t), float(p)) for t, p in best] for best in data.get("predictions", [])],
        continuations=[str(text) for text in data.get("continuations", [])],
    )


def count(number: float) -> str:
    """A number of tokens or parameters, short: three figures and k, M or B; in Chinese 万 or 亿."""
    if language() == "zh" and number >= 10_000:
        return format_large_number(float(f"{number:.3g}"))
    for text, size in ((N_("{number} B"), 1e9), (N_("{number} M"), 1e6), (N_("{number} k"), 1e3)):
        if number >= 0.9995 * size:
            return _(text, number=localised(f"{float(f'{number / size:.3g}'):g}"))
    return f"{number:.0f}"
