"""Descriptions of trainings that a process of its own can run (see `jobs`).

    HeadSpec        a task head by `fit`
    LayerMixSpec    a learnt mix of a frozen model's layers (see `layer_mix`)

`spec.records(model)` trains and yields dictionaries of plain numbers and words, which travel as JSON.
"""

import base64
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import cache
from time import perf_counter
from typing import Any

import torch

from explorer.finetuning import store
from explorer.finetuning.examples import Example, check, task_of
from explorer.finetuning.features import Features
from explorer.finetuning.fit import fit
from explorer.finetuning.fit_run import Fit
from explorer.finetuning.layer_mix import train_layer_mix
from explorer.finetuning.messages import example_from_json, example_to_json, progress_to_json
from explorer.finetuning.progress import How
from explorer.finetuning.sampling import split
from explorer.finetuning.tasks import Task
from explorer.models.base import Model

Record = dict[str, Any]


@dataclass(frozen=True)
class TrainingSpec:
    """A model, examples and settings of one training."""

    checkpoint: str
    examples: tuple[Example, ...]
    seed: int = 0
    threads: int = 1
    held_out = 0.25  # of the examples: our own sets are small, and a fifth would measure too little

    @property
    def heavy(self) -> bool:
        """Whether a whole model is trained, so that the training runs alone."""
        return True

    @property
    def task(self) -> Task:
        """The task of the examples. Raises ExplorerError."""
        return task_of(self.examples)

    def check(self) -> None:
        """Raises ExplorerError for examples that cannot be trained on."""
        check(self.task, self.examples)

    def parts(self) -> tuple[list[Example], list[Example]]:
        """(training examples, held-out examples)."""
        return split(self.examples, self.held_out, self.seed)

    def steps(self, model: Model) -> Iterator[Record]:
        """Train, step by step: the records. Raises ExplorerError."""
        raise NotImplementedError

    def records(self, model: Model, stopped: Callable[[], bool] = lambda: False) -> Iterator[Record]:
        """Train until the end, or until `stopped` is true. Raises ExplorerError."""
        for record in self.steps(model):
            yield record
            if stopped():
                return


@dataclass(frozen=True)
class HeadSpec(TrainingSpec):
    """A task head: the points of the map, the progress, and at the end the head's file, in base64.

    It reads the mean of a text's last states, whether the layers are frozen or trained too: on our sets a
    head on [CLS] learns less surely. The last head counts, not the best one on the held-out examples.
    """

    how: How = "frozen"
    epochs: int | None = None
    features = Features("last", "mean")

    @property
    def heavy(self) -> bool:
        """Unless the model is frozen."""
        return self.how != "frozen"

    def run(self, model: Model) -> Fit:
        """The training on a model, to be asked for each step."""
        return fit(
            model,
            self.task,
            self.examples,
            how=self.how,
            held_out=self.held_out,
            features=self.features,
            epochs=self.epochs,
            seed=self.seed,
            bfloat16=self.heavy and faster_in_bfloat16(),
            keep="last",
        )

    def records(self, model: Model, stopped: Callable[[], bool] = lambda: False) -> Iterator[Record]:
        """One record of points, many of progress, and one of the head; stopped early, of the best so far."""
        run = self.run(model)
        yield {"watched": [asdict(point) for point in run.watched]}
        for progress in run:
            yield {"progress": progress_to_json(progress)}
            if stopped():
                run.close()
        if run.head is not None:
            yield {"head": base64.b64encode(store.dumps(run.head)).decode()}


@dataclass(frozen=True)
class LayerMixSpec(TrainingSpec):
    """ELMo's way: a learnt mix of frozen layers (see `train_layer_mix`, which yields the records)."""

    heavy = False  # the model is frozen

    def steps(self, model: Model) -> Iterator[Record]:
        """See `TrainingSpec`."""
        return train_layer_mix(model, self.task, self.examples, self.seed)


SPECS = {spec.__name__: spec for spec in (HeadSpec, LayerMixSpec)}


def spec_to_json(spec: TrainingSpec) -> Record:
    """A spec as JSON."""
    raw = {field.name: getattr(spec, field.name) for field in fields(spec)}
    return raw | {"name": type(spec).__name__, "examples": [example_to_json(e) for e in spec.examples]}


def spec_from_json(raw: Record) -> TrainingSpec:
    """The spec that JSON describes."""
    settings = {name: value for name, value in raw.items() if name != "name"}
    kind: Any = SPECS[raw["name"]]
    spec: TrainingSpec = kind(**settings | {"examples": tuple(map(example_from_json, raw["examples"]))})
    return spec


@cache
def faster_in_bfloat16() -> bool:
    """Whether matrix products are clearly faster in bfloat16, as on processors with instructions for it."""

    def seconds(dtype: torch.dtype) -> float:
        """The best of several runs: other work on the machine only adds time."""
        a, times = torch.ones(512, 512, dtype=dtype), []
        for _ in range(12):
            start = perf_counter()
            a @ a
            times.append(perf_counter() - start)
        return min(times)

    return seconds(torch.bfloat16) < 0.8 * seconds(torch.float32)
