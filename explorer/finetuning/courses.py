"""Trainings of which numbers alone are wanted: other ways than BERT's, and a visitor's own curves.

    GptCourse      GPT with its second loss (see `gpt1`)
    UlmfitCourse   a GPT by ULMFiT's tricks (see `ulmfit`)
    MixCourse      a learnt mix of a frozen body's layers (see `mixing`)
    GainedCourse   what is gained by how many examples (see `gained`)

`course.moments(model)` yields dictionaries of plain numbers and words: they travel from a child process as
they are (see `jobs`).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from explorer.finetuning import gpt1_cases, mixing
from explorer.finetuning.examples import Example, Labelled, check, task_of
from explorer.finetuning.gained import Way, gained
from explorer.finetuning.gpt1 import LAMBDA, GptTuning, Transformation
from explorer.finetuning.messages import example_in, example_out
from explorer.finetuning.split import split
from explorer.finetuning.ulmfit import Tricks, Ulmfit
from explorer.models.base import Model

ASIDE = 0.25  # of the examples: our own sets are small, and a fifth of them would measure too little
LOOKS = 4  # an epoch, at what is kept aside
OWN_SIZES, OWN_SEEDS = (10, 50), 3  # of a visitor's own curves; the largest size is all there are
ASIDE_FOR_CURVES = 1 / 3
Moment = dict[str, Any]


@dataclass(frozen=True)
class Course(ABC):
    """What a training is of."""

    checkpoint: str
    examples: tuple[Example, ...]
    seed: int = 0
    threads: int = 1

    @property
    def heavy(self) -> bool:
        """Whether a whole body learns, so that it runs alone."""
        return True

    def check(self) -> None:
        """Raises ExplorerError for examples that cannot be learnt from."""
        check(task_of(self.examples), self.examples)

    @abstractmethod
    def moments(self, model: Model) -> Iterator[Moment]:
        """Train, and tell of it. Raises ExplorerError."""


@dataclass(frozen=True)
class GptCourse(Course):
    """GPT's way. A moment has `step` of `of`; at each look what is kept aside: `task`, `language`, `right`.

    `task` is L2 and `language` L1, in nats; `right` is the share of examples that are right.
    """

    kind: Transformation = "classification"
    lambda_: float = LAMBDA
    epochs: int = 3

    def moments(self, model: Model) -> Iterator[Moment]:
        """See `Course`."""
        learn, aside = split(task_of(self.examples), self.examples, ASIDE, self.seed)
        mine, labels = gpt1_cases.cases(self.kind, learn)
        others, _ = gpt1_cases.cases(self.kind, aside)
        tuning = GptTuning(
            model, self.kind, mine, labels, lambda_=self.lambda_, epochs=self.epochs, seed=self.seed
        )
        every = max(1, tuning.of // (LOOKS * self.epochs))
        yield {"step": 0, "of": tuning.of, **tuning.measured(others)}
        for step in tuning:
            looked = step.step % every == 0 or step.step == step.of
            yield {"step": step.step, "of": step.of, **(tuning.measured(others) if looked else {})}


@dataclass(frozen=True)
class UlmfitCourse(Course):
    """ULMFiT's way. A moment is a step with its `stage`, `loss` and `rate`, and the `learning` layers.

    `right`, the share of sentences kept aside that are right, comes after each epoch of the classifier.
    """

    language: bool = True
    slanted: bool = True
    discriminative: bool = True
    unfreezing: bool = True

    @property
    def tricks(self) -> Tricks:
        """Which are on."""
        return Tricks(self.language, self.slanted, self.discriminative, self.unfreezing)

    def parts(self) -> tuple[list[Labelled], list[Labelled]]:
        """(to learn from, kept aside)."""
        given = [example for example in self.examples if isinstance(example, Labelled)]
        learn, aside = split(task_of(given), given, ASIDE, self.seed)
        return [e for e in learn if isinstance(e, Labelled)], [e for e in aside if isinstance(e, Labelled)]

    def moments(self, model: Model) -> Iterator[Moment]:
        """See `Course`."""
        learn, aside = self.parts()
        made = Ulmfit(model, learn, tricks=self.tricks, seed=self.seed)
        of, texts = sum(made.stages.values()), [example.text for example in aside]
        for at, step in enumerate(made, 1):
            moment: Moment = {
                "step": at,
                "of": of,
                "stage": step.stage,
                "loss": step.loss,
                "rate": step.rate,
                "learning": list(step.learning),
            }
            if step.stage == "classifier" and step.step % made.per_epoch == 0:
                said = made.predict(texts)
                hits = [label == e.label for label, e in zip(said, aside, strict=True)]
                moment["right"] = sum(hits) / len(hits) if hits else None
            yield moment


@dataclass(frozen=True)
class MixCourse(Course):
    """ELMo's way: a learnt mix of frozen layers (see `mixing.mixed`, which yields the moments)."""

    @property
    def heavy(self) -> bool:
        """Never: the body stays as it is."""
        return False

    def moments(self, model: Model) -> Iterator[Moment]:
        """See `Course`."""
        learn, aside = split(task_of(self.examples), self.examples, ASIDE, self.seed)
        yield from mixing.mixed(model, task_of(self.examples), learn, aside)


@dataclass(frozen=True)
class GainedCourse(Course):
    """A visitor's own curves. A moment has `way`, `size`, `seed` and `score`, and is number `step` of `of`.

    `tuned` has the body learn too. A third of the examples is kept aside for every moment to be measured on.
    """

    tuned: bool = True

    @property
    def heavy(self) -> bool:
        """Only where the body learns too."""
        return self.tuned

    def moments(self, model: Model) -> Iterator[Moment]:
        """See `Course`."""
        task = task_of(self.examples)
        learn, test = self.parts()
        sizes = sorted({*(size for size in OWN_SIZES if size < len(learn)), len(learn)})
        ways: list[Way] = ["frozen", "bag of words", "random body"]
        if self.tuned:
            ways.append("fine-tuned")
        of = len(ways) * len(sizes) * OWN_SEEDS
        cells = gained(model, task, learn, test, sizes=sizes, seeds=OWN_SEEDS, ways=ways)
        for step, cell in enumerate(cells, 1):
            yield {
                "step": step,
                "of": of,
                "way": cell.way,
                "size": cell.size,
                "seed": cell.seed,
                "score": cell.score,
            }

    def parts(self) -> tuple[list[Example], list[Example]]:
        """(to learn from, to measure on)."""
        return split(task_of(self.examples), self.examples, ASIDE_FOR_CURVES, self.seed)


COURSES: dict[str, type[Course]] = {
    kind.__name__: kind for kind in (GptCourse, UlmfitCourse, MixCourse, GainedCourse)
}


def course_out(course: Course) -> dict[str, Any]:
    """A course as JSON holds it."""
    raw = {field.name: getattr(course, field.name) for field in fields(course)}
    return raw | {"name": type(course).__name__, "examples": [example_out(e) for e in course.examples]}


def course_in(raw: dict[str, Any]) -> Course:
    """The course that JSON holds."""
    given = {name: value for name, value in raw.items() if name != "name"}
    return COURSES[raw["name"]](**given | {"examples": tuple(map(example_in, raw["examples"]))})
