"""What numba compiles is kept in a folder of the user's own, or else for the process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.system.numba_cache import VARIABLE, choose_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def unset(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    return monkeypatch


def test_a_folder_of_the_users_own(unset, tmp_path):
    unset.setenv("XDG_CACHE_HOME", str(tmp_path))
    unset.setattr(sys, "platform", "linux")
    choose_folder()
    assert Path(os.environ[VARIABLE]) == tmp_path / "riverbank" / "numba"
    assert not list(tmp_path.iterdir()), "nothing is made before something is compiled"


def test_the_users_setting_counts(unset):
    unset.setenv(VARIABLE, "elsewhere")
    choose_folder()
    assert os.environ[VARIABLE] == "elsewhere"


@pytest.mark.slow
def test_without_such_a_folder_it_compiles_all_the_same(tmp_path):
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    (tmp_path / "small.py").write_text(
        "from numba import njit\n\n@njit(cache=True)\ndef f(x): return x + 1\n"
    )
    code = (
        "import os\n"
        "from explorer.system.numba_cache import choose_folder\n"
        "choose_folder()\n"
        "import small\n"
        "small.f(1)\n"
        f"folder = os.environ[{VARIABLE!r}]\n"
        "print(folder, bool(os.listdir(folder)))"
    )
    found = {k: v for k, v in os.environ.items() if k != VARIABLE}
    found |= {"XDG_CACHE_HOME": str(blocked), "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=found, cwd=ROOT, capture_output=True, text=True, check=True
    )
    folder, there = done.stdout.split()
    assert there == "True"
    assert not Path(folder).exists(), "it is gone with the process"
