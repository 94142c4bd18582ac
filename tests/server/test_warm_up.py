"""What is loaded in the background, when, and in which order."""

import ast
import gc
import subprocess
import sys
import threading
from pathlib import Path
from unittest.mock import MagicMock

import pytest

import explorer
from explorer.analysis import projection
from explorer.catalogue.manifest import default_model
from explorer.checkpoints import bundled
from explorer.errors import CheckpointError
from explorer.server import memory, warm_up

ROOT = Path(explorer.__file__).parent.parent

# In a process of its own, whose server has just started.
LIBRARY = """
from pathlib import Path
from explorer.server import warm_up

warm_up.finish()
warm_up.begin()
warm_up._thread.join()
print("libtorch_cpu" in Path("/proc/self/maps").read_text())
import torch
print(int(torch.ones(2).sum()))
"""


def test_the_models_that_most_pages_open_with_come_first(monkeypatch):
    names = []

    def get(name):
        names.append(name)
        raise CheckpointError("It is damaged.")

    monkeypatch.setattr(memory, "get", get)
    monkeypatch.setattr(projection, "warm_umap", lambda: None)
    monkeypatch.setattr(warm_up, "_ending", threading.Event())
    monkeypatch.setattr(gc, "freeze", lambda: None)
    warm_up._warm()
    writer = default_model("writing")
    assert names[:2] == ["bert", writer]
    assert set(names) == {writer, *map(str, bundled.shipped())} and len(names) == len(set(names))


@pytest.mark.parametrize("ends", [False, True])
def test_the_first_page_goes_first(monkeypatch, ends):
    warmed = threading.Event()
    for event in ("_drawing", "_drawn_once", "_ending"):
        monkeypatch.setattr(warm_up, event, threading.Event())
    monkeypatch.setattr(warm_up, "DRAWING_S", 0)
    monkeypatch.setattr(warm_up, "_warm", warmed.set)
    thread = threading.Thread(target=warm_up._run)
    monkeypatch.setattr(warm_up, "_thread", thread)
    warm_up.pause()
    warm_up.begin()
    assert not warmed.wait(0.2)
    warm_up.finish() if ends else warm_up.resume()
    thread.join(10)
    assert warmed.is_set() is not ends


def test_it_begins_where_nobody_comes(monkeypatch):
    warmed = threading.Event()
    monkeypatch.setattr(warm_up, "_drawing", threading.Event())
    monkeypatch.setattr(warm_up, "_ending", threading.Event())
    monkeypatch.setattr(warm_up, "QUIET_S", 0)
    monkeypatch.setattr(warm_up, "_warm", warmed.set)
    warm_up._run()
    assert warmed.is_set()


@pytest.mark.parametrize("comes", ["rest", "wish", "end"])
def test_umap_waits_until_visitors_rest_or_somebody_wants_it(monkeypatch, comes):
    for event in ("_wanted", "_ending", "_drawing", "_drawn_once"):
        monkeypatch.setattr(warm_up, event, threading.Event())
    compiled = threading.Event()
    monkeypatch.setattr(warm_up, "QUIET_S", 60)
    monkeypatch.setattr(warm_up, "LOOK_S", 0.01)
    monkeypatch.setattr(warm_up, "_drawn_at", 0.0)
    monkeypatch.setattr(memory, "get", MagicMock())
    monkeypatch.setattr(memory, "write_files", lambda: None)
    monkeypatch.setattr(projection, "warm_umap", compiled.set)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    warm_up.resume()
    thread = threading.Thread(target=warm_up._warm)
    thread.start()
    assert not compiled.wait(0.3)
    if comes == "rest":
        monkeypatch.setattr(warm_up, "QUIET_S", 0)
    else:
        warm_up.hurry() if comes == "wish" else warm_up._ending.set()
    thread.join(10)
    assert not thread.is_alive() and compiled.is_set() == (comes != "end")


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux' list of what a process has loaded")
def test_the_library_is_there_before_the_import_that_wants_it():
    process = subprocess.run([sys.executable, "-c", LIBRARY], capture_output=True, text=True, check=True)
    assert process.stdout.split() == ["True", "2"]


# Two of the first visitors, one of whose views needs a package, and the other's a module of it. What looks
# for a file takes a while, as on a disk that is slow.
TWO_VISITORS = """
import sys, threading, time
from importlib import import_module
from explorer.server import warm_up

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("explorer.analysis.attention"):
            time.sleep(0.05)

sys.meta_path.insert(0, Slow())
warm_up.LEAD_S = 0
start, errors = threading.Barrier(2), []

def visit(name, later):
    start.wait()
    time.sleep(later)
    try:
        warm_up.yield_to_first_paint()
        import_module(name)
    except Exception as error:
        errors.append(error)

names = [("explorer.analysis.attention", 0.0), ("explorer.analysis.attention.weights", 0.02)]
visitors = [threading.Thread(target=visit, args=each) for each in names]
for visitor in visitors:
    visitor.start()
for visitor in visitors:
    visitor.join()
print(errors)
"""


def test_two_first_visitors_do_not_wait_for_each_others_imports():
    process = subprocess.run([sys.executable, "-c", TWO_VISITORS], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "[]"


def imports_its_own(package: Path) -> bool:
    """Whether a package imports modules of its own as soon as it is imported."""
    name = ".".join(package.relative_to(ROOT).parts)
    statements = ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
    modules = [each.module or "" for each in statements if isinstance(each, ast.ImportFrom)]
    return any(f"{module}.".startswith(f"{name}.") for module in modules)


def test_each_package_that_imports_its_own_modules_is_imported_with_the_backend():
    folders = [path.parent for path in (ROOT / "explorer").glob("*/**/__init__.py")]
    names = [".".join(folder.relative_to(ROOT).parts) for folder in folders if imports_its_own(folder)]
    assert "explorer.analysis.attention" in names and "explorer.models" in names
    script = "from explorer.server import warm_up; warm_up.import_backend(); import sys; "
    script += f"print([name for name in {names} if name not in sys.modules])"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "[]"
