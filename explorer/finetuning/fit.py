"""Train a task head step by step, to be watched and stopped.

    run = fit(model, task_of(examples), examples)
    for progress in run:    loss, scores on the held-out examples, vectors for the map
    run.head.predict(["..."])

Nothing runs between two steps: to stop asking is to stop training, and `run.head` is the best head so far.
"""

from collections.abc import Sequence
from typing import Any, get_args

from explorer.errors import ExplorerError, at_least_one
from explorer.finetuning.examples import Example, check
from explorer.finetuning.features import Features
from explorer.finetuning.fit_run import Fit, Keep
from explorer.finetuning.frozen import STEPS as FROZEN_STEPS
from explorer.finetuning.full import TrainingConfig
from explorer.finetuning.progress import How
from explorer.finetuning.sampling import HELD_OUT
from explorer.finetuning.tasks import Task

RANK = 8
BATCH = {"classes": 16, "tags": 16, "pairs": 16, "answers": 8}  # smaller for passages, which are long
MIN_STEPS = 10  # of an epoch, if there are few examples
EPOCHS = {"classes": 5, "tags": 5, "pairs": 5, "answers": 2}


def fit(
    model: Any,
    task: Task,
    examples: Sequence[Example],
    *,
    how: How = "frozen",
    held_out: Sequence[Example] | float = HELD_OUT,
    features: Features | None = None,
    epochs: int | None = None,
    seed: int = 0,
    batch: int | None = None,
    rate: float | None = None,
    rank: int = RANK,
    bfloat16: bool = False,
    limit: int | None = None,
    keep: Keep = "best",
) -> Fit:
    """An iterator of progress; the last one holds the trained task head as `head`.

    The same seed gives the same head, on one thread.

    how         "frozen": a head on the features of the model as it is, by L-BFGS (`epochs`: at most 60
                steps). "whole": a copy of the model is trained too, except its embeddings. "low rank":
                only changes of `rank` to its matrices are (and its biases and norms). `model` itself
                never changes.
    held_out    examples to measure on, or the share of `examples` to hold out (none of fewer than 10)
    features    which vectors the head reads; a model in training is read at its last layer
    batch       examples per step; None: 16 (passages: 8), fewer if there are few examples
    limit       tokens of a text that are read; None: the model's context
    keep        the head that is "best" on the held-out examples, or the "last" one

    >>> from explorer.finetuning import Labelled, task_of
    >>> good, bad = ("I love it", "So good", "A joy"), ("I hate it", "So bad", "A bore")
    >>> examples = [Labelled(t, "yes") for t in good] + [Labelled(t, "no") for t in bad]
    >>> run = fit(explorer.load("bert"), task_of(examples), examples)
    >>> [progress.stage for progress in run][-1]
    'done'
    >>> [prediction.label for prediction in run.head.predict(["I love it"])]
    ['yes']

    Raises ExplorerError for unsuitable examples, AbilityError for an unsuitable model.
    """
    at_least_one(epochs=epochs, batch=batch, rank=rank, limit=limit)
    check(task, examples)
    if isinstance(seed, bool) or not 0 <= seed < 2**32:
        raise ExplorerError(f"The seed cannot be {seed!r:.40}.", "Choose a whole number from 0 up.")
    if rate is not None and not 0 < rate <= 1:
        raise ExplorerError(f"The learning rate cannot be {rate!r:.40}.", "Choose a number above 0, up to 1.")
    if how not in get_args(How):
        raise ExplorerError(f"how cannot be “{how}”.", "Choose frozen, whole or low rank.")
    features = features or default_features(model, how)
    if how != "frozen" and features.layers != "last":
        raise ExplorerError(
            f"A body in training is read at its last layer, not at “{features.layers}”.",
            "Choose the last layer, or frozen features.",
        )
    config = TrainingConfig(
        epochs=epochs or (FROZEN_STEPS if how == "frozen" else EPOCHS[task.kind]),
        batch=batch or batch_size(task, len(examples)),
        rate=rate or (TrainingConfig.rate if how == "whole" else 5 * TrainingConfig.rate),
        rank=rank if how == "low rank" else 0,
        seed=seed,
        bfloat16=bfloat16,
    )
    return Fit(
        model, task, examples, held_out, how=how, features=features, config=config, keep=keep, limit=limit
    )


def batch_size(task: Task, examples: int) -> int:
    """The default number of examples per step: the task's own, or fewer if there are few examples."""
    return min(BATCH[task.kind], max(2, examples // MIN_STEPS))


def default_features(model: Any, how: How) -> Features:
    """The default features: mean vectors of a frozen model; [CLS] of one in training, or GPT's last token.

    A frozen [CLS] was not trained to represent its sentence. A causal model's first token reads no other.
    """
    if how == "frozen":
        return Features("last", "mean")
    return Features("last", "last" if model.causal else "cls")
