"""Thirty faults that the tests must catch: `python -m tests.faults [NAME ...]`.

Each fault is put into a copy of the code, one at a time, and the tests that should notice are run there.
A line says `caught`, with the first test that failed, or `NOT CAUGHT`. The status is 1 unless all are caught.

    python -m tests.faults                  all of them, some ten minutes on one core
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


def pattern(text: str) -> re.Pattern[str]:
    """Source text, however it is broken into lines: spaces and a trailing comma may come or go."""
    tokens = re.findall(r"\w+|[^\w\s]", text)
    return re.compile(
        r"\s*".join(rf"(?:,\s*)?{re.escape(t)}" if t in ")]}" else re.escape(t) for t in tokens)
    )


def place(fault: Fault, root: Path = ROOT) -> Path:
    """The file that the fault goes into. Raises LookupError unless its source text occurs exactly once."""
    files = [f for folder in SEARCHED for end in ("py", "js") for f in (root / folder).rglob(f"*.{end}")]
    wanted = pattern(fault.good)
    found = [f for f in files for _ in wanted.finditer(f.read_text(encoding="utf-8"))]
    if len(found) != 1:
        where = ", ".join(str(f.relative_to(root)) for f in found) or "nowhere"
        raise LookupError(f"{fault.name}: “{fault.good}” must occur once, and occurs here: {where}")
    return found[0]


def selected(tests: Sequence[str], root: Path = ROOT) -> list[str]:
    """What pytest is to run: the files that define these functions, and the functions by name.

    Raises LookupError where none of them exists.
    """
    texts = {f: f.read_text(encoding="utf-8") for f in sorted((root / "tests").rglob("test_*.py"))}
    found = [str(f) for f, text in texts.items() if any(f"def {test}(" in text for test in tests)]
    if not found:
        raise LookupError(f"no test is called {' or '.join(tests)}")
    return [*found, "-k", " or ".join(tests)]


def copied(to: Path) -> Path:
    """A copy of the code in which faults can be made; the checkpoints are only pointed at."""
    root = to / "code"

    def left_out(folder: str, names: list[str]) -> set[str]:
        large = {"checkpoints"} if Path(folder) == ROOT / "assets" else set()
        return LEFT_OUT(folder, names) | large

    shutil.copytree(ROOT, root, ignore=left_out)
    (root / "assets" / "checkpoints").symlink_to(ROOT / "assets" / "checkpoints")
    return root


def failed(root: Path, tests: Sequence[str]) -> str | None:
    """The first test that fails in a copy, or None. Raises LookupError where nothing was run."""
    command = [sys.executable, "-m", "pytest", *selected(tests, root), "-x", "-q"]
    command += ["-p", "no:cacheprovider", "-p", "no:rerunfailures"]
    # Without compiled files on disk: two versions of one second and one size would be taken for one.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1"}
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=LONGEST)
    if ran.returncode == 0:
        if " passed" not in ran.stdout:
            raise LookupError(f"only skipped: {' or '.join(tests)}")
        return None
    if ran.returncode == 5:
        raise LookupError(f"nothing to run: {' or '.join(tests)}")
    first = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", ran.stdout, re.MULTILINE)
    return first[1] if first else f"pytest itself ({ran.returncode}): {ran.stdout[-300:]}{ran.stderr[-300:]}"


def caught(fault: Fault, root: Path) -> str | None:
    """The first test that notices a fault, or None; afterwards the copy is as it was."""
    path = place(fault, root)
    good = path.read_text(encoding="utf-8")
    try:
        path.write_text(pattern(fault.good).sub(lambda _: fault.bad, good), encoding="utf-8")
        return failed(root, fault.tests)
    finally:
        path.write_text(good, encoding="utf-8")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*(fault.name for fault in FAULTS), []])
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    chosen = [fault for fault in FAULTS if not asked.names or fault.name in asked.names]
    if asked.list:
        for fault in chosen:
            print(f"{fault.name:15} {fault.kind} ({place(fault).relative_to(ROOT)})")
        return 0
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        root = copied(Path(folder))
        if broken := failed(root, [test for fault in chosen for test in fault.tests]):
            parser.exit(1, f"{broken} fails without any fault\n")
        for fault in chosen:
            try:
                by = caught(fault, root)
            except (LookupError, subprocess.TimeoutExpired) as error:
                by, said = None, f"NOT RUN: {error}"
            else:
                said = f"caught by {by}" if by else "NOT CAUGHT"
            missed += by is None
            print(f"{fault.name:15} {said}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} caught")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
