"""Blocks of a corpus as token ids, stored in small files when they are first needed."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer as Backend

from training.text.corpus import Corpus, Document, Filter, keep_all

# Where a sentence plausibly ends, in English or in Chinese, which has no space there. Approximate on
# purpose ("Mr. Hill" is cut in two).
SENTENCE_END = re.compile(
    r"""(?:(?<=[.!?])|(?<=[.!?]["')]))\s+(?=["'(]?[A-Z0-9])"""
    r"""|(?:(?<=[。！？])|(?<=[。！？][」』”’）]))(?![。！？」』”’），、])"""
)

PLAIN_WORD = 4.75  # mean characters of a word, punctuation included, below which a text reads easily

PLAIN_SHARE = 0.25  # of the documents that do not read easily


@dataclass(frozen=True, eq=False)
class Shard:
    """Token ids of many documents one after another, and where pieces and documents begin.

    `pieces[i]` is the first token of piece i (a sentence or a document), and the last entry the number of
    tokens; `documents[i]` is the first piece of document i, and the last entry the number of pieces.
    """

    ids: np.ndarray
    pieces: np.ndarray
    documents: np.ndarray


def sentences(document: Document) -> list[str]:
    """Sentences of a document, in order.

    >>> sentences(["It rained. We left.", "下雨了。「走吧！」他說。"])
    ['It rained.', 'We left.', '下雨了。', '「走吧！」', '他說。']
    """
    return [s for paragraph in document for s in SENTENCE_END.split(paragraph) if s]


def whole(document: Document) -> list[str]:
    """Whole document with its line breaks, after <|endoftext|>."""
    return ["<|endoftext|>" + "\n".join(document)]


def mean_word_length(document: Document) -> float:
    """Mean number of characters in a document's words: low in dialogue, high in encyclopaedias."""
    words = [word for paragraph in document for word in paragraph.split()]
    return sum(map(len, words)) / max(1, len(words))


def plain_documents(block: int, documents: list[Document], share: float = PLAIN_SHARE) -> list[Document]:
    """Every document that reads easily, and a random `share` of the others."""
    chances = np.random.default_rng([0, block]).random(len(documents))
    return [
        document
        for document, chance in zip(documents, chances, strict=True)
        if mean_word_length(document) < PLAIN_WORD or chance < share
    ]


class Shards:
    """Token ids of a corpus; `shards[i]` is block i, read from the cache if it is there."""

    def __init__(
        self,
        corpus: Corpus,
        backend: Backend,
        split: Callable[[Document], list[str]],
        cache: Path,
        keep: Filter = keep_all,
    ) -> None:
        self.corpus, self.backend, self.split, self.cache, self.keep = corpus, backend, split, cache, keep
        cache.mkdir(parents=True, exist_ok=True)

    def __len__(self) -> int:
        return len(self.corpus.blocks())

    def __iter__(self) -> Iterator[Shard]:
        return (self[block] for block in range(len(self)))

    def __getitem__(self, block: int) -> Shard:
        path = self.cache / f"{block:05d}.npz"
        if not path.exists():
            shard = self.tokenized(self.keep(block, self.corpus.documents(block)))
            partial = path.with_suffix(".partial")
            with partial.open("wb") as file:
                np.savez(file, ids=shard.ids, pieces=shard.pieces, documents=shard.documents)
            partial.replace(path)
        with np.load(path) as stored:
            return Shard(stored["ids"], stored["pieces"], stored["documents"])

    def tokenized(self, documents: list[Document]) -> Shard:
        """Token ids of documents, without special tokens."""
        split = [self.split(document) for document in documents]
        encodings = self.backend.encode_batch_fast([p for d in split for p in d], add_special_tokens=False)
        lengths = [len(e.ids) for e in encodings]
        return Shard(
            np.array([id for e in encodings for id in e.ids], dtype=np.uint16),
            np.cumsum([0, *lengths]),
            np.cumsum([0, *map(len, split)]),
        )
