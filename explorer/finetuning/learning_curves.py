"""Learning curves: the score of each way of learning after training on few and many examples.

random body    a task head on features of a model with random weights
frozen         a task head on features of the model as it is
fine-tuned     the model is trained too
bag of words   no network at all
"""

from collections.abc import Sequence
from math import ceil
from typing import Literal, get_args

from explorer.errors import ExplorerError
from explorer.finetuning.baselines import bag_of_words, random_weights
from explorer.finetuning.examples import Example
from explorer.finetuning.fit import fit, steps_per_epoch
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.tasks import Task
from explorer.models.base import Model
from explorer.models.precision import faster_in_bfloat16

Way = Literal["random body", "frozen", "fine-tuned", "bag of words"]
WAYS: tuple[Way, ...] = get_args(Way)
SIZES = (10, 50, 200, 1000)
SEEDS = 5
LIMIT = 128  # tokens of a text
EPOCHS, LEAST = 3, 150  # a model is trained for three epochs, or for as many as make 150 steps


def curve_score(
    way: Way, model: Model, task: Task, training: Sequence[Example], test: Sequence[Example], seed: int
) -> float:
    """The main score on the test examples after training in one way. Raises ExplorerError."""
    if way not in WAYS:
        raise ExplorerError(
            f"“{way}” is no way of learning that is known here.", f"Choose from: {', '.join(WAYS)}."
        )
    if way == "bag of words":
        return bag_of_words(training, test)[MAIN[task.kind]]
    full = way == "fine-tuned"
    run = fit(
        random_weights(model, seed) if way == "random body" else model,
        task,
        training,
        how="whole" if full else "frozen",
        held_out=0.0,
        seed=seed,
        epochs=max(EPOCHS, ceil(LEAST / steps_per_epoch(task, len(training)))) if full else None,
        limit=LIMIT,
        bfloat16=full and faster_in_bfloat16(),
    )
    return scores(test, run.finish().predict(test))[MAIN[task.kind]]
