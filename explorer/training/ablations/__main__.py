"""Short runs of bert-mini in which one part of BERT's training is left out, and what each is worth.

    python -m explorer.training.ablations --text en-1.txt en-2.txt --held-out en-valid.txt --data labelled

Every run keeps its state in a folder of its own, and a finished one is kept: the same command goes on. The
figures go to assets/ablations.json as they come.
"""

import argparse
import json
import logging
import re
from pathlib import Path
from typing import Any

import torch

from explorer.analysis import ablations
from explorer.training.ablations.kinds import TASKS
from explorer.training.ablations.measure import LEARNT, TEST, row
from explorer.training.bert.mini import MiniBert
from explorer.training.run.allocator import keep_freed_memory
from explorer.training.run.loop import Run
from explorer.training.run.precision import faster_in_bf16
from explorer.training.run.watched import Budget
from explorer.training.text.corpus import Corpus

TOKENS = 10_000_000


def main(arguments: list[str] | None = None) -> None:
    """Train and measure each, one after the other."""
    p = argparse.ArgumentParser(prog="python -m explorer.training.ablations", description=__doc__)
    names = (ablations.RANDOM, *ablations.KINDS)
    p.add_argument("--only", nargs="+", choices=names, default=names, help="some of the runs")
    p.add_argument("--text", type=Path, nargs="+", metavar="PATH", required=True)
    p.add_argument("--held-out", type=Path, metavar="PATH", required=True)
    p.add_argument("--data", type=Path, metavar="FOLDER", required=True, help="the labelled sets")
    p.add_argument("--run", type=Path, default=Path("runs/ablations"), help="states to resume from")
    p.add_argument("--out", type=Path, default=ablations.FILE)
    p.add_argument("--tokens", type=int, default=TOKENS, help="of each run")
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    keep_freed_memory()
    torch.set_num_threads(a.threads)
    if a.out.exists() and {**(stored := read(a.out)), **budget(a)} != stored:
        p.error(f"{a.out} has figures of another budget: give another --out, or delete it.")
    for name in a.only:
        if name in rows(a.out):
            continue
        task = untrained(a) if name == ablations.RANDOM else trained(name, a)
        measured = row(task, a.data)
        own = {} if name == ablations.RANDOM else measured.pretraining  # random weights were not trained
        found = {"asked": own, "heads": measured.heads}
        # Read anew: another process may have measured another run meanwhile.
        told = budget(a) | {"rows": rows(a.out) | {name: found}}
        partial = a.out.with_suffix(".partial")
        partial.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        partial.replace(a.out)
        print(name, found, flush=True)


def rows(out: Path) -> dict[str, Any]:
    """What is measured already, by run."""
    return dict(read(out)["rows"]) if out.exists() else {}


def read(out: Path) -> dict[str, Any]:
    """The file of the figures."""
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def budget(a: argparse.Namespace) -> dict[str, int]:
    """What all rows of a file have in common."""
    return {"tokens": a.tokens, "learnt": LEARNT, "test": TEST}


def untrained(a: argparse.Namespace) -> MiniBert:
    """The network that all begin with."""
    return MiniBert(Corpus.open(a.text, a.run), None, a.run)


def trained(name: str, a: argparse.Namespace) -> MiniBert:
    """The task whose network has read its tokens, in a folder of its own beside the others' vocabulary."""
    folder = a.run / re.sub(r"\W+", "-", name).strip("-")
    corpus, held_out = Corpus.open(a.text, a.run), Corpus.open([a.held_out], a.run)
    task = TASKS[name](corpus, held_out, a.run)
    device = torch.device("cpu")
    Run(task, Budget(tokens=a.tokens), folder, device, bf16=faster_in_bf16(device)).train()
    return task


if __name__ == "__main__":
    main()
