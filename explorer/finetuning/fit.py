"""Train a head for a task, step by step, to be watched and stopped.

    run = fit(model, task_of(examples), examples)
    for progress in run:    loss, scores on the examples kept aside, vectors for the map
    run.head.predict(["..."])

Nothing runs between two steps: whoever stops asking has stopped it, and `run.head` is the best so far.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from explorer.errors import ExplorerError, at_least_one
from explorer.finetuning.body import trainable
from explorer.finetuning.decode import decoded
from explorer.finetuning.examples import Example, check
from explorer.finetuning.features import Features
from explorer.finetuning.frozen import STEPS as FROZEN_STEPS
from explorer.finetuning.frozen import made, trained
from explorer.finetuning.heads import TrainedHead, logits
from explorer.finetuning.progress import How, Progress
from explorer.finetuning.reading import read
from explorer.finetuning.saved_state import fingerprint, load, save
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.split import ASIDE, split
from explorer.finetuning.tasks import Classes, Pairs, Task
from explorer.finetuning.watched import TEXTS, dots, vectors_of
from explorer.finetuning.whole import Recipe, Training

RANK = 8
BATCH = {"classes": 16, "tags": 16, "pairs": 16, "answers": 8}  # passages are long, and memory is dear
STEPS = 10  # in an epoch, where there are few examples
LOOKS, MOST_LOOKS = 2, 20  # an epoch, and in all, at the examples kept aside
SAVED = 100  # steps between two states in a file, beside one at each look
EPOCHS = {"classes": 5, "tags": 5, "pairs": 5, "answers": 2}


class Fit(Iterator[Progress]):
    """The moments of one training, made as they are asked for; see `fit`.

    `train` and `aside` are the examples learnt from and kept aside, `watched` the dots of the map,
    `left_out` counts examples whose answer or words all lie beyond the model's context, `course` has the
    step and the scores of each look at the examples kept aside.

    >>> import explorer
    >>> from explorer.finetuning import Labelled, task_of
    >>> said = {"good": "yes", "a joy": "yes", "bad": "no", "a bore": "no"}
    >>> examples = [Labelled(text, label) for text, label in said.items()]
    >>> run = fit(explorer.load("bert"), task_of(examples), examples)
    >>> next(run).stage, len(run.train), len(run.watched)
    ('reading', 4, 4)
    """

    def __init__(
        self,
        model: Any,
        task: Task,
        examples: Sequence[Example],
        how: How,
        aside: Sequence[Example] | float,
        features: Features,
        recipe: Recipe,
        state: Path | None,
        limit: int | None,
    ) -> None:
        self.model, self.task, self.how, self.features, self.recipe = model, task, how, features, recipe
        if isinstance(aside, int | float):
            self.train, self.aside = split(task, examples, float(aside), recipe.seed)
        else:
            check(task, aside, 0)
            self.train, self.aside = list(examples), list(aside)
        self._items = [read(model, task, example, features, limit) for example in self.train]
        kept = [i for i, item in enumerate(self._items) if item.targets]
        self.left_out = len(self._items) - len(kept)
        self.train, self._items = [self.train[i] for i in kept], [self._items[i] for i in kept]
        if not self.train:
            raise ExplorerError(
                "No answer lies within what the model can read at once.", "Shorten the passages."
            )
        self._aside = [read(model, task, example, features, limit) for example in self.aside]
        self._looked_at = [*self._aside, *self._items][: max(TEXTS, len(self._aside))]
        self.watched = dots(task, self._looked_at, len(self.aside))
        self.head: TrainedHead | None = None
        self.course: list[tuple[int, dict[str, float]]] = []
        self._best = -1.0
        self._started = perf_counter()
        self._state = state
        self._moments = self._frozen() if how == "frozen" else self._tuned()

    def __next__(self) -> Progress:
        return next(self._moments)

    def close(self) -> None:
        """Stop here; `head` stays the best so far (None before the first step)."""
        self._moments.close()

    @property
    def whole_text(self) -> bool:
        """Whether a text has one row of scores."""
        return isinstance(self.task, Classes | Pairs)

    def _frozen(self) -> Generator[Progress]:
        """Features once, then the head; what is kept aside is read with the rest."""
        items = [*self._items, *self._aside]
        found: list[Tensor] = []
        for done, rows in made(self.model, self.task, items, self.features, 16):
            found = rows
            yield Progress("reading", done, len(items), self._seconds())
        mine, others = found[: len(self._items)], found[len(self._items) :]
        shown = vectors_of(self.task, [*others, *mine])
        of = self.recipe.epochs
        last = 0.0
        for step, (now, parameters) in enumerate(trained(self.task, self._items, torch.cat(mine, 1), of), 1):
            last = now
            said = [decoded(self.task, i, logits(parameters, f)) for i, f in zip(self._aside, others)]
            measured = scores(self.aside, said) if said else None
            self._keep(measured, now, step, (parameters, {}))
            yield Progress(
                "training", step, of, self._seconds(), step, now, measured, shown if step == 1 else None
            )
        yield self._done(step, last, shown)

    def _tuned(self) -> Generator[Progress]:
        """The whole body, or low ranks of it, batch by batch."""
        training = Training(trainable(self.model), self.task, self._items, self.features, self.recipe)
        now, shown = 0.0, None
        if self._state is not None and (known := load(self._state, self._print())):
            training.restore(known["training"])
            self._best, self.course = known["best"], [tuple(look) for look in known["course"]]
            if known["parameters"]:
                self.head = self._head(known["parameters"], known["difference"], known["about"])
        if training.at == 0:
            measured, shown = self._look(training)
            yield Progress("training", 0, training.of, self._seconds(), 0, None, measured, shown)
        every = max(1, training.per_epoch // LOOKS, ceil(training.of / MOST_LOOKS))
        while training.at < training.of:
            now = training.step()
            measured = looked = None
            if training.at % every == 0 or training.at == training.of:
                measured, looked = self._look(training)
                shown = looked
                self._keep(measured, now, training.at, training.learnt)
            if self._state is not None and (looked is not None or training.at % SAVED == 0):
                self._save(training)
            epoch = (training.at - 1) // training.per_epoch + 1
            moment = Progress(
                "training", training.at, training.of, self._seconds(), epoch, now, measured, looked
            )
            try:
                yield moment
            except GeneratorExit:
                if self.head is None:  # stopped before the first look
                    self._keep(None, now, training.at, training.learnt)
                raise
        yield self._done(training.of, now, shown)

    def _look(self, training: Training) -> tuple[dict[str, float] | None, Tensor]:
        """The scores of what is kept aside, and the watched vectors, by the body as it is now."""
        found: dict[int, Tensor] = {}
        with torch.no_grad():
            for start in range(0, len(self._looked_at), self.recipe.batch):
                some = self._looked_at[start : start + self.recipe.batch]
                found.update(enumerate((r[None] for r in training.rows(some)), start))
        vectors = [found[i] for i in range(len(self._looked_at))]
        said = [
            decoded(self.task, item, logits(training.head, f).detach())
            for item, f in zip(self._aside, vectors)
        ]
        return (scores(self.aside, said) if said else None), vectors_of(self.task, vectors)

    def _keep(self, measured: dict[str, float] | None, now: float, step: int, taken: Any) -> None:
        """Remember this head if it is the best so far; of equals the later one."""
        if measured:
            self.course.append((step, measured))
        value = measured[MAIN[self.task.kind]] if measured else 0.0
        if value >= self._best:
            self._best = value
            parameters, added = taken() if callable(taken) else taken
            self.head = self._head(parameters, added, self._about(measured, now, step))

    def _head(self, parameters: dict[str, Tensor], added: dict[str, Tensor], about: Any) -> TrainedHead:
        return TrainedHead(self.task, self.features, self.model, parameters, added, about)

    def _about(self, measured: dict[str, float] | None, now: float, step: int) -> dict[str, Any]:
        return {
            "how": self.how,
            "examples": len(self.train),
            "aside": len(self.aside),
            "step": step,
            "loss": round(now, 4),
            "scores": {name: round(value, 4) for name, value in (measured or {}).items()},
            **asdict(self.recipe),
        }

    def _done(self, of: int, now: float, shown: Tensor | None) -> Progress:
        assert self.head is not None, "each training ends with a look"
        measured = self.head.about["scores"] or None
        return Progress("done", of, of, self._seconds(), self.recipe.epochs, now, measured, shown, self.head)

    def _save(self, training: Training) -> None:
        assert self._state is not None
        state = {
            "training": training.state(),
            "best": self._best,
            "course": self.course,
            "parameters": dict(self.head.parameters) if self.head else {},
            "difference": self.head.difference if self.head else {},
            "about": dict(self.head.about) if self.head else {},
        }
        save(self._state, self._print(), state)

    def _print(self) -> str:
        """What a saved state must be of, to be gone on from."""
        parts = (self.model.checkpoint, self.task, self.features, self.recipe, self.how, self.train)
        return fingerprint(*parts)

    def _seconds(self) -> float:
        return perf_counter() - self._started


def fit(
    model: Any,
    task: Task,
    examples: Sequence[Example],
    *,
    how: How = "frozen",
    held_out: Sequence[Example] | float = ASIDE,
    features: Features | None = None,
    epochs: int | None = None,
    seed: int = 0,
    batch: int | None = None,
    rate: float | None = None,
    rank: int = RANK,
    bfloat16: bool = False,
    limit: int | None = None,
    state: Path | None = None,
) -> Fit:
    """An iterator of moments; the last one holds the head. The same seed gives the same head, on one thread.

    how         "frozen": a head on the body's features, L-BFGS steps (`epochs`: at most 60).
                "whole": a copy of the body learns too, but for its embeddings. "low rank": changes of
                `rank` to its matrices alone (and its biases and norms). The model itself never changes.
    held_out    examples to measure on, or the share of `examples` to keep aside for that (none below 10)
    features    which vectors the head reads; trained bodies are read at their last layer
    batch       examples a step; None: 16 (passages: 8), fewer where there are few examples
    state       a file: a trained body's state is kept there, and gone on from where it is there already
    limit       tokens of a text that are read; None: the model's context

    >>> import explorer
    >>> from explorer.finetuning import Labelled, task_of
    >>> good, bad = ("I love it", "So good", "A joy"), ("I hate it", "So bad", "A bore")
    >>> examples = [Labelled(t, "yes") for t in good] + [Labelled(t, "no") for t in bad]
    >>> run = fit(explorer.load("bert"), task_of(examples), examples)
    >>> [progress.stage for progress in run][-1]
    'done'
    >>> [said.label for said in run.head.predict(["I love it"])]
    ['yes']

    Raises ExplorerError for examples that cannot be learnt from, AbilityError for a model that cannot.
    """
    at_least_one(epochs=epochs, batch=batch, rank=rank, limit=limit)
    check(task, examples)
    if isinstance(seed, bool) or not 0 <= seed < 2**32:
        raise ExplorerError(f"The seed cannot be {seed!r:.40}.", "Choose a whole number from 0 up.")
    if rate is not None and not 0 < rate <= 1:
        raise ExplorerError(f"The learning rate cannot be {rate!r:.40}.", "Choose a number above 0, up to 1.")
    if how not in ("frozen", "whole", "low rank"):
        raise ExplorerError(f"how cannot be “{how}”.", "Choose frozen, whole or low rank.")
    features = features or default_features(model, task, how)
    if how != "frozen" and features.layers != "last":
        raise ExplorerError(
            f"A body in training is read at its last layer, not at “{features.layers}”.",
            "Choose the last layer, or frozen features.",
        )
    recipe = Recipe(
        epochs=epochs or (FROZEN_STEPS if how == "frozen" else EPOCHS[task.kind]),
        batch=batch or batch_of(task, len(examples)),
        rate=rate or (Recipe.rate if how == "whole" else 5 * Recipe.rate),
        rank=rank if how == "low rank" else 0,
        seed=seed,
        bfloat16=bfloat16,
    )
    return Fit(model, task, examples, how, held_out, features, recipe, state, limit)


def batch_of(task: Task, examples: int) -> int:
    """Examples a step, where nobody chose: the task's own number, or fewer where there are few."""
    return min(BATCH[task.kind], max(2, examples // STEPS))


def steps_of(task: Task, examples: int) -> int:
    """Steps of an epoch over so many examples.

    >>> from explorer.finetuning import Classes
    >>> [steps_of(Classes(("yes", "no")), count) for count in (10, 50, 200)]
    [5, 10, 13]
    """
    return ceil(examples / batch_of(task, examples))


def default_features(model: Any, task: Task, how: How) -> Features:
    """What is read where nobody chose: the mean of a frozen body's vectors, [CLS] (GPT: the last) of a tuned.

    Nobody has taught a frozen [CLS] to stand for its sentence.
    """
    if how == "frozen":
        return Features("last", "mean")
    return Features("last", "cls" if getattr(model.config, "segments", 1) > 1 else "last")
