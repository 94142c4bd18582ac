"""Heads on frozen vectors of several models, beside a model with random weights and two baselines."""

import json
from collections.abc import Sequence
from pathlib import Path

import explorer
from explorer.assets import FINETUNING
from explorer.finetuning.baselines import bag_of_words, majority, random_weights
from explorer.finetuning.examples import task_of
from explorer.finetuning.scores import MAIN
from explorer.models.base import Model
from training.finetuning import ready
from training.finetuning.data import SETS

COMPARED = ("sst2", "intents", "slots")
EXAMPLES = 2_000  # to train on, for every model


def compare(folder: Path, bodies: Sequence[str]) -> None:
    """Main score (see `scores.MAIN`) on each test set by model; a random one has the shape of the first."""
    table: dict[str, dict[str, float]] = {}
    for name in COMPARED:
        sets = SETS[name](folder)
        train = ready.training_examples(ready.PLANS[name], sets, EXAMPLES)
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
        "train": EXAMPLES,
        "scores": table,
    }
    (FINETUNING / "features.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
