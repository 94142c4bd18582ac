"""What frozen vectors are worth, body by body: a head on them for sentiment, requests and slots.

`python -m explorer.training.finetuning features BODY... --data FOLDER`, each body a bundled name or
folder:PATH; the figures go to assets/finetuning/features.json, beside a body of random weights of the
same shape as the first, a bag of words, and the most frequent answer.
"""

from collections.abc import Sequence
from pathlib import Path

import explorer
from explorer.finetuning.baselines import bag_of_words, majority, random_weights
from explorer.finetuning.examples import task_of
from explorer.finetuning.scores import MAIN
from explorer.models.base import Model
from explorer.training.finetuning import ready
from explorer.training.finetuning.data import SETS
from explorer.training.finetuning.frozen import frozen
from explorer.training.finetuning.others import write

NAMES = ("sst2", "intents", "slots")
LEARNT = 2_000  # examples: as many for every body
RANDOM, WORDS, MAJORITY = "random body", "bag of words", "majority"


def features(folder: Path, bodies: Sequence[str]) -> None:
    """The main score on each test set (see `scores.MAIN`), by body."""
    found: dict[str, dict[str, float]] = {}
    for name in NAMES:
        sets = SETS[name](folder)
        learn = ready.learnt_from(ready.PLANS[name], sets, LEARNT)
        task = task_of([*sets.train, *sets.test])
        main = MAIN[task.kind]
        models: dict[str, Model] = {body: explorer.load(body) for body in bodies}
        models[RANDOM] = random_weights(models[bodies[0]])
        row = {body: frozen(model, task, learn, sets.test)[main] for body, model in models.items()}
        row |= {WORDS: bag_of_words(learn, sets.test)[main], MAJORITY: majority(learn, sets.test)[main]}
        found[name] = {body: round(score, ready.DIGITS) for body, score in row.items()}
        print(name, main, found[name], flush=True)
    command = "python -m explorer.training.finetuning features"
    write("features", {"command": command, "train": LEARNT, "scores": found})
