"""A disk without room for what numba compiles: nothing is kept, and what fails all the same is said."""

import errno
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.analysis.projection import umap_warmup
from explorer.errors import ExplorerError
from explorer.system import numba_cache


@pytest.mark.parametrize(("free", "kept"), [(10**9, True), (1000, False)])
def test_without_room_nothing_is_kept(monkeypatch, tmp_path, free, kept):
    monkeypatch.setenv(numba_cache.VARIABLE, str(tmp_path / "not" / "yet"))
    monkeypatch.setattr(numba_cache.shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    assert numba_cache.choose_folder() is kept


def test_a_disk_that_fills_up_meanwhile_is_said(monkeypatch):
    class Full:
        """A UMAP whose functions cannot be written down."""

        def __init__(self, **settings) -> None:
            pass

        def fit_transform(self, vectors):
            """Fails as numba does."""
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(umap_warmup, "_import", lambda: SimpleNamespace(UMAP=Full))
    points = np.zeros((12, 8), dtype=np.float32)
    with pytest.raises(ExplorerError, match="No space left on device"):
        umap_warmup.fit(points, points[:, :2], seed=0)
