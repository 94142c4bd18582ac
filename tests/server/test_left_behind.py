"""Nothing that was typed is left in the process once everybody has gone."""

import json
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_no_object_holds_what_was_typed_once_everybody_has_left():
    process = subprocess.run(
        [sys.executable, "-m", "tests.server.left_behind"], capture_output=True, text=True, timeout=600
    )
    assert process.returncode == 0, process.stderr[-2000:]
    result = json.loads(process.stdout.splitlines()[-1])
    assert result["planted"] == [1, 2, 3], "a function's cache, a dictionary of strings, a frozen object"
    assert result["there"] and not result["left"]
