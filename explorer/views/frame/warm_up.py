"""Load what every page needs in the background, once per process.

It begins when the first page stands, or a few seconds after the server where nobody has come by then.
"""

import logging
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from explorer.errors import ExplorerError
from explorer.views.frame.default_models import WRITER

if TYPE_CHECKING:
    from explorer.models import LanguageModel

_started, _ending = threading.Event(), threading.Event()
LEAD_S = 0.4
QUIET_S = 3.0  # after the server has started: a browser that it has opened has its first page by then
PATIENCE_S = 5.0  # how long a process that ends waits for what is under way


def let_words_out() -> None:
    """Wait a moment before the first import of torch, which holds the interpreter for a second or two.

    What the page has said so far, and the scripts that draw it, reach the browser meanwhile.
    """
    if "torch" not in sys.modules:
        time.sleep(LEAD_S)


def start() -> None:
    """Begin to warm up; the second and later calls do nothing."""
    if not _started.is_set():
        _started.set()
        _thread.start()


def finish() -> None:
    """Let it end: a thread that the interpreter's end meets in compiled code takes the process with it."""
    _ending.set()
    if _thread.is_alive():
        _thread.join(PATIENCE_S)


def _warm() -> None:
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


def _write(model: "LanguageModel") -> None:
    """As many tokens as it takes until all is there that writes faster (`models.stepping.product`)."""
    from explorer.analysis.generation.steps import Sampling, generate

    list(generate(model, "A first word", Sampling(max_new_tokens=20)))


_thread = threading.Thread(target=_warm, name="warm-up", daemon=True)
