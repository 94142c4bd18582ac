"""`python -m training.probes`: fit the probes that ship, and measure them.

    python -m training.probes --treebank ud_ewt/ --names wikigold.conll.txt --work ~/probes

Each step's result is stored in the work folder, and the same command resumes from there; at the end weights
and figures go to assets/probes. One thread gives the same numbers again.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import explorer
from explorer.analysis.probing.shipped import ARCS
from training.options import prepare
from training.probes import data, writing
from training.probes.steps import (
    OTHER_RANKS,
    OTHER_SEEDS,
    SHIPPED_RANK,
    Step,
    Work,
    arc_steps,
    mix_steps,
    probe_steps,
)
from training.probes.stored_states import StoredStates
from training.probes.tasks import TASKS, Task, task

MODELS = ("word2vec", "elmo", "bert", "bert-mini", "gpt")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(prog="python -m training.probes", description=__doc__)
    p.add_argument(
        "--treebank", type=Path, required=True, help="folder with UD's *train*.conllu, *test*.conllu"
    )
    p.add_argument("--names", type=Path, required=True, help="wikigold.conll.txt")
    p.add_argument("--work", type=Path, required=True, help="for states (gigabytes) and results")
    p.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS), metavar="NAME")
    p.add_argument("--only", default="", metavar="PATTERN", help="steps whose name matches: bert/.*/mix")
    p.add_argument("--write", action="store_true", help="only write what is done to assets/probes")
    return p


def main(arguments: list[str] | None = None) -> None:
    """Run the missing steps, those that ship first."""
    a = parser().parse_args(arguments)
    prepare(threads=1)
    portions = {"treebank": data.treebank(a.treebank), "names": data.names(a.names)}
    tasks = {name: task(name, portions["names" if name == "entity" else "treebank"]) for name in TASKS}
    work = Work(a.work)
    if not a.write:
        a.work.mkdir(parents=True, exist_ok=True)
        stored = {name: _states(name, portions, a.work) for name in a.models}
        steps = _steps(stored, tasks, portions)
        work.run(step for step in steps if re.search(a.only, step[0]))
    writing.write(work, tasks, portions, a.models)


def _states(
    name: str, portions: dict[str, dict[str, data.Portion]], work: Path
) -> dict[str, dict[str, StoredStates]]:
    model = explorer.load(name)
    return {
        source: {
            use: StoredStates(model, portion.sentences, work / f"{name}-{source}-{use}.npy")
            for use, portion in of.items()
        }
        for source, of in portions.items()
    }


def _steps(
    stored: dict[str, dict[str, dict[str, StoredStates]]],
    tasks: dict[str, Task],
    portions: dict[str, dict[str, data.Portion]],
) -> Iterator[Step]:
    def of(name: str, one: Task) -> dict[str, StoredStates]:
        return stored[name]["names" if one.name == "entity" else "treebank"]

    def trees(ranks: Sequence[int], step: str) -> Iterator[Iterator[Step]]:
        return (
            arc_steps(name, portions["treebank"], stored[name]["treebank"], ranks, step) for name in stored
        )

    arcs, ranks = trees([SHIPPED_RANK], ARCS), trees(OTHER_RANKS, "ranks")

    def probes(kind: str, control: bool, seed: int = 0) -> Iterator[Iterator[Step]]:
        return (probe_steps(n, t, of(n, t), kind, control, seed) for t in tasks.values() for n in stored)

    mixes = (mix_steps(n, t, of(n, t)) for t in tasks.values() for n in stored if n != "word2vec")
    ordered = (arcs, probes("linear", True), ranks, mixes, probes("mlp", False), probes("mlp", True))
    again = (probes("mlp", False, seed) for seed in OTHER_SEEDS)
    return chain.from_iterable(chain(probes("linear", False), *ordered, *again))


if __name__ == "__main__":
    main()
