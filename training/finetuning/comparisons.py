"""Two comparisons, whose figures go to assets/finetuning.

features  heads on frozen vectors of several models, beside a model with random weights and two baselines
curves    scores after 10, 50, 200 and 1,000 examples with five seeds: a model with random weights, frozen
          vectors of the bundled one, the bundled one fine-tuned, and a bag of words. The file grows cell by
          cell, so an interrupted run resumes.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import explorer
from explorer.assets import FINETUNING
from explorer.finetuning.baselines import bag_of_words, majority, random_weights
from explorer.finetuning.examples import task_of
from explorer.finetuning.learning_curves import SEEDS, SIZES, WAYS, Way, curve_score
from explorer.finetuning.sampling import draw
from explorer.finetuning.scores import MAIN
from explorer.finetuning.store import fingerprint
from explorer.models.base import Model
from training.finetuning import ready
from training.finetuning.data import SETS

FEATURE_SETS = ("sst2", "intents", "slots")
FEATURE_EXAMPLES = 2_000  # to train on, for every model
CURVES = FINETUNING / "curves"
OF_THE_BODY: tuple[Way, ...] = ("frozen", "fine-tuned")  # cells that depend on the weights
TEST = 300  # examples that the curves are measured on


def features(folder: Path, bodies: Sequence[str]) -> None:
    """Main score (see `scores.MAIN`) on each test set by model; a random one has the shape of the first."""
    table: dict[str, dict[str, float]] = {}
    for name in FEATURE_SETS:
        sets = SETS[name](folder)
        train = ready.training_examples(ready.PLANS[name], sets, FEATURE_EXAMPLES)
        task = task_of([*sets.train, *sets.test])
        main = MAIN[task.kind]
        models: dict[str, Model] = {body: explorer.load(body) for body in bodies}
        models["random body"] = random_weights(models[bodies[0]])
        row = {body: ready.frozen(model, task, train, sets.test)[main] for body, model in models.items()}
        row["bag of words"] = bag_of_words(train, sets.test)[main]
        row["majority"] = majority(train, sets.test)[main]
        table[name] = {body: round(score, ready.DIGITS) for body, score in row.items()}
        print(name, main, table[name], flush=True)
    content = {
        "command": "python -m training.finetuning features",
        "train": FEATURE_EXAMPLES,
        "scores": table,
    }
    (FINETUNING / "features.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def curves(
    name: str, folder: Path, sizes: Sequence[int] = SIZES, seeds: int = SEEDS, ways: Sequence[Way] = WAYS
) -> None:
    """Fill the curves of a set, or continue them; cells of other weights are measured again."""
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
