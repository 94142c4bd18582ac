"""One training of a task head as an iterator of progress: what `fit` returns."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict
from math import ceil
from time import perf_counter
from typing import Any, Literal

import torch
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.finetuning.base_model import trainable
from explorer.finetuning.encoding import encode_example
from explorer.finetuning.examples import Example, check
from explorer.finetuning.features import Features
from explorer.finetuning.frozen import extract_features, train_head, untrained
from explorer.finetuning.full import FullTraining, TrainingConfig
from explorer.finetuning.progress import MAX_TEXTS, How, Progress, map_points, map_vectors
from explorer.finetuning.sampling import split
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.task_head import TaskHead, predict_rows
from explorer.finetuning.tasks import Task
from explorer.locale import _

EVERY = 16  # examples between two reports while a frozen model reads
EVALUATIONS, MAX_EVALUATIONS = 2, 20  # on the held-out examples: per epoch, and in all
Keep = Literal["best", "last"]


class Fit(Iterator[Progress]):
    """The progress of one training, computed as it is asked for; see `fit`.

    `train` and `held_out` are the examples to train on and to measure on, `watched` the points of the map
    and `watched_items` their texts.
    Examples whose answer or words all lie beyond the model's context are left out. `evaluations` has the step
    and the scores of each evaluation, `head` the best task head so far (None before the first).
    """

    def __init__(
        self,
        model: Any,
        task: Task,
        examples: Sequence[Example],
        held_out: Sequence[Example] | float,
        *,
        how: How,
        features: Features,
        config: TrainingConfig,
        limit: int | None = None,
        keep: Keep = "best",
    ) -> None:
        self.model, self.task, self.how, self.features, self.config = model, task, how, features, config
        if isinstance(held_out, int | float):
            examples, held_out = split(examples, float(held_out), config.seed)
        check(task, held_out, 0)
        items = [encode_example(model, task, example, features, limit) for example in examples]
        readable = [i for i, item in enumerate(items) if item.targets]
        if not readable:
            raise ExplorerError(
                _("No answer lies within what the model can read at once."), _("Shorten the passages.")
            )
        self.train, self._items = [examples[i] for i in readable], [items[i] for i in readable]
        self.held_out = list(held_out)
        self._held_out = [encode_example(model, task, example, features, limit) for example in held_out]
        self._evaluated = [*self._held_out, *self._items][: max(MAX_TEXTS, len(self._held_out))]
        self.watched_items = self._evaluated[:MAX_TEXTS]
        self.watched = map_points(task, self._evaluated, len(self._held_out))
        self.head: TaskHead | None = None
        self.evaluations: list[tuple[int, dict[str, float]]] = []
        self._best = -1.0
        self._keep_last = keep == "last"
        self._started = perf_counter()
        self._reports = self._frozen() if how == "frozen" else self._full()

    def __next__(self) -> Progress:
        return next(self._reports)

    def close(self) -> None:
        """Stop here; `head` stays the best so far."""
        self._reports.close()

    def finish(self) -> TaskHead:
        """Run to the end and return the task head."""
        for __ in self:
            pass
        assert self.head is not None, "every training ends with an evaluation"
        return self.head

    def _frozen(self) -> Generator[Progress]:
        """Compute the features of all examples once, then fit the head to them."""
        items, rows = [*self._items, *self._held_out], list[Tensor]()
        for count, rows_read in extract_features(self.model, self.task, items, self.features, EVERY):
            rows = rows_read
            yield self._progress("reading", count, len(items))
        features = torch.cat(rows[: len(self._items)], 1)
        rows = rows[len(self._items) :] + rows[: len(self._items)]  # the held-out ones first
        vectors, total, loss = map_vectors(self.task, rows), self.config.epochs, 0.0
        measures = self._score(untrained(self.task, features.shape[0], features.shape[2]), rows)
        yield self._progress("training", 0, total, 0, None, measures, vectors)
        steps = train_head(self.task, self._items, features, total)
        for step, (loss, parameters) in enumerate(steps, 1):
            measures = self._score(parameters, rows)
            self._keep_best(measures, loss, step, parameters)
            yield self._progress("training", step, total, step, loss, measures)
        yield self._end(total, loss, vectors)

    def _full(self) -> Generator[Progress]:
        """Train the model too, in full or in low rank, batch by batch."""
        training = FullTraining(trainable(self.model), self.task, self._items, self.features, self.config)
        batches, loss = training.batches, 0.0
        measures, vectors = self._evaluate(training)
        yield self._progress("training", 0, batches.total, 0, None, measures, vectors)
        every = max(1, batches.per_epoch // EVALUATIONS, ceil(batches.total / MAX_EVALUATIONS))
        while batches.completed < batches.total:
            epoch, loss = batches.epoch + 1, training.step()
            step = batches.completed
            measures = moved = None
            if step % every == 0 or step == batches.total:
                measures, vectors = self._evaluate(training)
                moved = vectors
                self._keep_best(measures, loss, step, training.parameters(), training)
            try:
                yield self._progress("training", step, batches.total, epoch, loss, measures, moved)
            except GeneratorExit:
                if self.head is None:  # stopped before the first evaluation
                    self._keep_best(None, loss, step, training.parameters(), training)
                raise
        yield self._end(batches.total, loss, vectors)

    def _evaluate(self, training: FullTraining) -> tuple[dict[str, float] | None, Tensor]:
        """The scores on the held-out examples, and the vectors of the map, by the model as it is now."""
        rows: list[Tensor] = []
        with torch.no_grad():
            for start in range(0, len(self._evaluated), self.config.batch):
                batch = self._evaluated[start : start + self.config.batch]
                rows += [row[None] for row in training.rows(batch)]
        return self._score(training.head, rows), map_vectors(self.task, rows)

    def _score(self, parameters: Mapping[str, Tensor], rows: Sequence[Tensor]) -> dict[str, float] | None:
        """The scores on the held-out examples, whose rows come first; None without any."""
        predictions = predict_rows(self.task, self._held_out, parameters, rows)
        return scores(self.held_out, predictions) if predictions else None

    def _keep_best(
        self,
        measures: dict[str, float] | None,
        loss: float,
        step: int,
        parameters: Mapping[str, Tensor],
        training: FullTraining | None = None,
    ) -> None:
        """Keep this head if it is the best so far, of equal ones the later, or if the last one is wanted."""
        if measures:
            self.evaluations.append((step, measures))
        value = measures[MAIN[self.task.kind]] if measures else 0.0
        if value < self._best and not self._keep_last:
            return
        self._best = value
        about = {
            "how": self.how,
            "examples": len(self.train),
            "aside": len(self.held_out),
            "step": step,
            "loss": round(loss, 4),
            "scores": {name: round(value, 4) for name, value in (measures or {}).items()},
            **asdict(self.config),
        }
        difference = training.difference() if training is not None else {}
        self.head = TaskHead(self.task, self.features, self.model, parameters, difference, about)

    def _progress(self, stage: Any, step: int, of: int, *more: Any) -> Progress:
        return Progress(stage, step, of, perf_counter() - self._started, *more)

    def _end(self, total: int, loss: float, vectors: Tensor | None) -> Progress:
        assert self.head is not None, "every training ends with an evaluation"
        measures = self.head.about["scores"] or None
        return self._progress("done", total, total, self.config.epochs, loss, measures, vectors, self.head)
