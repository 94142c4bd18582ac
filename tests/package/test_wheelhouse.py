"""The folder for a USB stick: what goes into it, and that pip installs from it alone.

Two small packages stand for Riverbank's; nothing is downloaded.
"""

import shutil
import subprocess
import sys
import venv
from pathlib import Path
from unittest.mock import Mock

import pytest

from explorer.commands import cli, wheelhouse
from explorer.errors import ExplorerError, NotFoundError

SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"


def package(folder: Path, name: str) -> str:
    """A small pure package on disk, as a line of a requirements file."""
    source = folder / name
    source.mkdir(parents=True)
    (source / f"{name}.py").write_text("VALUE = 7\n")
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        f'[project]\nname = "{name}"\nversion = "1.0"\n'
        f'[tool.hatch.build.targets.wheel]\ninclude = ["{name}.py"]\n'
    )
    return f"{name} @ {source.as_uri()}\n"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of two requirements files and an app."""
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # pip reads it as --no-build-isolation
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "app.py").write_text("")
    (folder / ".venv").mkdir()
    (folder / wheelhouse.REQUIREMENTS).write_text(package(tmp_path, "apples"))
    (folder / wheelhouse.MODELS).write_text(package(tmp_path, "pears"))
    return folder


@pytest.mark.slow
def test_a_fresh_environment_installs_from_it_without_an_index(checkout, tmp_path):
    lines = []
    wheelhouse.write(tmp_path / "stick", checkout=checkout, report=lines.append)
    assert "is ready" in lines[-1]
    copy = tmp_path / "stick" / "riverbank"
    assert (copy / "app.py").is_file() and not (copy / ".venv").exists()
    venv.create(tmp_path / "env", with_pip=True)
    pip = [tmp_path / "env" / SCRIPTS / "pip", "install", "-q", "--no-index", "--find-links"]
    subprocess.run([*pip, tmp_path / "stick" / "wheels", "apples", "pears"], check=True)


def test_the_scripts_install_what_the_folder_holds():
    for name in ("install.sh", "install.cmd"):
        script = (wheelhouse.INSTALL / name).read_text(encoding="utf-8")
        for file in (wheelhouse.REQUIREMENTS, wheelhouse.MODELS):
            assert (
                f"--no-index --find-links ../wheels {'--no-deps ' * (file == wheelhouse.MODELS)}-r {file}"
                in script
            )


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
def test_the_script_starts_what_was_installed_with_the_arguments_of_the_command(tmp_path):
    (bin := tmp_path / "riverbank" / ".venv" / "bin").mkdir(parents=True)
    (bin / "python").write_text('#!/bin/sh\necho "$PWD" "$@"\n')
    (bin / "python").chmod(0o755)
    shutil.copy(wheelhouse.INSTALL / "start.sh", tmp_path)
    said = subprocess.run(
        ["sh", tmp_path / "start.sh", "--share"], check=True, capture_output=True, text=True
    )
    assert said.stdout.split() == [str(bin.parents[1]), "-m", cli.__name__, "--share"]


def test_pytorch_comes_without_what_a_card_needs_unless_another_index_is_named(monkeypatch):
    run = Mock()
    monkeypatch.setattr(wheelhouse.subprocess, "run", run)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    wheelhouse._pip("wheel")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://own.example")
    wheelhouse._pip("wheel")
    own = [call.kwargs["env"]["PIP_EXTRA_INDEX_URL"] for call in run.call_args_list]
    assert own == [*wheelhouse.WITHOUT_CARD.values(), "https://own.example"]


def test_another_platform_takes_ready_wheels_alone():
    assert wheelhouse._target("windows", "3.12") == [
        *("--platform", "win_amd64"),
        *("--python-version", "3.12"),
        *("--only-binary", ":all:"),
    ]
    assert wheelhouse._target("", "") == []


def test_pip_asks_the_markers_of_the_other_platform(checkout, tmp_path):
    """Without that, a stick for Windows asks for uvloop, which Windows does not have, and lacks colorama."""
    missing = (tmp_path / "missing").as_uri()
    there = wheelhouse._environment("windows", "3.12")
    lines = [
        f"uvloop @ {missing} ; sys_platform != 'win32'",
        f"later @ {missing} ; python_version >= '3.13'",
        f"{package(tmp_path, 'colours').strip()} ; platform_machine == 'AMD64' and os_name == 'nt'",
    ]
    (checkout / wheelhouse.REQUIREMENTS).write_text("\n".join(lines))
    wheelhouse._pip(
        *("wheel", "--no-deps", "--wheel-dir", str(tmp_path / "wheels")),
        *("-r", str(checkout / wheelhouse.REQUIREMENTS)),
        there=there,
    )
    assert [path.name[:7] for path in (tmp_path / "wheels").iterdir()] == ["colours"]
    assert wheelhouse._environment("manylinux_2_28_aarch64", "")["platform_machine"] == "aarch64"


def test_packages_that_have_no_wheel_are_pinned_by_the_requirements():
    from explorer.assets import CHECKOUT

    assert len(wheelhouse._pinned(CHECKOUT, wheelhouse.SOURCE_ONLY)) == len(wheelhouse.SOURCE_ONLY)


def test_a_wheel_that_pypi_would_refuse_is_said(checkout, tmp_path, monkeypatch):
    monkeypatch.setattr(wheelhouse, "MOST_BYTES", 500)
    monkeypatch.setattr(wheelhouse, "OWN", (package(tmp_path, "plums").partition(" @ file://")[2].strip(),))
    with pytest.raises(ExplorerError, match=r"plums-1\.0.* has 0 MB"):
        wheelhouse.write_own(tmp_path / "wheels", checkout, Mock())


def test_what_goes_wrong_is_said(checkout, tmp_path, capfd):
    with pytest.raises(NotFoundError, match="no checkout"):
        wheelhouse.write(tmp_path / "stick", checkout=tmp_path)
    with pytest.raises(ExplorerError, match="could not get every package"):
        (checkout / wheelhouse.REQUIREMENTS).write_text(f"missing @ {(tmp_path / 'missing').as_uri()}\n")
        wheelhouse.write(tmp_path / "stick", checkout=checkout, report=lambda line: None)
    with pytest.raises(SystemExit):
        wheelhouse.main([])
