"""Plain text files as documents, and as token ids.

The format: UTF-8, one paragraph per line, a blank line between documents.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer as Backend

from explorer.errors import NotFoundError

BLOCK_BYTES = 4 << 20

Document = list[str]  # its paragraphs


@dataclass(frozen=True)
class Corpus:
    """Text files in blocks; a document belongs to the block in which it begins."""

    files: tuple[Path, ...]
    block_bytes: int = BLOCK_BYTES

    @classmethod
    def open(cls, *files: Path) -> "Corpus":
        """Corpus of files in the order given. Raises NotFoundError for a file that is not there."""
        for path in files:
            if not path.is_file():
                raise NotFoundError(
                    f"No text at {path}.", "Give .txt files with a blank line between documents."
                )
        return cls(files)

    @cached_property
    def blocks(self) -> list[list[Document]]:
        """Documents of every block, file by file."""
        blocks: list[list[Document]] = []
        for path in self.files:
            own: list[list[Document]] = [[] for _ in range(0, path.stat().st_size, self.block_bytes)]
            place = begin = 0
            paragraphs: Document = []
            with path.open("rb") as lines:
                for line in chain(lines, [b""]):
                    if text := line.decode("utf-8", errors="replace").strip():
                        begin = begin if paragraphs else place
                        paragraphs.append(text)
                    elif paragraphs:
                        own[begin // self.block_bytes].append(paragraphs)
                        paragraphs = []
                    place += len(line)
            blocks += own
        return blocks

    def sample(self, blocks: int | None = None) -> Iterator[Document]:
        """Documents of `blocks` blocks spread evenly over the text (or of all)."""
        count = len(self.blocks)
        for block in sorted({i * count // (blocks or count) for i in range(blocks or count)}):
            yield from self.blocks[block]


# Where a sentence plausibly ends, in English or in Chinese, which has no space there. Approximate on
# purpose ("Mr. Hill" is cut in two).
SENTENCE_END = re.compile(
    r"""(?:(?<=[.!?])|(?<=[.!?]["')]))\s+(?=["'(]?[A-Z0-9])"""
    r"""|(?:(?<=[。！？])|(?<=[。！？][」』”’）]))(?![。！？」』”’），、])"""
)


def sentences(document: Document) -> list[str]:
    """Sentences of a document, in order.

    >>> sentences(["It rained. We left.", "下雨了。「走吧！」他說。"])
    ['It rained.', 'We left.', '下雨了。', '「走吧！」', '他說。']
    """
    return [s for paragraph in document for s in SENTENCE_END.split(paragraph) if s]


@dataclass(frozen=True, eq=False)
class Shard:
    """Token ids of many documents one after another, and where pieces and documents begin.

    `pieces[i]` is the first token of piece i (a sentence), and the last entry the number of
    tokens; `documents[i]` is the first piece of document i, and the last entry the number of pieces.
    """

    ids: np.ndarray
    pieces: np.ndarray
    documents: np.ndarray


class Shards:
    """Token ids of a corpus without special tokens; block i is tokenized when `shards[i]` is read."""

    def __init__(self, corpus: Corpus, backend: Backend) -> None:
        self.corpus, self.backend = corpus, backend

    def __len__(self) -> int:
        return len(self.corpus.blocks)

    def __iter__(self) -> Iterator[Shard]:
        return (self[block] for block in range(len(self)))

    def __getitem__(self, block: int) -> Shard:
        split = [sentences(document) for document in self.corpus.blocks[block]]
        encodings = self.backend.encode_batch_fast([p for d in split for p in d], add_special_tokens=False)
        lengths = [len(e.ids) for e in encodings]
        return Shard(
            np.array([id for e in encodings for id in e.ids], dtype=np.uint16),
            np.cumsum([0, *lengths]),
            np.cumsum([0, *map(len, split)]),
        )
