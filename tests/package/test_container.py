"""The container's file, read and its steps done here: no container engine is needed.

Its copies exist, and its last stage runs from files that nobody may change.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from explorer.assets import CHECKOUT
from explorer.workers.processes import free_port

FILE = CHECKOUT / "Containerfile"
TEXT = FILE.read_text(encoding="utf-8")
LAST_STAGE = TEXT.rpartition("\nFROM ")[2]
USER = 10001
HADOLINT = Path(sys.executable).with_name("hadolint")
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
# Root without its rights, which must obey the permissions of files.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"] if ROOT else []


def steps(name: str, text: str = TEXT) -> list[str]:
    """The arguments of the instructions with this name, in order."""
    return re.findall(rf"^{name} (.+)$", text, flags=re.M)


def test_it_copies_what_is_there_and_what_the_app_needs():
    copies = [
        part for line in steps("COPY", LAST_STAGE) if "--from" not in line for part in line.split()[:-1]
    ]
    assert all((CHECKOUT / part).exists() for part in copies)
    assert {"app.py", ".streamlit", "explorer", "pages", "assets"} <= set(copies)


def test_it_is_not_root_and_runs_its_health_check_on_its_own_port():
    assert steps("USER") == [str(USER)]
    [port] = steps("EXPOSE")
    assert f"127.0.0.1:{port}/_stcore/health" in steps("HEALTHCHECK")[0]


@pytest.mark.slow
@pytest.mark.skipif(
    not HADOLINT.is_file(), reason="hadolint is not installed: its package is for Linux on x86-64"
)
def test_hadolint_has_nothing_to_say():
    result = subprocess.run([HADOLINT, "--no-color", FILE], capture_output=True, encoding="utf-8")
    assert (result.stdout, result.returncode) == ("", 0)


@pytest.fixture
def app(tmp_path):
    """The files of the last stage, which nobody may change."""
    folder = tmp_path / "app"
    folder.mkdir()
    for line in steps("COPY", LAST_STAGE):
        *sources, to = line.split()
        for source in sources if "--from" not in line else []:
            _copy(CHECKOUT / source, folder / (source if to == "./" else to))
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(path.stat().st_mode & ~0o222)
    yield folder
    for path in paths:
        path.chmod(path.stat().st_mode | 0o200)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt" or (ROOT and not shutil.which("setpriv")), reason="cannot give up rights")
def test_the_app_starts_where_it_can_write_nowhere_but_in_tmp(app, tmp_path):
    (temporary := tmp_path / "tmp").mkdir()
    words = steps("ENV", LAST_STAGE)[0].split()
    variables = dict(word.partition("=")[::2] for word in words)
    variables |= {"PATH": os.environ["PATH"], "HOME": str(temporary), "TMPDIR": str(temporary)}
    writing = [*WITHOUT_RIGHTS, sys.executable, "-c", "open('explorer/written', 'w')"]
    assert subprocess.run(writing, cwd=app, capture_output=True).returncode == 1
    port = free_port()
    [command] = [json.loads(line) for line in steps("CMD") if line.startswith("[")]
    command = [*WITHOUT_RIGHTS, sys.executable, *command[1:], f"--server.port={port}"]
    with subprocess.Popen(command, cwd=app, env=variables, stdout=subprocess.DEVNULL) as server:
        try:
            assert healthy(port)
            assert _status(port, "visitor.example.org") == 421  # a foreign name
        finally:
            server.terminate()


def _copy(source: Path, to: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, to)


def healthy(port: int, seconds: float = 300) -> bool:
    """Whether the app answers its health check within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            return _status(port, "localhost") == 200
        except OSError:
            time.sleep(0.3)
    return False


def _status(port: int, host: str) -> int:
    """The status of the health check, asked under a host name."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/_stcore/health", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code
