"""Before pytest reads anything of explorer: its shapes and types are checked as its functions are called.

That doubles the time of a test that computes. So it is done in the examples of docstrings, which call nearly
all that is public, and in the tests of the rest: whether an annotation tells the truth is seen at one call as
well as at a hundred.
"""

from pathlib import Path

import pytest

from tests import shape_checks

ROOT = Path(__file__).parent
shape_checks.install()


def pytest_configure(config):
    """Workers take groups in the order of the tests, which is set below, not by how many tests each has."""
    config.option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)  # before pytest reads the marks, and xdist the groups
def pytest_collection_modifyitems(items):
    """What asks about weights is slow; tests of one folder run in one worker, so that they share models.

    Those in a browser are the last: many short groups, so that the workers end together, and from the first
    of them on Playwright's loop runs in the worker.
    """
    items.sort(key=lambda item: ROOT / "tests" / "browser" in item.path.parents)
    for item in items:
        if item.get_closest_marker("weights"):
            item.add_marker("slow")
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(str(item.path.parent.relative_to(ROOT))))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """The checks are on while a test runs that they are for, its fixtures included."""
    with shape_checks.switched(on=shape_checks.wanted(item.path)):
        return (yield)


@pytest.fixture
def shared_models():
    """`explorer.load` gives the bundled model that an earlier example has loaded."""
    from tests import shared_models

    with shared_models.shared():
        yield


@pytest.fixture(autouse=True)
def docstrings_share_models(request):
    """The examples of docstrings take no fixture by name; docs/api/index.md says what all of them import."""
    if isinstance(request.node, pytest.DoctestItem):
        import torch

        import explorer

        request.node.dtest.globs.update(explorer=explorer, torch=torch)
        request.getfixturevalue("shared_models")
