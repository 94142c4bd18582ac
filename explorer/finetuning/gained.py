"""What is gained by how many examples, and by what: the points of a learning curve, one by one.

random body    a head on features of a body whose weights were drawn anew
frozen         a head on features of the body as it is
fine-tuned     the body learns too
bag of words   no network at all
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal, get_args

from explorer.errors import ExplorerError
from explorer.finetuning.baselines import bag_of_words, random_body
from explorer.finetuning.examples import Example, labels_of
from explorer.finetuning.fit import fit, steps_of
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.tasks import Task
from explorer.models.base import Model
from explorer.models.precision import faster_in_bfloat16

Way = Literal["random body", "frozen", "fine-tuned", "bag of words"]
WAYS: tuple[Way, ...] = get_args(Way)
SIZES = (10, 50, 200, 1000)
SEEDS = 5
LIMIT = 128  # tokens of a text
EPOCHS, LEAST = 3, 150  # a body learns for three epochs, or for as many as make 150 steps


@dataclass(frozen=True)
class Cell:
    """One point: the main score (see `scores.MAIN`) of one way, learnt from so many examples of one draw."""

    way: Way
    size: int
    seed: int
    score: float


def drawn(examples: Sequence[Example], count: int, seed: int) -> list[Example]:
    """Some examples, drawn by a seed; at least two labels are among them, where there are two.

    >>> from explorer.finetuning import Labelled
    >>> some = drawn([Labelled("a", "rare")] + [Labelled(str(i), "common") for i in range(99)], 5, seed=0)
    >>> sorted({one.label for one in some}), len(some)
    (['common', 'rare'], 5)
    """
    every = list(examples)
    random.Random(1000 + seed).shuffle(every)
    found = every[:count]
    if found and len({label for e in found for label in labels_of(e)}) == 1:
        first = labels_of(found[0])
        found[-1:] = [next((e for e in every[count:] if labels_of(e) != first), found[-1])]
    return found


def cell(
    way: Way, model: Model, task: Task, learn: Sequence[Example], test: Sequence[Example], seed: int
) -> float:
    """The main score on the test examples of one way of learning others. Raises ExplorerError."""
    if way not in WAYS:
        raise ExplorerError(
            f"“{way}” is no way of learning that is known here.", f"Choose from: {', '.join(WAYS)}."
        )
    if way == "bag of words":
        return bag_of_words(learn, test)[MAIN[task.kind]]
    body = random_body(model, seed) if way == "random body" else model
    tuned = way == "fine-tuned"
    run = fit(
        body,
        task,
        learn,
        how="whole" if tuned else "frozen",
        held_out=0.0,
        seed=seed,
        epochs=max(EPOCHS, ceil(LEAST / max(1, steps_of(task, len(learn))))) if tuned else None,
        limit=LIMIT,
        bfloat16=tuned and faster_in_bfloat16(),
    )
    for _ in run:
        pass
    assert run.head is not None
    return scores(test, run.head.predict(test))[MAIN[task.kind]]


def gained(
    model: Model,
    task: Task,
    examples: Sequence[Example],
    test: Sequence[Example],
    *,
    sizes: Sequence[int] = SIZES,
    seeds: int = SEEDS,
    ways: Sequence[Way] = WAYS,
) -> Iterator[Cell]:
    """The points of a visitor's own curves, as they are made; sizes beyond the examples are left out.

    Frozen features and the bag of words come first: they are quick. Raises ExplorerError as `fit`.
    """
    quick = sorted(ways, key=lambda way: way == "fine-tuned")
    for way in quick:
        for size in [size for size in sizes if size <= len(examples)]:
            for seed in range(seeds):
                learn = drawn(examples, size, seed)
                yield Cell(way, size, seed, cell(way, model, task, learn, test, seed))
