"""Sixty faults that the tests must catch: `python -m tests.faults [NAME ...]`.

Each fault is put into a copy of the code, one at a time, and the tests that should notice are run there.
Fast tests run first, and those marked `slow` where no fast one fails. A line says `caught`, with the first
test that failed and whether it is fast, or `NOT CAUGHT`. The status is 1 unless all are caught.

    python -m tests.faults                  all of them, some fifteen minutes on one core
    python -m tests.faults scale undo       two of them
    python -m tests.faults --list           their names, their kinds, where they lie

A fault is a piece of source text, which must occur once in explorer/ or assets/, and what takes its place;
spaces, line ends and trailing commas do not matter. Tests are named by their functions. So files and tests
may move. Where the code itself has changed, write the same mistake into the new code: faults are kept.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.fault_list import FAULTS, Fault

ROOT = Path(__file__).parents[1]
SEARCHED = ("explorer", "assets")
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "node_modules")
LONGEST = 600  # seconds that one run of pytest may take
TIERS = {"fast": (), "slow": ("-m", "slow")}  # what pytest is told to run the tests of each


def pattern(text: str) -> re.Pattern[str]:
    """Source text, however it is broken into lines: spaces and a trailing comma may come or go."""
    tokens = re.findall(r"\w+|[^\w\s]", text)
    return re.compile(
        r"\s*".join(rf"(?:,\s*)?{re.escape(t)}" if t in ")]}" else re.escape(t) for t in tokens)
    )


def place(fault: Fault, root: Path = ROOT) -> Path:
    """The file that the fault goes into. Raises LookupError unless its source text occurs exactly once."""
    files = [f for folder in SEARCHED for end in ("py", "js") for f in (root / folder).rglob(f"*.{end}")]
    source, word = pattern(fault.good), max(re.findall(r"\w+", fault.good), key=len)
    texts = {f: text for f in files if word in (text := f.read_text(encoding="utf-8"))}
    places = [f for f, text in texts.items() for _ in source.finditer(text)]
    if len(places) != 1:
        where = ", ".join(str(f.relative_to(root)) for f in places) or "nowhere"
        raise LookupError(f"{fault.name}: “{fault.good}” must occur once, and occurs here: {where}")
    return places[0]


def selection(tests: Sequence[str], root: Path = ROOT) -> list[str]:
    """What pytest is to run: the files that define these functions, and the functions by name.

    Raises LookupError where none of them exists.
    """
    texts = {f: f.read_text(encoding="utf-8") for f in sorted((root / "tests").rglob("test_*.py"))}
    files = [str(f) for f, text in texts.items() if any(f"def {test}(" in text for test in tests)]
    if not files:
        raise LookupError(f"no test is called {' or '.join(tests)}")
    return [*files, "-k", " or ".join(tests)]


def copy_code(to: Path) -> Path:
    """A copy of the code in which faults can be made; the checkpoints are only pointed at."""
    root = to / "code"

    def left_out(folder: str, names: list[str]) -> set[str]:
        large = {"checkpoints"} if Path(folder) == ROOT / "assets" else set()
        return LEFT_OUT(folder, names) | large

    shutil.copytree(ROOT, root, ignore=left_out)
    (root / "assets" / "checkpoints").symlink_to(ROOT / "assets" / "checkpoints")
    return root


def failure(root: Path, tests: Sequence[str], tier: str) -> str | None:
    """The first test of a tier that fails in a copy, or None. Raises LookupError where the tier runs none."""
    command = [sys.executable, "-m", "pytest", *selection(tests, root), *TIERS[tier], "-x", "-q"]
    command += ["-p", "no:cacheprovider", "-p", "no:rerunfailures"]
    # Without compiled files on disk: two versions of one second and one size would be taken for one.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1"}
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=LONGEST)
    if run.returncode == 5 or (run.returncode == 0 and " passed" not in run.stdout):
        raise LookupError(f"none is run, or all are skipped: {' or '.join(tests)}")
    if run.returncode == 0:
        return None
    first = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", run.stdout, re.MULTILINE)
    return first[1] if first else f"pytest itself ({run.returncode}): {run.stdout[-300:]}{run.stderr[-300:]}"


def first_failure(root: Path, tests: Sequence[str]) -> tuple[str, str] | None:
    """The tier and the first test that fails in a copy, fast ones before slow ones, or None.

    Raises LookupError where neither tier runs any.
    """
    errors = []
    for tier in TIERS:
        try:
            if test := failure(root, tests, tier):
                return tier, test
        except LookupError as error:
            errors.append(error)
    if len(errors) == len(TIERS):
        raise errors[0]
    return None


def detection(fault: Fault, root: Path) -> tuple[str, str] | None:
    """The tier and the first test that notices a fault, or None; afterwards the copy is as it was."""
    path = place(fault, root)
    good = path.read_text(encoding="utf-8")
    try:
        path.write_text(pattern(fault.good).sub(lambda _: fault.bad, good), encoding="utf-8")
        return first_failure(root, fault.tests)
    finally:
        path.write_text(good, encoding="utf-8")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*(fault.name for fault in FAULTS), []])
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    faults = [fault for fault in FAULTS if not arguments.names or fault.name in arguments.names]
    if arguments.list:
        for fault in faults:
            print(f"{fault.name:15} {fault.kind} ({place(fault).relative_to(ROOT)})")
        return 0
    tiers = []
    with tempfile.TemporaryDirectory() as folder:
        root = copy_code(Path(folder))
        if problem := first_failure(root, [*dict.fromkeys(test for fault in faults for test in fault.tests)]):
            parser.exit(1, f"{problem[1]} fails without any fault\n")
        for fault in faults:
            line = "NOT CAUGHT"
            try:
                if catch := detection(fault, root):
                    tiers.append(catch[0])
                    line = "caught by {} test {}".format(*catch)
            except (LookupError, subprocess.TimeoutExpired) as error:
                line = f"NOT RUN: {error}"
            print(f"{fault.name:15} {line}", flush=True)
    print(f"{len(tiers)} of {len(faults)} caught, {tiers.count('fast')} of them by the fast tests")
    return int(len(tiers) < len(faults))


if __name__ == "__main__":
    sys.exit(main())
