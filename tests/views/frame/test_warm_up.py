"""What is loaded in the background, when, and in which order."""

import gc
import subprocess
import sys
import threading

import pytest

from explorer.analysis import projection
from explorer.checkpoints import bundled
from explorer.errors import CheckpointError
from explorer.views.frame import memory, warm_up
from explorer.views.frame.default_models import WRITER

# In a process of its own, whose server has just started.
LIBRARY = """
from pathlib import Path
from explorer.views.frame import warm_up

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
    assert names[:2] == ["bert", WRITER]
    assert set(names) == {WRITER, *map(str, bundled.shipped())} and len(names) == len(set(names))


@pytest.mark.parametrize("ends", [False, True])
def test_the_first_page_goes_first(monkeypatch, ends):
    warmed = threading.Event()
    for event in ("_drawing", "_drawn_once", "_ending"):
        monkeypatch.setattr(warm_up, event, threading.Event())
    monkeypatch.setattr(warm_up, "DRAWING_S", 0)
    monkeypatch.setattr(warm_up, "_warm", warmed.set)
    thread = threading.Thread(target=warm_up._run)
    monkeypatch.setattr(warm_up, "_thread", thread)
    warm_up.hold()
    warm_up.begin()
    assert not warmed.wait(0.2)
    warm_up.finish() if ends else warm_up.go_on()
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


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux' list of what a process has loaded")
def test_the_library_is_there_before_the_import_that_wants_it():
    process = subprocess.run([sys.executable, "-c", LIBRARY], capture_output=True, text=True, check=True)
    assert process.stdout.split() == ["True", "2"]
