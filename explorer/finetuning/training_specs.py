"""Descriptions of trainings that a process of its own can run (see `jobs`).

    HeadSpec        a task head by `fit`
    GptSpec         GPT with its second loss (see `gpt1`)
    UlmfitSpec      a GPT by ULMFiT's tricks (see `ulmfit`)
    LayerMixSpec    a learnt mix of a frozen model's layers (see `layer_mix`)

`spec.records(model)` trains and yields dictionaries of plain numbers and words, which travel as JSON.
"""

import base64
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from explorer.finetuning import store
from explorer.finetuning.examples import Example, Labelled, check, task_of
from explorer.finetuning.features import Features
from explorer.finetuning.fit import fit
from explorer.finetuning.fit_run import Fit
from explorer.finetuning.gpt1 import LAMBDA, GptTuning, Transformation
from explorer.finetuning.gpt1_examples import gpt_examples
from explorer.finetuning.layer_mix import train_layer_mix
from explorer.finetuning.messages import example_from_json, example_to_json, progress_to_json
from explorer.finetuning.progress import How
from explorer.finetuning.sampling import split
from explorer.finetuning.tasks import Task
from explorer.finetuning.ulmfit import Tricks, Ulmfit
from explorer.models.base import Model
from explorer.models.precision import faster_in_bfloat16

EVALUATIONS = 4  # per epoch, on the held-out examples
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
class GptSpec(TrainingSpec):
    """GPT's way. A record has `step` of `of`, and at an evaluation `task`, `language` and `right`.

    `task` is L2 and `language` L1 of the held-out examples, in nats; `right` is their accuracy.
    """

    kind: Transformation = "classification"
    lambda_: float = LAMBDA
    epochs: int = 5

    def steps(self, model: Model) -> Iterator[Record]:
        """See `TrainingSpec`."""
        training, held_out = self.parts()
        examples, labels = gpt_examples(self.kind, training)
        measured, _ = gpt_examples(self.kind, held_out)
        settings: dict[str, Any] = {"lambda_": self.lambda_, "epochs": self.epochs, "seed": self.seed}
        tuning = GptTuning(model, self.kind, examples, labels, **settings)
        every = max(1, tuning.of // (EVALUATIONS * self.epochs))
        yield {"step": 0, "of": tuning.of, **tuning.evaluate(measured)}
        for step in tuning:
            due = step.step % every == 0 or step.step == step.of
            yield {"step": step.step, "of": step.of, **(tuning.evaluate(measured) if due else {})}


@dataclass(frozen=True)
class UlmfitSpec(Tricks, TrainingSpec):
    """ULMFiT's way. A record has `step` of `of`, `stage`, `loss`, `rate` and the `learning` layers.

    `right`, the accuracy on the held-out sentences, comes after each epoch of the classifier.
    """

    def steps(self, model: Model) -> Iterator[Record]:
        """See `TrainingSpec`."""
        training, held_out = ([e for e in part if isinstance(e, Labelled)] for part in self.parts())
        tuning = Ulmfit(model, training, tricks=self, seed=self.seed)
        total, texts = sum(tuning.stages.values()), [example.text for example in held_out]
        for number, step in enumerate(tuning, 1):
            record: Record = asdict(step) | {"step": number, "of": total, "learning": list(step.learning)}
            if step.stage == "classifier" and step.step % tuning.per_epoch == 0:
                hits = [label == e.label for label, e in zip(tuning.predict(texts), held_out, strict=True)]
                record["right"] = sum(hits) / len(hits) if hits else None
            yield record


@dataclass(frozen=True)
class LayerMixSpec(TrainingSpec):
    """ELMo's way: a learnt mix of frozen layers (see `train_layer_mix`, which yields the records)."""

    heavy = False  # the model is frozen

    def steps(self, model: Model) -> Iterator[Record]:
        """See `TrainingSpec`."""
        return train_layer_mix(model, self.task, self.examples, self.seed)


SPECS = {spec.__name__: spec for spec in (HeadSpec, GptSpec, UlmfitSpec, LayerMixSpec)}


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
