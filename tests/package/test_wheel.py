"""The two wheels alone, in an environment without the checkout: the app starts, and the README's Python runs.

The packages that it needs are those of this environment, so nothing is downloaded.
"""

import re
import subprocess
import sys
import sysconfig
import time
import urllib.request
import venv
from pathlib import Path

import pytest

import explorer
from explorer.assets import ASSETS, CHECKOUT
from explorer.commands import wheelhouse
from explorer.workers.processes import free_port

pytestmark = pytest.mark.slow
SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The scripts of an environment into which both wheels are installed."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # pip reads it as --no-build-isolation
        wheels = wheelhouse.write_own(folder)
    venv.create(folder / "env")
    scripts = folder / "env" / SCRIPTS
    into = [sys.executable, "-m", "pip", "--python", str(scripts / "python")]
    subprocess.run([*into, "install", "--quiet", "--no-deps", *map(str, wheels)], check=True)
    question = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([scripts / "python", "-c", question], check=True, capture_output=True, text=True)
    (Path(site.stdout.strip()) / "packages.pth").write_text(sysconfig.get_path("purelib"))
    return scripts


def test_the_app_starts_and_answers(installed, tmp_path):
    port = free_port()
    command = [installed / "riverbank", "--headless", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as server:
        try:
            assert _answer(f"http://127.0.0.1:{port}/_stcore/health") == "ok"
            assert "<title>" in _answer(f"http://127.0.0.1:{port}/")
        finally:
            server.terminate()


def test_the_command_knows_its_version_and_that_all_is_there(installed, tmp_path):
    command = [installed / "riverbank", "--version"]
    result = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert result.stdout == f"riverbank {explorer.__version__}\n"
    command = [installed / "riverbank", "doctor", "--port", str(free_port())]
    result = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert str(installed.parent) in result.stdout and "Weights missing" not in result.stdout


def test_both_wheels_hold_every_file_of_the_assets(installed):
    (site,) = installed.parent.glob("**/explorer/app/assets")
    there = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    assert there == {str(path.relative_to(ASSETS)) for path in ASSETS.rglob("*") if path.is_file()}


def test_the_readme_s_python_runs_and_it_is_the_wheel_s(installed, tmp_path):
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", readme, flags=re.S)
    where = "import explorer; print(explorer.__file__)"
    result = subprocess.run(
        [installed / "python", "-c", f"{program}\nprint(trace.tokens[:2])\n{where}"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert "['[CLS]', 'she']" in result.stdout and str(installed.parent) in result.stdout


def _answer(address: str, seconds: float = 300) -> str:
    """The text at an address, asked until there is one."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as response:
                return response.read().decode()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)
