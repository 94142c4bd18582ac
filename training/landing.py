r"""Make anew what belongs to a bundled checkpoint's very weights, after they have changed.

    python -m training.landing bert --held-out en-valid.txt --dev dev --data labelled \
        --work ~/landing

Scores and card, what the heads look at, probes, and for `bert` all that the page Fine-tuning ships: some
hours of one core. Each step is a command of its own, and two of them run at a time, the longest first. What
is done is noted in the work folder for the weights that it was done with: the same command goes on where it
was stopped, and begins again for other weights. Each step's output is in the work folder too.

What only people can do comes after it: the presets' promises (the tests name those that no longer hold), the
golden values (`python -m tests.training.test_golden`), the readings of what `gpt` writes.
"""

import argparse
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from explorer.assets import CHECKPOINTS, HEADS, PROBES, ROOT
from explorer.finetuning import transfer
from training import stored
from training.finetuning import ready
from training.finetuning.data import SETS

TREEBANK, NAMES = "ud_ewt/ud_ewt", "ner/ner/wikigold/CONLL-format/data/wikigold.conll.txt"
LONGEST = ("ready answers", "curves answers", "probes", "ready sst2", "scores", "curves names", "curves rte")


@dataclass(frozen=True)
class Step:
    """What is to be run in order, each a module with its arguments, once the stale files are gone."""

    name: str
    commands: Sequence[Sequence[str]]
    stale: Sequence[Path] = ()  # files that the command would go on with, though they belong to other weights


@dataclass(frozen=True)
class Places:
    """Where text and labelled sets lie, and where it is noted what is done."""

    held_out: Path
    dev: Path
    data: Path
    work: Path
    pairs: Path | None = None  # what a translator learnt from


def steps(name: str, at: Places) -> list[Step]:
    """What belongs to the weights of a bundled checkpoint, the longest first."""
    scores, work = str(at.work / "scores.json"), at.work / "probes"
    measure = ["training.evaluate", name, "--held-out", str(at.held_out), "--dev", str(at.dev)]
    measure += ["--pairs", str(at.pairs)] if at.pairs else []
    found = [
        Step(
            "scores",
            [
                [*measure, "--threads", "1", "--json", scores],
                ["training.card", name, "--scores", scores],
            ],
        )
    ]
    if (HEADS / f"{name}.json").is_file():
        found.append(Step("heads", [["training.heads", name, "--threads", "1"]]))
    if (PROBES / f"{name}.safetensors").is_file():
        given = ["--treebank", str(at.data / TREEBANK), "--names", str(at.data / NAMES), "--work", str(work)]
        found.append(Step("probes", [["training.probes", *given, "--models", name]], [work]))
    if name == "bert" or name in stored.READERS:
        found.append(Step("stored", [["training.stored"]]))
    if name in transfer.ALONE:
        found.append(Step("alone", [["training.bilingual.alone"]]))
    if name == ready.BODY:
        found += _finetuning(at)
    return sorted(found, key=lambda s: LONGEST.index(s.name) if s.name in LONGEST else len(LONGEST))


def _finetuning(at: Places) -> list[Step]:
    def step(name: str, *more: str, stale: Sequence[Path] = ()) -> Step:
        command = ["training.finetuning", *name.split(), "--data", str(at.data), *more]
        return Step(name, [command], stale)

    states = at.work / "states"
    found = [
        step(f"ready {name}", "--state", str(states), stale=[states / f"{name}.state"])
        for name in ready.PLANS
    ]
    found += [step(f"curves {name}") for name in SETS]
    return [*found, step("choices")]


def fingerprint(folder: Path) -> str:
    """Tells one checkpoint's weights from another's, be they a model or a difference to one."""
    files = sorted(folder.glob("*.safetensors"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


@dataclass(frozen=True)
class Landing:
    """The steps of one checkpoint's landing, and what is done of them."""

    steps: Sequence[Step]
    work: Path
    weights: str  # their fingerprint

    def left(self) -> list[Step]:
        """The steps that have not come to their end with these weights."""
        return [step for step in self.steps if self._told(step, "done") != self.weights]

    def run(self, at_once: int = 2) -> list[Step]:
        """Run what is left, so many at a time; returns the steps that failed."""
        self.work.mkdir(parents=True, exist_ok=True)
        left = self.left()
        with ThreadPoolExecutor(at_once) as pool:
            return [step for step, fine in zip(left, pool.map(self._run, left), strict=True) if not fine]

    def _run(self, step: Step) -> bool:
        if self._told(step, "begun") != self.weights:
            for path in step.stale:
                _remove(path)
            self._file(step, "begun").write_text(self.weights)
        with self._file(step, "log").open("a") as log:
            for command in step.commands:
                say(f"{step.name}: {shlex.join(command)}")
                run = [sys.executable, "-m", *command]
                environment = os.environ | {"OMP_NUM_THREADS": "1"}
                if subprocess.run(run, cwd=ROOT, env=environment, stdout=log, stderr=log).returncode:
                    say(f"{step.name} failed: {log.name} says why")
                    return False
        self._file(step, "done").write_text(self.weights)
        say(f"{step.name} is done")
        return True

    def _file(self, step: Step, what: str) -> Path:
        return self.work / f"{step.name.replace(' ', '-')}.{what}"

    def _told(self, step: Step, what: str) -> str:
        file = self._file(step, what)
        return file.read_text() if file.is_file() else ""


def _remove(path: Path) -> None:
    """A file, or a folder with all in it; nothing where there is none."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def say(line: str) -> None:
    """A line of news, in one piece: two steps may have something to say."""
    print(f"{line}\n", end="", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Do what is left of a landing; 0 where everything is done."""
    p = argparse.ArgumentParser(
        prog="python -m training.landing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = sorted(path.parent.name for path in CHECKPOINTS.glob("*/config.json"))
    p.add_argument("name", choices=names, metavar="NAME", help=f"one of: {', '.join(names)}")
    p.add_argument("--held-out", type=Path, required=True, metavar="FILE", help="as for `evaluate`")
    p.add_argument("--dev", type=Path, required=True, metavar="FOLDER", help="as for `evaluate`")
    p.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="the labelled sets")
    p.add_argument("--pairs", type=Path, metavar="FILE", help="as for `evaluate`, of a translator")
    p.add_argument("--work", type=Path, required=True, metavar="FOLDER", help="logs, and what is done")
    p.add_argument("--at-once", type=int, default=2, metavar="N", help="steps at a time, a thread each")
    p.add_argument("--list", action="store_true", help="only say what is left to do")
    a = p.parse_args(arguments)
    given = (a.held_out, a.dev, a.data, a.work, a.pairs)
    at = Places(*(path.absolute() for path in given if path))
    landing = Landing(steps(a.name, at), at.work, fingerprint(CHECKPOINTS / a.name))
    if a.list:
        for step in landing.left():
            say(step.name)
        return 0
    return 1 if landing.run(max(1, a.at_once)) else 0


if __name__ == "__main__":
    sys.exit(main())
