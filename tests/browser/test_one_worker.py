"""All browser tests run in one worker: two servers and two Chromiums on two cores would slow each other."""

import os

import pytest


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="there is one process")
def test_xdist_has_read_the_group(request):
    assert request.node.nodeid.endswith("@browser")
