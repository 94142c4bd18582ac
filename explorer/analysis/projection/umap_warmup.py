"""UMAP behind a lock, with its compiled functions cached on disk.

Numba compiles UMAP's functions at their first call, in 10 to 30 seconds. UMAP does not ask numba to cache the
result, so every process would compile it again: while umap is imported, `numba.njit` therefore gets
`cache=True` as its default. The lock is there because some of numba's threading layers end the process if two
threads compute at the same time.
"""

import sys
import threading
from types import ModuleType
from typing import Any

import numpy as np
import torch

from explorer.errors import ExplorerError
from explorer.locale import _
from explorer.system.numba_cache import choose_folder, import_numba, importing

_lock = threading.RLock()
_ready = threading.Event()


def umap_ready() -> bool:
    """Whether UMAP is compiled in this process."""
    return _ready.is_set()


def warm_umap() -> None:
    """Import and compile UMAP, in a background thread, so that no visitor waits for it."""
    if not umap_ready():
        points = np.random.default_rng(0).normal(size=(12, 8)).astype(np.float32)
        fit(points, points[:, :2], seed=0)


def fit(vectors: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    """UMAP's points, on as many axes as `start` has; waits while another thread is fitting.

    Raises ExplorerError if the disk has no room for the compiled functions.
    """
    with _lock:
        umap, threads = _import(), torch.get_num_threads()
        # n_jobs=1 and a seed: the same input gives the same points.
        model = umap.UMAP(
            n_neighbors=min(15, len(vectors) - 1),
            n_components=start.shape[1],
            init=start,
            random_state=seed,
            n_jobs=1,
            min_dist=0.1,
        )
        try:
            points = model.fit_transform(vectors)
        except OSError as error:  # numba writes its cache
            raise ExplorerError(
                _("UMAP could not be made ready: {problem}.", problem=error.strerror or error),
                _("Make room on the disk of Riverbank’s computer, or choose another projection."),
            ) from error
        finally:  # numba gives this thread as many as the machine has cores, and PyTorch has the same pool
            torch.set_num_threads(threads)
        _ready.set()
        return np.asarray(points, dtype=np.float32)


def _import() -> ModuleType:
    if "umap" in sys.modules:
        return sys.modules["umap"]
    with importing:
        return _import_caching()


def _import_caching() -> ModuleType:
    can_cache, numba = choose_folder(), import_numba()
    original = numba.njit

    def cached_njit(*args: Any, **options: Any) -> Any:
        options.setdefault("cache", can_cache)
        return original(*args, **options)

    numba.njit = cached_njit
    try:
        import umap
    finally:
        numba.njit = original
    module: ModuleType = umap
    return module
