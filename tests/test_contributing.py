"""CONTRIBUTING keeps its word: what it adds passes its checks, and a page that is deleted leaves no hole."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = re.findall(r"```python\n(\"{3}.*?)```", TEXT, flags=re.S)  # a block with a docstring is a whole file
((TALLY, MOUNT),) = re.findall(r"```js\n(.*?)```\n\n```python\n(.*?)```", TEXT, flags=re.S)
SAYS, PRESET = re.findall(r"```toml\n(\[.*?)```", TEXT, flags=re.S)
CHECKS = re.findall(r"`pytest ([^`]+)`", TEXT)
SHARED = {"frame", "widgets"}
VIEWS = ROOT / "explorer" / "views"
FOLDERS = sorted(p.name for p in VIEWS.iterdir() if (p / "page.py").exists() and p.name not in SHARED)

START = """
import functools
import sys
from pathlib import Path
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

# AppTest looks through all installed packages at every run of a page.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)
"""

OPEN = """
for name in sys.argv[1:]:
    at = AppTest.from_file(f"pages/{name}.py", default_timeout=300).run()
    assert not at.exception, (name, at.exception)
    tallies = [e for e in at.get("bidi_component") if e.proto.component_name == "riverbank_tally"]
    print(name, [h.value for h in at.title], len(at.get("dataframe")), len(tallies))
"""

# In one process, so that each model is loaded once; what a deletion changes is imported anew.
DELETE = """
import importlib
from contextlib import contextmanager
import explorer.views
from explorer.views.frame import navigation
from explorer.views.widgets import registry

folders = sys.argv[1:]
scripts = {
    folder: next(p for p in Path("pages").glob("*.py") if f"explorer.views.{folder} import" in p.read_text())
    for folder in folders
}
away = Path("away")
away.mkdir()


@contextmanager
def without(*gone):
    moved = [
        (path, path.rename(away / path.name))
        for folder in gone
        for path in (Path("explorer/views") / folder, scripts[folder])
    ]
    for name in [name for name in sys.modules if name.split(".")[:2] == ["explorer", "views"]]:
        if set(name.split(".")).intersection(folders):
            del sys.modules[name]
    for other in folders:
        vars(explorer.views).pop(other, None)
    importlib.invalidate_caches()
    navigation.pages.cache_clear()
    registry.component.cache_clear()
    yield AppTest.from_file("app.py", default_timeout=300).run()
    for path, now in moved:
        now.rename(path)


for folder in folders:
    with without(folder) as at:
        assert not at.exception, (folder, "app", at.exception)
        print(folder, *(page.name for page in navigation.pages()))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's code and the texts and presets of its views, with its other assets linked."""
    for name in ("explorer", "pages", ".streamlit", "assets/views", "assets/presets"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (ROOT / "assets").iterdir():
        if path.name not in ("views", "presets"):
            (tmp_path / "assets" / path.name).symlink_to(path)
    shutil.copy(ROOT / "app.py", tmp_path)
    return tmp_path


def run(program: str, folder: Path, *names: str) -> str:
    """What a program prints in a copy; fails where a page raises."""
    environment = os.environ | {"PYTHONPATH": str(folder), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", START + program, *names]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
def test_page_view_preset_and_family_pass_the_checks_that_the_guide_names(copy):
    page, script, view, promise = FILES
    views, checks = copy / "explorer" / "views", copy / "tests"
    shutil.copytree(ROOT / "tests", checks, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "measuring", "CONTRIBUTING.md"):
        (copy / name).symlink_to(ROOT / name)
    (views / "letters").mkdir()
    for path, text in {
        views / "letters" / "__init__.py": '"""Letters."""\n',
        views / "letters" / "count.py": view,
        views / "letters" / "page.py": page,
        views / "letters" / "tally.js": TALLY,
        views / "elmo" / "count.py": view,
        copy / "pages" / "letters.py": script,
        copy / "assets" / "views" / "letters.toml": SAYS,
        copy / "assets" / "presets" / "letters.toml": PRESET,
        checks / "presets" / "letters.py": promise,
    }.items():
        path.write_text(text, encoding="utf-8")
    models = copy / "explorer" / "models"
    written = (models / "mistral.py").read_text(encoding="utf-8")
    (models / "mymodel.py").write_text(
        written.replace('variant("mistral"', 'variant("mymodel"'), encoding="utf-8"
    )

    assert len(CHECKS) == 3 and all(" NAME" not in check for check in CHECKS)
    check(copy, "ruff", "check", "explorer", "pages", "tests/presets")
    for command in [*CHECKS, "tests/models/test_every_family.py -k mymodel"]:
        check(copy, "pytest", "-q", "-p", "no:cacheprovider", *command.split())

    (copy / "pages" / "letters.py").write_text(script + MOUNT)
    beside = views / "elmo" / "page.py"
    written = beside.read_text(encoding="utf-8")
    assert '{"bilm": bilm' in written
    written = written.replace('{"bilm": bilm', '{"count": count.VIEW, "bilm": bilm')
    beside.write_text(f"from explorer.views.elmo import count\n{written}")
    letters, sides = run(OPEN, copy, "letters", "sides").splitlines()
    assert letters == "letters ['Letters'] 1 1" and sides.startswith("sides ")


def check(folder: Path, *command: str) -> None:
    """One of the guide's checks, in a copy; it must have found something to check."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stdout[-3000:] + done.stderr[-1000:])


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_page_needs_another_ones_folder(folder):
    others = "|".join(name for name in FOLDERS if name != folder)
    for path in (VIEWS / folder).rglob("*.py"):
        found = re.findall(rf"explorer\.views\.(?:{others})\b", path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(ROOT)} imports {set(found)}"
    for path in (*(VIEWS / folder).rglob("*.js"), *(VIEWS / folder).rglob("*.css")):
        assert not re.search(rf'"\.\./(?:{others})/', path.read_text(encoding="utf-8")), path


@pytest.mark.slow
def test_a_page_that_is_deleted_leaves_no_hole(copy):
    """The start page lists and opens the rest without it."""
    lines = [line.split() for line in run(DELETE, copy, *FOLDERS).splitlines()]
    every = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert [folder for folder, *_ in lines] == FOLDERS
    assert all(len(every - set(pages)) == 1 for _, *pages in lines)
