"""Head scores as a file, so that a page about a bundled checkpoint does not wait for them."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from explorer import assets
from explorer.analysis.heads.dependents import Direction, Offset
from explorer.analysis.heads.induction import Induction, induction
from explorer.analysis.heads.kinds import Kind, kinds
from explorer.analysis.heads.measuring import Scores, measure
from explorer.analysis.heads.relations import HALVES, Parse, library
from explorer.assets import HEADS
from explorer.errors import TextError
from explorer.models.base import Model
from explorer.trace import Ability

FOLDER = HEADS
DIGITS = 4


@dataclass(frozen=True, eq=False)
class Report:
    """All scores of a model's heads: on each half of the corpus, and on repeated tokens.

    `repeated` is None for a model that does not read from left to right. `sample` has the behaviours on a
    few sentences, so that a test can check whether the file still fits the model.
    """

    model: str
    halves: Mapping[str, Scores]
    repeated: Induction | None
    sample: dict[str, Float[Tensor, "layer head"]]

    def kinds(self) -> dict[tuple[int, int], list[Kind]]:
        """Names for the heads, by the written half; a relation must hold on the other half as well.

        So no head is named after a peculiarity of our grammar.
        """
        grammar, written = (
            kinds(self.halves[half].behaviours, self.halves[half].relations, self.repeated) for half in HALVES
        )
        confirmed = {
            place: {(kind.name, kind.direction) for kind in names if kind.direction}
            for place, names in grammar.items()
        }
        return {
            place: [k for k in names if not k.direction or (k.name, k.direction) in confirmed[place]]
            for place, names in written.items()
        }

    def transfer(self, relation: str, direction: str) -> tuple[int, int, float] | None:
        """The best head on the grammar half, and its accuracy on the written half.

        A head chosen and measured on the same sentences looks better than it is. None for a relation that
        is missing in one of the halves.
        """
        grammar, written = (self.halves[half].relations.get(relation, {}).get(direction) for half in HALVES)
        if grammar is None or written is None:
            return None
        return (*grammar.best, float(written.accuracy[grammar.best]))


def report(model: Model, name: str, progress: Callable[[int, int], None] | None = None) -> Report:
    """Measure a model on both halves and, if it reads from left to right, on repeated tokens.

    `progress(done, total)` is called after each sentence of the halves.

    >>> report(explorer.load("word2vec"), "word2vec")  # of bert-mini it takes a minute or two
    Traceback (most recent call last):
    explorer.errors.AbilityError: ...
    """
    total = sum(len(library(half)) for half in HALVES)
    halves: dict[str, Scores] = {}
    for half in HALVES:
        before = sum(scores.sentences + scores.skipped for scores in halves.values())
        step = None if progress is None else lambda number, _, b=before: progress(b + number, total)
        halves[half] = measure(model, library(half), step)
    return Report(name, halves, repetition(model), measure(model, sample()).behaviours)


def sample() -> list[Parse]:
    """A few sentences of each half."""
    return [parse for half in HALVES for parse in library(half)[:6]]


def repetition(model: Model) -> Induction | None:
    """Induction, duplicate and previous scores; None if the model or its context is not fit for them."""
    if Ability.GENERATE not in model.abilities or Ability.ATTENTION not in model.abilities:
        return None
    try:
        return induction(model)
    except TextError:
        return None


def stored(name: str) -> Report | None:
    """The stored report of a bundled checkpoint; None if there is none.

    >>> report = stored("gpt")
    >>> len(report.kinds()) > 0, stored("no-such-model")
    (True, None)
    """
    # A name may be any checkpoint's, even a path: only files of this folder are opened.
    files = {file.stem: file for file in FOLDER.glob("*.json")}
    return read(assets.text(files[name])) if name in files else None


def write(report: Report) -> str:
    """A report as JSON; numbers to four digits, null for nan."""
    data = {
        "model": report.model,
        "halves": {half: _scores(scores) for half, scores in report.halves.items()},
        "repeated": None
        if report.repeated is None
        else {
            "texts": report.repeated.texts,
            **({} if report.repeated.led else {"led": False}),
            **{k: _grid(getattr(report.repeated, k)) for k in ("scores", "duplicate", "previous")},
        },
        "sample": {name: _grid(grid) for name, grid in report.sample.items()},
    }
    return json.dumps(data, separators=(",", ":")) + "\n"


def read(text: str) -> Report:
    """The inverse of `write`."""
    data = json.loads(text)
    repeated = data["repeated"]
    if repeated is not None:
        scores, duplicate, previous = (_tensor(repeated[k]) for k in ("scores", "duplicate", "previous"))
        repeated = Induction(scores, duplicate, previous, repeated["texts"], repeated.get("led", True))
    halves = {half: _read_scores(scores) for half, scores in data["halves"].items()}
    sampled = {name: _tensor(grid) for name, grid in data["sample"].items()}
    return Report(data["model"], halves, repeated, sampled)


def _scores(scores: Scores) -> dict[str, Any]:
    return {
        "sentences": scores.sentences,
        "skipped": scores.skipped,
        "behaviours": {name: _grid(grid) for name, grid in scores.behaviours.items()},
        "flat": {name: _number(value) for name, value in scores.flat.items()},
        "relations": {
            name: {direction: _direction(accuracies) for direction, accuracies in directions.items()}
            for name, directions in scores.relations.items()
        },
    }


def _direction(scores: Direction) -> dict[str, Any]:
    return {
        "questions": scores.questions,
        "offset": scores.baseline.offset,
        "baseline": _number(scores.baseline.accuracy),
        "accuracy": _grid(scores.accuracy),
    }


def _read_scores(data: dict[str, Any]) -> Scores:
    return Scores(
        data["sentences"],
        data["skipped"],
        {name: _tensor(grid) for name, grid in data["behaviours"].items()},
        {name: math.nan if value is None else value for name, value in data["flat"].items()},
        {
            name: {
                direction: Direction(
                    _tensor(values["accuracy"]),
                    values["questions"],
                    Offset(values["offset"], values["baseline"]),
                )
                for direction, values in directions.items()
            }
            for name, directions in data["relations"].items()
        },
    )


def _grid(grid: Float[Tensor, "layer head"]) -> list[list[float | None]]:
    return [[_number(value) for value in row] for row in grid.tolist()]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, DIGITS)


def _tensor(grid: list[list[float | None]]) -> Float[Tensor, "layer head"]:
    return torch.tensor([[math.nan if value is None else value for value in row] for row in grid])
