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


@pytest.fixture(autouse=True)
def examples_share_models(request, monkeypatch):
    """`explorer.load` in an example of a docstring gives the model that an earlier one has loaded."""
    if isinstance(request.node, pytest.DoctestItem):
        import explorer

        monkeypatch.setattr(explorer, "load", _loaded)


@pytest.fixture
def unchecked():
    """No checks for once: what explorer itself says to values of a wrong type, as outside of tests."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
