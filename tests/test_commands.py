"""Every command can be asked what it does, and those that the documentation names still run.

A documented command is found by reading, so that a new one is covered without being listed.
"""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer.assets import CHECKOUT

FOLDERS = ("explorer", "measuring", "tests")
COMMAND = re.compile(r"(?:python|python3) -m ((?:explorer|measuring|training|tests)\b[^`#\n]*)")
# Commands that are not run, by how they begin, and why.
PASSED_OVER = {
    "explorer.commands.wheelhouse": "fetches 500 MB",
    "explorer.fetch ": "fetches models",
    "explorer.model_server": "a server; tests/model_server/test_command.py starts it",
    "explorer.workers": "a server; tests/browser/test_workers.py starts it",
    "tests.browser.firefox": "needs Firefox, which the other tests do not",
    "training ": "runs in an older commit, as docs/recipes.md says",
    "training.card": "runs in an older commit, as docs/training.md says",
    "training.evaluate": "runs in an older commit, as docs/training.md says",
    "training.finetuning": "runs in an older commit, as docs/training.md says",
    "training.grammar": "runs in an older commit, as docs/training.md says",
    "measuring.heads": "takes minutes a model; tests/measuring/test_heads.py runs it on a tiny one",
    "measuring.probes": "needs treebanks that do not ship; tests/measuring/probes has small ones",
    "measuring.search": "takes minutes; tests/measuring/test_search.py compares some of its file",
    "measuring.splits": "tests/measuring/test_splits.py compares its files with all that it does",
    "measuring.stored": "takes minutes; tests/test_transfer_sets.py compares its file with the models",
    "measuring.wordnet": "needs a package of Debian",
}


def modules() -> list[str]:
    """The modules that can be run: those with a guard, and each `__main__`, by the name of its package."""
    paths = [path for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*.py")]
    names = [
        ".".join(path.relative_to(CHECKOUT).with_suffix("").parts)
        for path in sorted(paths)
        if path.name == "__main__.py" or is_guarded(path)
    ]
    return [name.removesuffix(".__main__") for name in names]


def is_guarded(path: Path) -> bool:
    """Whether a file has a block for when it is run."""
    source = path.read_text(encoding="utf-8")
    return "__main__" in source and any(
        isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
        for node in ast.parse(source).body
    )


def documented() -> set[str]:
    """The commands that the documentation names, and the benchmarks that it does not."""
    pages = [*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").rglob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages if page.name != "CHANGELOG.md"]
    commands = {command.strip(" ).;,") for text in texts for command in COMMAND.findall(text)}
    return commands | {name for name in modules() if name.startswith("tests.benchmarks")}


def is_passed_over(command: str) -> bool:
    """Whether a command is not run, for a reason that is given."""
    return any(map(command.startswith, PASSED_OVER))


def tried() -> list[str]:
    """The commands that are run, but for those that another one begins with."""
    commands = {command for command in documented() if not is_passed_over(command)}
    return sorted(one for one in commands if not any(other.startswith(f"{one} ") for other in commands))


def run(command: str, folder: Path, *more: str) -> subprocess.CompletedProcess:
    """Run a command in a folder; `PYTHONPATH` is the checkout."""
    words = shlex.split(command)
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-m", *words, *more],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def files() -> dict[Path, tuple[int, int]]:
    """When each file of the checkout was written, and its size, without what Python compiles."""
    paths = [path for name in (*FOLDERS, "assets", "docs") for path in (CHECKOUT / name).rglob("*")]
    kept = [
        path for path in [*paths, *CHECKOUT.iterdir()] if path.is_file() and "__pycache__" not in path.parts
    ]
    return {path: ((status := path.stat()).st_mtime_ns, status.st_size) for path in kept}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_module_that_can_be_run_says_what_it_does_and_changes_nothing(tmp_path):
    before, names = files(), modules()
    assert {
        "explorer.fetch",
        "measuring.stored",
        "tests.browser.firefox",
        "tests.measuring.test_golden",
    } <= set(names)
    with ThreadPoolExecutor(2) as pool:
        answers = dict(zip(names, pool.map(lambda name: run(name, tmp_path, "--help"), names)))
    silent = {
        name: (answer.returncode, answer.stderr[-500:])
        for name, answer in answers.items()
        if answer.returncode
        or not answer.stdout.startswith("usage: ")
        or len(answer.stdout.split("\n\n")) < 3
    }
    assert not silent
    assert files() == before and list(tmp_path.iterdir()) == []


def test_what_is_passed_over_is_documented():
    assert [start for start in PASSED_OVER if not any(one.startswith(start) for one in documented())] == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(900)
@pytest.mark.skipif(
    not shutil.which("chromium-headless-shell") and not shutil.which("chromium"), reason="no Chromium"
)
def test_the_documented_commands_run(tmp_path):
    before = files()
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "own.txt").write_text(
        "We sat on the bank.\nThe bank lent us money.\n", encoding="utf-8"
    )
    commands = [one for one in documented() if not any(f"{one} ".startswith(start) for start in PASSED_OVER)]
    assert len(commands) > 20

    def smoke(command: str) -> subprocess.CompletedProcess:
        return run(command, tmp_path, *(["--smoke"] if command.startswith("tests.") else []))

    with ThreadPoolExecutor(2) as pool:
        results = dict(zip(commands, pool.map(smoke, commands)))
    assert {command: each.stderr[-2000:] for command, each in results.items() if each.returncode} == {}
    assert files() == before
