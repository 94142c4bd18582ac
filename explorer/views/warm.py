"""Load what every page needs in the background, once per process, while the first page is drawn."""

import logging
import os
import threading
import time
from contextlib import suppress

import streamlit as st

from explorer.errors import ExplorerError

_started = threading.Event()
_page_drawn = threading.Event()
LEAD_S = 0.4
PATIENCE_S = 30  # how long UMAP waits for a first page that never ends


def start() -> None:
    """Begin to warm up; the second and later calls do nothing.

    Importing torch holds the interpreter for a second or two: the first page's words, and the
    scripts that draw them, are let out to the browser before it.
    """
    if not _started.is_set():
        _started.set()
        _close_doors()
        time.sleep(LEAD_S)
        threading.Thread(target=_warm, name="warm-up", daemon=True).start()


def page_drawn() -> None:
    """Say that a first page stands, so that UMAP's slow import may have the interpreter."""
    _page_drawn.set()


def _close_doors() -> None:
    """On an address that others can reach, typed hub names and folders are off unless asked for."""
    if st.get_option("server.address") not in ("localhost", "127.0.0.1", "::1"):
        os.environ.setdefault("RIVERBANK_OPEN_SOURCES", "0")


def _warm() -> None:
    import torch

    # One thread per forward pass: two on two cores stall for seconds when two visitors ask at once.
    torch.set_num_threads(1)

    import explorer
    from explorer.views import models

    for checkpoint in explorer.available():
        if checkpoint.source == "bundled":
            with suppress(ExplorerError):  # the page that needs it will say what is wrong
                models.get(str(checkpoint)).trace("A first sentence wakes the kernels.")
    _page_drawn.wait(PATIENCE_S)
    try:
        from explorer.analysis import projection

        projection.warm_umap()
    except Exception:  # a map without UMAP is still a map; the page falls back to PCA
        logging.getLogger(__name__).exception("UMAP did not warm up")
