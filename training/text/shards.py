"""Blocks of a corpus as token ids: made when first needed, kept as small files, read back after."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer as Backend

from training.text.corpus import Corpus, Document

# Where a sentence plausibly ends, in English or in Chinese, which has no space there. Approximate on
# purpose ("Mr. Hill" is cut in two).
SENTENCE_END = re.compile(
    r"""(?:(?<=[.!?])|(?<=[.!?]["')]))\s+(?=["'(]?[A-Z0-9])"""
    r"""|(?:(?<=[。！？])|(?<=[。！？][」』”’）]))(?![。！？」』”’），、])"""
)

PLAIN_WORD = 4.75  # letters in the mean word (punctuation included) below which a text reads easily


@dataclass(frozen=True, eq=False)
class Shard:
    """Token ids of many documents, end to end, and where pieces and documents begin.

    `pieces[i]` is the first token of piece i (a sentence, or a document), with the total at
    the end; `documents[i]` is the first piece of document i, with the total at the end.
    """

    ids: np.ndarray
    pieces: np.ndarray
    documents: np.ndarray


def sentences(document: Document) -> list[str]:
    """BERT's pieces: sentences, in order.

    >>> sentences(["It rained. We left.", "下雨了。「走吧！」他說。"])
    ['It rained.', 'We left.', '下雨了。', '「走吧！」', '他說。']
    """
    return [s for paragraph in document for s in SENTENCE_END.split(paragraph) if s]


def whole(document: Document) -> list[str]:
    """GPT's piece: the document, with its line breaks."""
    return ["<|endoftext|>" + "\n".join(document)]


def mean_word(document: Document) -> float:
    """Letters in a document's mean word: low in dialogue and stories, high in encyclopaedias."""
    words = [word for paragraph in document for word in paragraph.split()]
    return sum(map(len, words)) / max(1, len(words))


def plainer(share: float, seed: int = 0) -> Callable[[int, list[Document]], list[Document]]:
    """A filter that keeps every easily read document, and only a `share` of the others."""

    def keep(block: int, documents: list[Document]) -> list[Document]:
        drawn = np.random.default_rng([seed, block]).random(len(documents))
        return [
            d
            for d, chance in zip(documents, drawn, strict=True)
            if mean_word(d) < PLAIN_WORD or chance < share
        ]

    return keep


class Shards:
    """A corpus seen through a tokenizer; `shards[i]` is block i, from the cache where it is there."""

    def __init__(
        self,
        corpus: Corpus,
        backend: Backend,
        split: Callable[[Document], list[str]],
        cache: Path,
        keep: Callable[[int, list[Document]], list[Document]] = lambda block, documents: documents,
    ) -> None:
        self.corpus, self.backend, self.split, self.cache, self.keep = corpus, backend, split, cache, keep
        cache.mkdir(parents=True, exist_ok=True)

    def __len__(self) -> int:
        return len(self.corpus.blocks())

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
        """The ids of some documents, without any special frame."""
        split = [self.split(document) for document in documents]
        encodings = self.backend.encode_batch_fast([p for d in split for p in d], add_special_tokens=False)
        lengths = [len(e.ids) for e in encodings]
        return Shard(
            np.array([id for e in encodings for id in e.ids], dtype=np.uint16),
            np.cumsum([0, *lengths]),
            np.cumsum([0, *map(len, split)]),
        )
