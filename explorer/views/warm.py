"""Load what every page needs in the background, once per process, when the first page stands."""

import logging
import sys
import threading
import time
from contextlib import suppress

from explorer.errors import ExplorerError

_started = threading.Event()
LEAD_S = 0.4


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
        threading.Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    import explorer
    from explorer.views import models

    for checkpoint in explorer.available():
        if checkpoint.source == "bundled":
            with suppress(ExplorerError):  # the page that needs it will say what is wrong
                models.get(str(checkpoint)).trace("A first sentence wakes the kernels.")
    try:
        from explorer.analysis import projection

        projection.warm_umap()
    except Exception:  # a map without UMAP is still a map; the page falls back to PCA
        logging.getLogger(__name__).exception("UMAP did not warm up")
