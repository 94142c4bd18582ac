"""Short runs of bert-mini with one part of BERT's training left out, and what each is worth.

    python -m training.ablations --text en-1.txt en-2.txt --held-out en-valid.txt --data labelled

Every run resumes from a folder of its own, and the same command continues with what is missing. The figures
go to assets/ablations.json one by one.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import torch

from explorer.analysis import ablations
from explorer.analysis.ablations import HEADS
from explorer.finetuning.examples import task_of
from explorer.finetuning.sampling import draw
from explorer.finetuning.scores import MAIN
from explorer.models.base import Model
from training.ablations.kinds import TASKS
from training.bert.mini import MiniBert
from training.finetuning import ready
from training.finetuning.data import SETS
from training.metrics.live import live
from training.options import prepare
from training.run.device import faster_in_bf16
from training.run.loop import Budget, Run
from training.text.corpus import Corpus

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


TOKENS = 10_000_000


def main(arguments: list[str] | None = None) -> None:
    """Train and measure each variant, one after the other."""
    p = argparse.ArgumentParser(prog="python -m training.ablations", description=__doc__)
    names = (ablations.RANDOM, *ablations.KINDS)
    p.add_argument("--only", nargs="+", choices=names, default=names, help="some of the runs")
    p.add_argument("--text", type=Path, nargs="+", metavar="PATH", required=True)
    p.add_argument("--held-out", type=Path, metavar="PATH", required=True)
    p.add_argument("--data", type=Path, metavar="FOLDER", required=True, help="the labelled sets")
    p.add_argument("--run", type=Path, default=Path("runs/ablations"), help="states to resume from")
    p.add_argument("--out", type=Path, default=ablations.FILE)
    p.add_argument("--tokens", type=int, default=TOKENS, help="of each run")
    p.add_argument("--threads", type=int, default=1)
    options = p.parse_args(arguments)
    prepare(options.threads)
    budget = {"tokens": options.tokens, "learnt": EXAMPLES, "test": TEST}
    content: dict[str, Any] = json.loads(options.out.read_text("utf-8")) if options.out.exists() else {}
    if content and content | budget != content:
        p.error(f"{options.out} has figures of another budget: give another --out, or delete it.")
    rows = content.get("rows", {})
    for name in options.only:
        if name in rows:
            continue
        trained = name != ablations.RANDOM
        task = train(name, options) if trained else MiniBert(corpus(options), None, options.run)
        rows[name] = measure(task, options.data, trained)
        partial = options.out.with_suffix(".partial")
        partial.write_text(json.dumps(budget | {"rows": rows}, indent=1) + "\n", encoding="utf-8")
        partial.replace(options.out)
        print(name, rows[name], flush=True)


def corpus(options: argparse.Namespace) -> Corpus:
    """Training text."""
    return Corpus.open(options.text, options.run)


def train(name: str, options: argparse.Namespace) -> MiniBert:
    """Task of a variant after its training, in a folder beside the common vocabulary."""
    folder = options.run / re.sub(r"\W+", "-", name).strip("-")
    held_out = Corpus.open([options.held_out], options.run)
    task = TASKS[name](corpus(options), held_out, options.run)
    device = torch.device("cpu")
    Run(task, Budget(tokens=options.tokens), folder, device, bf16=faster_in_bf16(device)).train()
    return task


if __name__ == "__main__":
    main()
