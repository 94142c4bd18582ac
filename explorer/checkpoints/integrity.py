"""Are the files the published ones? Checksums and sizes, before a number of them is used.

Two kinds of record are known: a SHA256SUMS file in the folder (as `sha256sum` writes it), and
the Hugging Face cache, which names each stored file by its own fingerprint: SHA-256 for large
files, git's SHA-1 for small ones.
"""

import codecs
import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from explorer.errors import CheckpointError, FormatError, SizeError
from explorer.files.kinds import Kind, read_kind

SUMS = "SHA256SUMS"
# What files of these endings are; any other file of a checkpoint has no kind that its first bytes tell.
RIGHT = {
    ".json": ("JSON", Kind.JSON),
    ".gguf": ("a GGUF file", Kind.GGUF),
    ".hdf5": ("HDF5", Kind.HDF5),
    ".safetensors": ("safetensors", Kind.SAFETENSORS),
}
MAY_BE_EMPTY = ("merges.txt",)
TEMPLATE = ".jinja"  # a text of any kind
LIMIT_GB = 2.0
LIMIT_VARIABLE = "RIVERBANK_MAX_WEIGHT_GB"


def check_content(files: Iterable[Path], *also: Kind, wanted: str = "") -> None:
    """See that files are there and what they should be, and compare them with the record of their content.

    Raises FormatError, naming the file that is none, is something else by its first bytes (other than
    `also`), or was changed or damaged, and OSError for one that cannot be opened (see `unreadable`).
    """
    for path in files:
        if not path.is_file():
            raise FormatError(f"{path} is not a file.", f"Copy {path.parent.name} again from where it came.")
        check_kind(path, *also, wanted=wanted)
        sums = _sums(path.parent / SUMS)
        if path.name in sums:
            sound = _digest(path, "sha256") == sums[path.name]
            advice = f"Copy {path.parent.name} again from where it came."
        elif name := _name_in_cache(path):
            sound = _fits(path, name)
            advice = f"Delete {path.parent} and load it again: it will be fetched anew."
        else:
            continue
        if not sound:
            raise FormatError(f"{path.name} is damaged: its content is not what was published.", advice)


def check_kind(path: Path, *also: Kind, wanted: str = "") -> None:
    """Raise FormatError for a file that is not `wanted` but something else, by its first bytes."""
    kind = read_kind(path)
    usual, right = RIGHT.get(path.suffix.lower(), ("what its name says", None))
    if path.suffix == TEMPLATE and kind is not Kind.POINTER:
        return
    if kind is None or kind is right or kind in also or (kind is Kind.EMPTY and path.name in MAY_BE_EMPTY):
        return
    what = kind.phrase if kind is Kind.POINTER else f"{kind.phrase}, and not {wanted or usual}"
    raise FormatError(f"{path.name} in {path.parent.name} is {what}.", kind.hint)


def check_links(files: Iterable[Path]) -> None:
    """Raise FormatError for a link that leads nowhere, or to itself; files that are not there are none.

    >>> check_links([Path("absent.json")])
    """
    for path in files:
        if path.is_symlink() and not path.exists():
            raise FormatError(
                f"{path} is a link to {os.readlink(path):.100}, where there is no file.",
                "Copy the files themselves, and not links to them (cp -L), or put back what it leads to.",
            )


def unreadable(error: OSError, name: str) -> CheckpointError:
    """What to say of a file or a folder that is there, but that the system does not let us read."""
    path = str(error.filename or name)
    path = path if len(path) < 200 else f"{path[:200]} …"
    if isinstance(error, PermissionError):
        return CheckpointError(
            f"{path} cannot be read: this user has no permission.",
            "Give permission to read it (chmod -R u+rX), or copy it to a folder of your own.",
        )
    return CheckpointError(f"{path} cannot be read: {error.strerror or error}.", "Check the path.")


def read_text(path: Path, hint: str, most_mb: int = 10) -> str:
    """A small text file of a checkpoint. Raises FormatError for what is none; OSError is passed on."""
    if not path.is_file():
        raise FormatError(f"{path} is not a file.", hint)
    check_kind(path)
    if path.stat().st_size > most_mb * 1_000_000:
        raise FormatError(f"{path} is larger than {most_mb} MB, which no such file is.", hint)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        if path.read_bytes()[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            raise FormatError(f"{path} is UTF-16, and not UTF-8.", "Save it as UTF-8.") from error
        raise FormatError(f"{path} is not UTF-8: byte {error.start:,} is no character.", hint) from error


def check_size(weights: int, name: str) -> None:
    """Raise SizeError where the weights, in bytes, are over the limit (2 GB unless set higher)."""
    value = os.environ.get(LIMIT_VARIABLE, "")
    try:
        limit = float(value) if value else LIMIT_GB
    except ValueError as error:
        raise CheckpointError(
            f"{LIMIT_VARIABLE} is “{value}”.", "Set it to a number of gigabytes."
        ) from error
    if weights > limit * 1e9:
        raise SizeError(
            f"The weights of {name} are {weights / 1e9:.1f} GB; the limit is {limit:g} GB.",
            f"Choose a smaller model, or set {LIMIT_VARIABLE} higher.",
        )


def _sums(path: Path) -> dict[str, str]:
    """File name to SHA-256, from lines of “digest, two spaces or space and star, name”."""
    if not path.exists():
        return {}
    lines = read_text(path, "Write it with sha256sum.").splitlines()
    found = [re.fullmatch(r"([0-9a-fA-F]{64}) [ *](.+)", line) for line in lines if line.strip()]
    digests = {match[2]: match[1].lower() for match in found if match}
    if None in found:
        raise FormatError(f"{path} is not a list of checksums.", "Write it with sha256sum.")
    return digests


def _name_in_cache(path: Path) -> str:
    """The name of a cached file's content (snapshots/…/file points to blobs/NAME), or nothing."""
    if not path.is_symlink():
        return ""
    # One step only: the blob itself may point on, to a store that several caches share.
    target = Path(os.readlink(path))
    return target.name if target.parent.name == "blobs" else ""


def _fits(path: Path, name: str) -> bool:
    if re.fullmatch(r"[0-9a-f]{64}", name):
        return _digest(path, "sha256") == name
    if re.fullmatch(r"[0-9a-f]{40}", name):  # a mirror may give the plain SHA-1 instead of git's
        header = b"blob %d\0" % path.stat().st_size
        return name in (_digest(path, "sha1", header), _digest(path, "sha1"))
    return True


def _digest(path: Path, algorithm: str, header: bytes = b"") -> str:
    digest = hashlib.new(algorithm, header, usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
