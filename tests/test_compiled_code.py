"""What numba compiles is kept in a folder of the user's own, or for the process where there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import compiled_code
from explorer.compiled_code import VARIABLE

ROOT = Path(__file__).parents[1]


@pytest.fixture
def unset(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    return monkeypatch


def test_a_folder_of_the_users_own(unset, tmp_path):
    unset.setenv("XDG_CACHE_HOME", str(tmp_path))
    unset.setattr(sys, "platform", "linux")
    compiled_code.choose_folder()
    assert Path(os.environ[VARIABLE]) == tmp_path / "riverbank" / "numba"
    assert not list(tmp_path.iterdir()), "nothing is made before something is compiled"


def test_the_users_setting_counts(unset):
    unset.setenv(VARIABLE, "elsewhere")
    compiled_code.choose_folder()
    assert os.environ[VARIABLE] == "elsewhere"


def test_without_such_a_folder_it_compiles_all_the_same(tmp_path):
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    code = (
        "import os, explorer, numpy\n"
        "from explorer.analysis.draws import soften\n"
        "soften(numpy.zeros((1, 3), 'f4'), numpy.ones(1, 'f4'))\n"
        f"print(os.environ[{VARIABLE!r}], os.path.isdir(os.environ[{VARIABLE!r}]))"
    )
    found = {k: v for k, v in os.environ.items() if k != VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", code], env=found | {"XDG_CACHE_HOME": str(blocked)},
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    folder, there = done.stdout.split()
    assert there == "True"
    assert not Path(folder).exists(), "it is gone with the process"
