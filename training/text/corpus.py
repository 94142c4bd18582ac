"""Documents of plain text files, read block by block, so that memory holds one block.

The format: UTF-8, one paragraph per line, a blank line between documents; `.txt` or `.txt.xz`.
"""

import lzma
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.errors import NotFoundError

BLOCK_BYTES = 4 << 20

Document = list[str]  # its paragraphs
Filter = Callable[[int, list[Document]], list[Document]]  # a block's number and its documents


def keep_all(block: int, documents: list[Document]) -> list[Document]:
    """All documents of a block."""
    return documents


@dataclass(frozen=True)
class Corpus:
    """Text files in numbered blocks; a document belongs to the block in which it begins."""

    files: tuple[Path, ...]
    block_bytes: int = BLOCK_BYTES

    @classmethod
    def open(cls, paths: Sequence[Path], cache: Path, block_bytes: int = BLOCK_BYTES) -> "Corpus":
        """Corpus of files or folders in the order given; `.xz` is unpacked once into `cache`.

        Raises NotFoundError where there is no text.
        """
        files: list[Path] = []
        for path in paths:
            inside = sorted(p for p in path.iterdir() if is_text(p)) if path.is_dir() else [path]
            files += [unpacked(p, cache) for p in inside]
        missing = [p for p in files if not p.exists()]
        if missing or not files:
            raise NotFoundError(
                f"No training text at {', '.join(map(str, missing or paths)) or 'the place given'}.",
                "Give --text one or more .txt or .txt.xz files, a blank line between documents.",
            )
        return cls(tuple(files), block_bytes)

    def blocks(self) -> list[tuple[Path, int]]:
        """File and first byte of every block."""
        return [(f, start) for f in self.files for start in range(0, f.stat().st_size, self.block_bytes)]

    def sample(self, blocks: int | None = None, keep: Filter = keep_all) -> Iterator[Document]:
        """Documents of `blocks` blocks spread evenly over the text (or of all), if `keep` returns them."""
        count = len(self.blocks())
        for block in sorted({i * count // (blocks or count) for i in range(blocks or count)}):
            yield from keep(block, self.documents(block))

    def documents(self, block: int) -> list[Document]:
        """Documents that begin in a block."""
        path, start = self.blocks()[block]
        documents: list[Document] = []
        with path.open("rb") as file:
            if start:  # a document that began earlier belongs to the block before
                file.seek(start - 2)
                before = file.read(2)
                if before[1:] != b"\n":
                    file.readline()
                if before != b"\n\n":
                    while file.readline().strip():
                        pass
            end = start + self.block_bytes
            paragraphs: Document = []
            while True:
                begins = file.tell()
                if not paragraphs and begins >= end:
                    break
                line = file.readline()
                if text := line.decode("utf-8", errors="replace").strip():
                    paragraphs.append(text)
                elif paragraphs:
                    documents.append(paragraphs)
                    paragraphs = []
                if not line:
                    break
        return documents


def is_text(path: Path) -> bool:
    """Whether a file of a folder is training text: English, and not held out."""
    return path.name.endswith((".txt", ".txt.xz")) and path.name.startswith("en") and "valid" not in path.name


def unpacked(path: Path, cache: Path) -> Path:
    """Path of the plain text: an .xz file is unpacked into `cache`, since reading a block needs to seek."""
    if path.suffix != ".xz":
        return path
    target = cache / path.stem
    if path.exists() and not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".partial")
        with lzma.open(path) as source, partial.open("wb") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
        partial.replace(target)
    return target
