"""What is gained by how many examples: `python -m explorer.training.finetuning curves sst2 --data FOLDER`.

For 10, 50, 200 and 1,000 examples and five seeds: a body with random weights, frozen features of the
bundled one, the same body fine-tuned, and a bag of words. The file grows cell by cell, so that a run
that was interrupted goes on.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import explorer
from explorer.assets import FINETUNING
from explorer.finetuning import fit
from explorer.finetuning.baselines import bag_of_words, random_body
from explorer.finetuning.examples import Example, labels_of, task_of
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.tasks import Task
from explorer.models.base import Model
from explorer.models.precision import faster_in_bfloat16
from explorer.training.finetuning.data import SETS
from explorer.training.finetuning.ready import BODY, DIGITS, drawn

CURVES = FINETUNING / "curves"
SIZES = (10, 50, 200, 1000)
SEEDS = 5
WAYS = ("random body", "frozen", "fine-tuned", "bag of words")
TEST = 300  # of the test set, the same for every cell
LIMIT = 128


def some(examples: Sequence[Example], count: int, seed: int) -> list[Example]:
    """Examples drawn by a seed, of which at least two labels occur."""
    drawn_ones = drawn(examples, len(examples), 1000 + seed)
    found = drawn_ones[:count]
    if len({label for e in found for label in labels_of(e)}) == 1:
        other = next(e for e in drawn_ones[count:] if labels_of(e) != labels_of(found[0]))
        found[-1] = other
    return found


def cell(
    way: str, task: Task, learn: Sequence[Example], test: Sequence[Example], seed: int, model: Model
) -> float:
    """The main score of one way of learning these examples, on the test examples."""
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
        epochs=(10 if len(learn) <= 50 else 3) if tuned else None,
        limit=LIMIT,
        bfloat16=tuned and faster_in_bfloat16(),
    )
    for _ in run:
        pass
    assert run.head is not None
    return scores(test, run.head.predict(test))[MAIN[task.kind]]


def make(
    name: str, folder: Path, sizes: Sequence[int] = SIZES, seeds: int = SEEDS, ways: Sequence[str] = WAYS
) -> None:
    """Fill the curves of a set, or go on with them."""
    sets = SETS[name](folder)
    test = drawn(sets.test, TEST)
    task = task_of([*sets.train, *test])
    model = explorer.load(BODY)
    file = CURVES / f"{name}.json"
    CURVES.mkdir(parents=True, exist_ok=True)
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    cells: dict[str, dict[str, list[float]]] = known.get("cells", {})
    for size in sizes:
        for way in ways:
            values = cells.setdefault(way, {}).setdefault(str(size), [])
            for seed in range(len(values), seeds):
                value = cell(way, task, some(sets.train, size, seed), test, seed, model)
                values.append(round(value, DIGITS))
                print(name, way, size, seed, values[-1], flush=True)
                content = {
                    "command": f"python -m explorer.training.finetuning curves {name}",
                    "body": BODY,
                    "measure": MAIN[task.kind],
                    "test": len(test),
                    "cells": cells,
                }
                file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
