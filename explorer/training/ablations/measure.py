"""What a run with a part left out is worth: its own questions on held-out text, and heads on its vectors."""

from pathlib import Path

import torch

from explorer.analysis.ablations import HEADS, Row
from explorer.finetuning.examples import task_of
from explorer.finetuning.sampling import draw
from explorer.finetuning.scores import MAIN
from explorer.models.base import Model
from explorer.training.bert.mini import MiniBert
from explorer.training.finetuning import ready
from explorer.training.finetuning.data import SETS
from explorer.training.finetuning.frozen import frozen
from explorer.training.metrics.live import live

LEARNT, DRAWS = 1000, 5  # examples of a head, and how many times they are drawn
TEST = 500  # of each test set, the same for all
HELD_OUT = 100_000  # tokens


def row(task: MiniBert, folder: Path) -> Row:
    """All figures of a network as it is now; `folder` has the labelled sets."""
    task.network.eval()
    with torch.no_grad():
        asked = task.held_out(HELD_OUT)
    model = live(task.network, task.backend)
    own = {name: round(asked[name], ready.DIGITS) for name in questions(task) if name in asked}
    return Row(own, {name: heads(model, name, folder) for name in HEADS})


def questions(task: MiniBert) -> list[str]:
    """The measures of what the task was asked in training: no other head of it has learnt anything."""
    return ["masked_top1", "next_word_top1", *(["next_sentence"] if task.follows else [])]


def heads(model: Model, name: str, folder: Path) -> list[float]:
    """The main score of a frozen head (see `frozen`), for each draw of what it learns from."""
    sets = SETS[name](folder)
    test = ready.drawn(sets.test, TEST)
    task = task_of([*sets.train, *test])
    draws = [draw(sets.train, LEARNT, seed) for seed in range(DRAWS)]
    return [round(frozen(model, task, learn, test)[MAIN[task.kind]], ready.DIGITS) for learn in draws]
