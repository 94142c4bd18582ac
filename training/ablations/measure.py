"""Figures of a run with a part left out: its own tasks on held-out text, and heads on its vectors."""

from pathlib import Path
from typing import Any

import torch

from explorer.analysis.ablations import HEADS
from explorer.finetuning.examples import task_of
from explorer.finetuning.sampling import draw
from explorer.finetuning.scores import MAIN
from explorer.models.base import Model
from training.bert.mini import MiniBert
from training.finetuning import ready
from training.finetuning.data import SETS
from training.metrics.live import live

EXAMPLES, DRAWS = 1000, 5  # training examples of a head, and random draws of them
TEST = 500  # examples of each test set, the same for all
HELD_OUT = 100_000  # tokens


def measure(task: MiniBert, folder: Path, trained: bool = True) -> dict[str, Any]:
    """Row of `explorer.analysis.ablations`; a network that is not `trained` has no tasks of its own."""
    task.network.eval()
    with torch.no_grad():
        figures = task.held_out(HELD_OUT) if trained else {}
    own = {name: round(figures[name], ready.DIGITS) for name in own_figures(task) if name in figures}
    model = live(task.network, task.backend)
    return {"asked": own, "heads": {name: head_scores(model, name, folder) for name in HEADS}}


def own_figures(task: MiniBert) -> list[str]:
    """Figures of the task's own training: its other heads have learnt nothing."""
    return ["masked_top1", "next_word_top1", *(["next_sentence"] if task.follows else [])]


def head_scores(model: Model, name: str, folder: Path) -> list[float]:
    """Main score of a frozen head (see `ready.frozen`), for each draw of its examples."""
    sets = SETS[name](folder)
    test = ready.draw(sets.test, TEST)
    task = task_of([*sets.train, *test])
    main = MAIN[task.kind]
    draws = [draw(sets.train, EXAMPLES, seed) for seed in range(DRAWS)]
    return [round(ready.frozen(model, task, train, test)[main], ready.DIGITS) for train in draws]
