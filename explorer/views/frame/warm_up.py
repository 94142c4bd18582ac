"""Load what every page needs in the background, once per process.

PyTorch's largest library is loaded as soon as the server starts. The rest takes the interpreter from those
who are answered meanwhile, so it waits for the first page to stand; where nobody has come a few seconds after
the server, it waits for nobody.
"""

import ctypes
import gc
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.errors import ExplorerError
from explorer.views.frame.default_models import WRITER

if TYPE_CHECKING:
    from explorer.models import LanguageModel

_drawing, _standing, _ending = threading.Event(), threading.Event(), threading.Event()
LEAD_S = 0.3
QUIET_S = 3.0  # after the server has started: a browser that it has opened has asked for a page by then
DRAWING_S = 1.0  # in which a browser fetches the scripts of a page's picture, and draws it
PATIENCE_S = 5.0  # how long a process that ends waits for what is under way


def let_words_out() -> None:
    """Wait a moment before the first import of torch, which holds the interpreter for a second or two.

    What the page has said so far, and the scripts that draw it, reach the browser meanwhile.
    """
    if "torch" not in sys.modules:
        time.sleep(LEAD_S)
        import_torch()


def import_torch() -> None:
    """Import torch and keep its objects from the garbage collector, for which they are too many.

    Three times it would look through them all during the import, and now and then for ever after.
    """
    gc.disable()
    try:
        import torch  # noqa: F401
    finally:
        gc.freeze()
        gc.enable()


def begin() -> None:
    """Begin to warm up, with the server; the second and later calls do nothing."""
    if _thread.ident is None:
        _thread.start()


def hold() -> None:
    """A page is being drawn: let it go first."""
    _drawing.set()


def go_on() -> None:
    """A page stands."""
    _standing.set()


def finish() -> None:
    """Let it end: a thread that the interpreter's end meets in compiled code takes the process with it."""
    for event in (_ending, _drawing, _standing):
        event.set()
    if _thread.is_alive():
        _thread.join(PATIENCE_S)


def _run() -> None:
    if (torch := find_spec("torch")) and torch.origin:
        _load_library(Path(torch.origin).parent)
        _read_ahead(Path(torch.origin).parent)
    import numpy  # noqa: F401  # the part of torch's import that takes a third of a second

    if _drawing.wait(QUIET_S):
        _standing.wait()
        _ending.wait(DRAWING_S)
    if not _ending.is_set():
        _warm()


def _load_library(torch: Path) -> None:
    """Let the system load the largest library in torch's folder, which the import finds in memory then.

    An import would hold the interpreter until the disk has given some hundred megabytes. A function of C that
    is called through ctypes does not; it returns nothing where there is no such file.
    """
    if suffix := {"linux": "so", "darwin": "dylib"}.get(sys.platform):
        library = torch / "lib" / f"libtorch_cpu.{suffix}"
        ctypes.CDLL(None).dlopen(os.fsencode(library), os.RTLD_NOW)


def _read_ahead(torch: Path) -> None:
    """Ask the system for what else the import reads, some thousand small files, before it comes to them."""
    if hasattr(os, "posix_fadvise"):
        for folder, _, names in os.walk(torch):
            for name in names:
                if name.endswith(".pyc") or name == "libtorch_python.so":
                    with open(os.path.join(folder, name), "rb", buffering=0) as file:
                        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)


def _warm() -> None:
    import_torch()
    from explorer.checkpoints import bundled
    from explorer.trace import Ability
    from explorer.views.frame import memory

    writers = []
    # First those that most pages open with, in the order of the lecture.
    for name in dict.fromkeys(["bert", WRITER, *map(str, bundled.shipped())]):
        if _ending.is_set():
            return
        with suppress(ExplorerError):  # the page that needs it will say what is wrong
            model = memory.get(name)
            model.trace("A first sentence wakes the kernels.")
            if Ability.GENERATE in model.abilities:
                writers.append(model)
    for model in writers:
        if not _ending.is_set():
            _write(model)
    try:
        from explorer.analysis import projection

        projection.warm_umap()
    except Exception:  # a map without UMAP is still a map; the page falls back to PCA
        logging.getLogger(__name__).exception("UMAP did not warm up")
    gc.freeze()


def _write(model: "LanguageModel") -> None:
    """As many tokens as it takes until all is there that writes faster (`models.stepping.product`)."""
    from explorer.analysis.generation.steps import Sampling, generate

    list(generate(model, "A first word", Sampling(max_new_tokens=20)))


_thread = threading.Thread(target=_run, name="warm-up", daemon=True)
