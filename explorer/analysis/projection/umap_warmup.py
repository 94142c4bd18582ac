"""UMAP behind one lock, with its compiled functions kept on disk.

UMAP's functions are compiled by numba at their first call: 10 to 30 seconds. UMAP does not ask
numba to keep the result, so it would be compiled again in every process; while umap is imported,
`numba.njit` is therefore given `cache=True` as its default. One lock, because some of numba's
threading layers end the process when two threads compute at the same time.
"""

import sys
import threading
from types import ModuleType
from typing import Any

import numpy as np

from explorer.errors import ExplorerError
from explorer.numba_cache import choose_folder

_lock = threading.RLock()
_ready = threading.Event()


def ready() -> bool:
    """Whether a first fit has been made in this process."""
    return _ready.is_set()


def warm() -> None:
    """Make a first small fit, which imports and compiles all that later ones need."""
    if not ready():
        points = np.random.default_rng(0).normal(size=(12, 8)).astype(np.float32)
        fit(points, points[:, :2], seed=0)


def fit(vectors: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    """Points for vectors, on as many axes as their start has; waits while another thread is at it.

    Raises ExplorerError where the disk has no room for what is compiled.
    """
    with _lock:
        umap = _import()
        # n_jobs=1 and a seed: the same input gives the same picture.
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
        except OSError as error:  # numba writes down what it compiles
            raise ExplorerError(
                f"UMAP could not be made ready: {error.strerror or error}.",
                "Make room on the disk of Riverbank’s computer, or choose another projection.",
            ) from error
        _ready.set()
        return np.asarray(points, dtype=np.float32)


def _import() -> ModuleType:
    if "umap" in sys.modules:
        return sys.modules["umap"]
    kept = choose_folder()  # before numba is imported
    import numba

    plain = numba.njit

    def keeping(*args: Any, **options: Any) -> Any:
        options.setdefault("cache", kept)
        return plain(*args, **options)

    numba.njit = keeping
    try:
        import umap
    finally:
        numba.njit = plain
    found: ModuleType = umap
    return found
