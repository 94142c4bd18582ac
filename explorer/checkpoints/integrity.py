"""Checks that files are the published ones: checksums, kinds and sizes.

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
from explorer.system.free_memory import free_bytes

SUMS = "SHA256SUMS"
# The kinds of files with these endings; other files of a checkpoint have no recognisable first bytes.
EXPECTED = {
    ".json": ("JSON", Kind.JSON),
    ".gguf": ("a GGUF file", Kind.GGUF),
    ".safetensors": ("safetensors", Kind.SAFETENSORS),
    ".model": ("a SentencePiece model", Kind.SENTENCEPIECE),
    ".spm": ("a SentencePiece model", Kind.SENTENCEPIECE),
}
MAY_BE_EMPTY = ("merges.txt",)
TEMPLATE = ".jinja"  # any text
LIMIT_GB = 2.0  # where the system does not say what is free
LIMIT_VARIABLE = "RIVERBANK_MAX_WEIGHT_GB"


def check_content(files: Iterable[Path], *also: Kind, expected: str = "") -> None:
    """Check that files exist, are of the right kind (or one of `also`), and match their checksums.

    Raises FormatError, naming the file, and OSError for one that cannot be opened (see `unreadable`).
    `expected` is the kind in words.
    """
    for path in files:
        if not path.is_file():
            raise FormatError(f"{path} is not a file.", f"Copy {path.parent.name} again from where it came.")
        check_kind(path, *also, expected=expected)
        sums = _sums(path.parent / SUMS)
        if path.name in sums:
            sound = _digest(path, "sha256") == sums[path.name]
            advice = f"Copy {path.parent.name} again from where it came."
        elif name := _name_in_cache(path):
            sound = _fits(path, name)
            advice = f"Delete {path.parent} and load it again: it will be fetched again."
        else:
            continue
        if not sound:
            raise FormatError(f"{path.name} is damaged: its content differs from the published file.", advice)


def check_kind(path: Path, *also: Kind, expected: str = "") -> None:
    """Raise FormatError for a file that is of another kind than `expected`, by its first bytes."""
    kind = read_kind(path)
    usual, right = EXPECTED.get(path.suffix.lower(), ("what its name says", None))
    if path.suffix == TEMPLATE and kind is not Kind.POINTER:
        return
    if kind is None or kind is right or kind in also or (kind is Kind.EMPTY and path.name in MAY_BE_EMPTY):
        return
    what = kind.phrase if kind is Kind.POINTER else f"{kind.phrase}, and not {expected or usual}"
    raise FormatError(f"{path.name} in {path.parent.name} is {what}.", kind.hint)


def check_links(files: Iterable[Path]) -> None:
    """Raise FormatError for a broken link; missing files are not checked."""
    for path in files:
        if path.is_symlink() and not path.exists():
            raise FormatError(
                f"{path} is a link to {os.readlink(path):.100}, where there is no file.",
                "Copy the files themselves, and not links to them (cp -L), or put back what it leads to.",
            )


def unreadable(error: OSError, name: str) -> CheckpointError:
    """The error for a file or folder that exists but cannot be read."""
    path = str(error.filename or name)
    path = path if len(path) < 200 else f"{path[:200]} …"
    if isinstance(error, PermissionError):
        return CheckpointError(
            f"{path} cannot be read: this user has no permission.",
            "Give permission to read it (chmod -R u+rX), or copy it to a folder of your own.",
        )
    return CheckpointError(f"{path} cannot be read: {error.strerror or error}.", "Check the path.")


def read_text(path: Path, hint: str, most_mb: int = 10) -> str:
    """A small text file of a checkpoint. Raises FormatError if it is not one; OSError is passed on."""
    if not path.is_file():
        raise FormatError(f"{path} is not a file.", hint)
    check_kind(path)
    if path.stat().st_size > most_mb * 1_000_000:
        raise FormatError(f"{path} is larger than {most_mb} MB, too large for such a file.", hint)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        if path.read_bytes()[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            raise FormatError(f"{path} is UTF-16, and not UTF-8.", "Save it as UTF-8.") from error
        raise FormatError(f"{path} is not UTF-8: byte {error.start:,} is not valid.", hint) from error


def check_size(weights: int, name: str) -> None:
    """Raise SizeError if the weights, in bytes, are over the limit: the free memory, unless one is set."""
    value = os.environ.get(LIMIT_VARIABLE, "")
    free = free_bytes()
    try:
        limit = float(value) if value else LIMIT_GB if free is None else free / 1e9
    except ValueError as error:
        raise CheckpointError(
            f"{LIMIT_VARIABLE} is “{value}”.", "Set it to a number of gigabytes."
        ) from error
    if weights > limit * 1e9:
        most = f"the limit is {limit:g} GB" if value or free is None else f"{limit:.1f} GB of memory are free"
        raise SizeError(
            f"The weights of {name} are {weights / 1e9:.1f} GB; {most}.",
            f"Choose a smaller model, or set {LIMIT_VARIABLE} higher.",
        )


def _sums(path: Path) -> dict[str, str]:
    """File name to SHA-256, from lines of “digest, two spaces or space and star, name”."""
    if not path.exists():
        return {}
    lines = read_text(path, "Write it with sha256sum.").splitlines()
    matches = [re.fullmatch(r"([0-9a-fA-F]{64}) [ *](.+)", line) for line in lines if line.strip()]
    digests = {match[2]: match[1].lower() for match in matches if match}
    if None in matches:
        raise FormatError(f"{path} is not a list of checksums.", "Write it with sha256sum.")
    return digests


def _name_in_cache(path: Path) -> str:
    """The name of a cached file's content (snapshots/…/file points to blobs/NAME), or nothing."""
    if not path.is_symlink():
        return ""
    # One step only: the blob may be a link too, to a store that several caches share.
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
