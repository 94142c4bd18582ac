"""What is gained by how many examples: `python -m explorer.training.finetuning curves sst2 --data FOLDER`.

For 10, 50, 200 and 1,000 examples and five seeds: a body with random weights, frozen features of the
bundled one, the same body fine-tuned, and a bag of words. The file grows cell by cell, so that a run
that was interrupted goes on; once the body has other weights, what was measured with it is measured again.
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
from explorer.training.finetuning import ready
from explorer.training.finetuning.data import SETS

CURVES = FINETUNING / "curves"
OF_THE_BODY: tuple[Way, ...] = ("frozen", "fine-tuned")  # what other weights would change
TEST = 300  # of the test set, the same for every cell


def make(
    name: str, folder: Path, sizes: Sequence[int] = SIZES, seeds: int = SEEDS, ways: Sequence[Way] = WAYS
) -> None:
    """Fill the curves of a set, or go on with them."""
    sets = SETS[name](folder)
    test = ready.drawn(sets.test, TEST)
    task = task_of([*sets.train, *test])
    model = explorer.load(ready.BODY)
    file = CURVES / f"{name}.json"
    CURVES.mkdir(parents=True, exist_ok=True)
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    cells: dict[str, dict[str, list[float]]] = known.get("cells", {})
    body = fingerprint(model)
    if known.get("fingerprint") != body:
        cells = {way: found for way, found in cells.items() if way not in OF_THE_BODY}
    for size in [size for size in sizes if size <= len(sets.train)]:
        for way in ways:
            values = cells.setdefault(way, {}).setdefault(str(size), [])
            for seed in range(len(values), seeds):
                learn = draw(sets.train, size, seed)
                value = curve_score(way, model, task, learn, test, seed)
                values.append(round(value, ready.DIGITS))
                print(name, way, size, seed, values[-1], flush=True)
                content = {
                    "command": f"python -m explorer.training.finetuning curves {name}",
                    "body": ready.BODY,
                    "fingerprint": body,
                    "measure": MAIN[task.kind],
                    "test": len(test),
                    "cells": cells,
                }
                file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
