"""Load what every page needs in the background, once per process.

PyTorch's largest library is loaded as soon as the server starts. The rest would slow the first page down, so
it waits until that page has been drawn, or until no page has been requested for a few seconds. UMAP, which
no page opens with and which takes the interpreter for seconds, waits until the visitors rest.
"""

import ctypes
import gc
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from explorer.catalogue.manifest import default_model
from explorer.errors import ExplorerError

_drawing, _drawn_once, _ending = threading.Event(), threading.Event(), threading.Event()
_wanted = threading.Event()  # UMAP is, at once
_importing, _imported = threading.Lock(), threading.Event()
ANALYSES = ["attention", "heads", "patching", "pieces", "prediction", "probing", "projection", "senses"]
ANALYSES += ["sentences", "transformer", "translation", "vectors"]
# `explorer.checkpoints` brings the models and the tokenizers.
BACKEND = ["torch", "explorer.checkpoints", "explorer.finetuning"]
BACKEND += [f"explorer.analysis.{name}" for name in ANALYSES]
LEAD_S = 0.3
QUIET_S = 3.0  # seconds after the start, by which a browser that it opened has asked for a page
DRAWING_S = 1.0  # seconds in which a browser fetches the scripts of a picture and draws it
LOOK_S = 0.5
PATIENCE_S = 5.0  # seconds that a process waits for this thread at its end


def yield_to_first_paint() -> None:
    """Import the backend, after a moment in which the page's first words and scripts reach the browser.

    The import holds the interpreter for a second or two.
    """
    if not _imported.is_set():
        if "torch" not in sys.modules:
            time.sleep(LEAD_S)
        import_backend()


def import_backend() -> None:
    """Import torch and the packages of ours that import their own modules, in one thread at a time.

    Of two threads, the one that imports such a package and the one that imports a module of it can each hold
    what the other waits for. Python ends that with an error in one of them: one of the first visitors would
    see it. The many objects are exempt from garbage collection: the collector would go through all of them
    three times during the import, and again later.
    """
    with _importing:
        if _imported.is_set():
            return
        gc.disable()
        try:
            for package in BACKEND:
                import_module(package)
        finally:
            gc.freeze()
            gc.enable()
        _imported.set()


def begin() -> None:
    """Start to warm up, when the server starts; later calls do nothing."""
    if _thread.ident is None:
        _thread.start()


def pause() -> None:
    """A page is being drawn: warm up after it."""
    _drawing.set()


def resume() -> None:
    """A page has been drawn."""
    global _drawn_at
    _drawn_at = time.monotonic()
    _drawn_once.set()


def hurry() -> None:
    """Somebody waits for UMAP."""
    _wanted.set()


def finish() -> None:
    """End the thread: one in compiled code at the interpreter's end would crash the process."""
    for event in (_ending, _drawing, _drawn_once):
        event.set()
    if _thread.is_alive():
        _thread.join(PATIENCE_S)


def _run() -> None:
    if (torch := find_spec("torch")) and torch.origin:
        _load_library(Path(torch.origin).parent)
        _read_ahead(Path(torch.origin).parent)
    import numpy  # noqa: F401  # the part of torch's import that takes a third of a second

    if _drawing.wait(QUIET_S):
        _drawn_once.wait()
        _ending.wait(DRAWING_S)
    if not _ending.is_set():
        _warm()


def _load_library(torch: Path) -> None:
    """Load the largest library in torch's folder, so that the import finds it in memory.

    An import holds the interpreter while hundreds of megabytes are read; a C function called by ctypes does
    not. It returns NULL if there is no such file.
    """
    if suffix := {"linux": "so", "darwin": "dylib"}.get(sys.platform):
        library = torch / "lib" / f"libtorch_cpu.{suffix}"
        ctypes.CDLL(None).dlopen(os.fsencode(library), os.RTLD_NOW)


def _read_ahead(torch: Path) -> None:
    """Ask the system to read ahead the thousand small files that the import will open."""
    if hasattr(os, "posix_fadvise"):
        for folder, _, names in os.walk(torch):
            for name in names:
                if name.endswith(".pyc") or name == "libtorch_python.so":
                    with open(os.path.join(folder, name), "rb", buffering=0) as file:
                        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)


def _warm() -> None:
    import_backend()
    from explorer.checkpoints import bundled
    from explorer.server import memory

    # First those that most pages open with, in the order of the lecture.
    for name in dict.fromkeys(["bert", default_model("writing"), *map(str, bundled.shipped())]):
        if _ending.is_set():
            return
        with suppress(ExplorerError):  # the page that needs it shows the error
            memory.get(name).trace("A first sentence wakes the kernels.")
    memory.write_files()
    gc.freeze()
    _wait_for_rest()
    if _ending.is_set():
        return
    try:
        from explorer.analysis import projection

        projection.warm_umap()
    except Exception:  # the page falls back to PCA
        logging.getLogger(__name__).exception("UMAP did not warm up")
    gc.freeze()


def _wait_for_rest() -> None:
    """Wait until no page has been drawn for QUIET_S, or somebody wants UMAP."""
    while not (_ending.is_set() or _wanted.is_set()) and time.monotonic() < _drawn_at + QUIET_S:
        _wanted.wait(LOOK_S)


_drawn_at = -QUIET_S
_thread = threading.Thread(target=_run, name="warm-up", daemon=True)
