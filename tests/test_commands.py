"""Every command can be asked what it does, and those that the documentation names still run.

A documented command is found by reading, so that a new one is covered without being listed.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from explorer.assets import CHECKOUT
from tests.sources import parse

FOLDERS = ("explorer", "measuring", "tests")
COMMAND = re.compile(r"(?:python|python3) -m ((?:explorer|measuring|training|tests)\b[^`#\n]*)")
# Commands that are not run, by how they begin, and why.
PASSED_OVER = {
    "explorer.commands.cli handout": "takes minutes; tests/views/frame/lecture/test_handout.py writes one",
    "explorer.commands.translations ": "tests/test_locale.py runs it for each language",
    "explorer.commands.wheelhouse": "fetches 500 MB",
    "explorer.fetch ": "fetches models",
    "explorer.model_server": "a server; tests/model_server/test_command.py starts it",
    "explorer.workers": "a server; tests/browser/test_workers.py starts it",
    "tests.browser.firefox": "needs Firefox, which the other tests do not",
    "tests.browser.stage": "tests/browser/test_stage.py walks as it does",
    "tests.browser.sweep": "tests/browser/test_every_view.py sweeps as it does",
    "training ": "runs in an older commit, as docs/recipes.md says",
    "training.card": "runs in an older commit, as docs/training.md says",
    "training.evaluate": "runs in an older commit, as docs/training.md says",
    "training.finetuning": "runs in an older commit, as docs/training.md says",
    "training.grammar": "runs in an older commit, as docs/training.md says",
    "tests.benchmarks.reading_on": "`tests.benchmarks --smoke` runs it",
    "tests.views.home.test_stored": "its own tests compare its files with all that it does",
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
    return "__main__" in path.read_text(encoding="utf-8") and any(
        isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
        for node in parse(path).body
    )


@cache
def documented() -> set[str]:
    """The commands that the documentation names, and the benchmarks that it does not."""
    pages = [*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").rglob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages if page.name != "CHANGELOG.md"]
    commands = {command.strip(" ).;,") for text in texts for command in COMMAND.findall(text)}
    return commands | {name for name in modules() if name.startswith("tests.benchmarks")}


def is_passed_over(command: str) -> bool:
    """Whether a command is not run, for a reason that is given."""
    return any(map(f"{command} ".startswith, PASSED_OVER))


def tried(benchmarks: bool = False) -> list[str]:
    """The commands that are run, benchmarks or others, but for those that another one begins with."""
    commands = {
        command
        for command in documented()
        if command.startswith("tests.benchmarks") == benchmarks and not is_passed_over(command)
    }
    return sorted(one for one in commands if not any(other.startswith(f"{one} ") for other in commands))


# In one process, since what they import takes most of their time. Those that look at the app share one.
TOGETHER = """
import contextlib, io, json, runpy, shlex, sys
from tests.browser import running

_, _, share, *commands = sys.argv
answers = {}
with running.running_app() if share else contextlib.nullcontext() as app:
    if share:
        running.running_app = lambda: contextlib.nullcontext(app)
    for command in commands:
        sys.argv, answer = shlex.split(command), io.StringIO()
        try:
            with contextlib.redirect_stdout(answer):
                runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        except SystemExit as end:
            assert not end.code, (command, end.code, answer.getvalue())
        except Exception as error:
            error.add_note(command)
            raise
        answers[command] = answer.getvalue()
print(json.dumps(answers))
"""


def run(commands: list[str], folder: Path, share: str = "") -> dict[str, str]:
    """What commands print, one after the other in a folder; with `share` one running app is theirs."""
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT), "OMP_NUM_THREADS": "1"}
    program = [sys.executable, "-W", "ignore", "-c", TOGETHER, "--smoke", share, *commands]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


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
    answers = run([f"{name} --help" for name in names], tmp_path)
    silent = {
        command: answer
        for command, answer in answers.items()
        if not answer.startswith("usage: ") or len(answer.split("\n\n")) < 3
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
    commands = [f"{one} --smoke" for one in tried()]
    assert len(commands) > 3 and all(one.startswith("tests.") for one in commands)
    looks = [one.startswith("tests.browser.") for one in commands]
    parts = [[one for one, look in zip(commands, looks) if look == sharing] for sharing in (True, False)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, parts, [tmp_path] * 2, ["share", ""]))
    assert files() == before


@pytest.mark.slow
@pytest.mark.long  # `--help` of each, which imports it, is asked above
@pytest.mark.timeout(900)
def test_the_benchmarks_run(tmp_path):
    before = files()
    run([f"{one} --smoke" for one in tried(benchmarks=True)], tmp_path)
    assert files() == before
