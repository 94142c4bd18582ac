"""Before pytest reads anything of explorer: its shapes and types are checked as its functions are called."""

import functools

import jaxtyping
import pytest

from tests import shape_checks

shape_checks.install()


@functools.cache
def _loaded(name):
    from explorer import checkpoints

    return checkpoints.load(name)


@pytest.fixture
def shared_models(monkeypatch):
    """`explorer.load` gives the model that an earlier example has loaded."""
    import explorer

    monkeypatch.setattr(explorer, "load", _loaded)


@pytest.fixture(autouse=True)
def docstrings_share_models(request):
    """The examples of docstrings take no fixture by name."""
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("shared_models")


@pytest.fixture
def unchecked():
    """No checks for once: what explorer itself says to values of a wrong type, as outside of tests."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
