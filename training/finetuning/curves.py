"""Scores by number of examples: `python -m training.finetuning curves sst2 --data FOLDER`.

For 10, 50, 200 and 1,000 examples and five seeds: a model with random weights, frozen vectors of the bundled
one, the bundled one fine-tuned, and a bag of words. The file grows cell by cell, so an interrupted run
resumes; for new weights of the model its cells are measured again.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import explorer
from explorer.assets import FINETUNING
from explorer.finetuning.examples import task_of
from explorer.finetuning.learning_curves import SEEDS, SIZES, WAYS, Way, curve_score
from explorer.finetuning.sampling import draw
from explorer.finetuning.scores import MAIN
from explorer.finetuning.store import fingerprint
from training.finetuning import ready
from training.finetuning.data import SETS

CURVES = FINETUNING / "curves"
OF_THE_BODY: tuple[Way, ...] = ("frozen", "fine-tuned")  # cells that depend on the weights
TEST = 300  # examples of the test set, the same for every cell


def make(
    name: str, folder: Path, sizes: Sequence[int] = SIZES, seeds: int = SEEDS, ways: Sequence[Way] = WAYS
) -> None:
    """Fill the curves of a set, or continue them."""
    sets = SETS[name](folder)
    test = ready.draw(sets.test, TEST)
    task = task_of([*sets.train, *test])
    model = explorer.load(ready.BODY)
    file = CURVES / f"{name}.json"
    CURVES.mkdir(parents=True, exist_ok=True)
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    cells: dict[str, dict[str, list[float]]] = stored.get("cells", {})
    body = fingerprint(model)
    if stored.get("fingerprint") != body:
        cells = {way: values for way, values in cells.items() if way not in OF_THE_BODY}
    for size in [size for size in sizes if size <= len(sets.train)]:
        for way in ways:
            values = cells.setdefault(way, {}).setdefault(str(size), [])
            for seed in range(len(values), seeds):
                learn = draw(sets.train, size, seed)
                value = curve_score(way, model, task, learn, test, seed)
                values.append(round(value, ready.DIGITS))
                print(name, way, size, seed, values[-1], flush=True)
                content = {
                    "command": f"python -m training.finetuning curves {name}",
                    "body": ready.BODY,
                    "fingerprint": body,
                    "measure": MAIN[task.kind],
                    "test": len(test),
                    "cells": cells,
                }
                file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
