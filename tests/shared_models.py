"""Bundled models that tests share: each is read once, and whoever asks again gets the same one.

A page's tests, its links and the code that it shows load bert a hundred times otherwise, 0.3 s each.
"""

import functools
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import explorer
from explorer.checkpoints import bundled

real = explorer.load


def load(name, progress=None):
    """`explorer.load`, by which a bundled model is read only the first time."""
    shipped = isinstance(name, str) and name in {str(checkpoint) for checkpoint in bundled.available()}
    return model(name) if shipped else real(name, progress)


@functools.cache
def model(name):
    """A bundled model, read once for all tests."""
    return real(name)


@contextmanager
def shared() -> Iterator[None]:
    """Within it, `explorer.load` gives the shared ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explorer, "load", load)
        yield


@pytest.fixture(scope="package", autouse=True)
def models_read_once() -> Iterator[None]:
    """Where a conftest imports it, bundled models are read once for all tests of its folder."""
    with shared():
        yield
