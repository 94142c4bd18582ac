"""A corpus as running words on disk: one number a word, rare words left out, and where lines end.

Read once for the counts and the numbers together; after that a run holds no more of it than the
part that it is reading.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from explorer.tokenizers.words import running_words
from training.text.corpus import Corpus

VOCABULARY = "vocabulary.json"


@dataclass(frozen=True, eq=False)
class RunningText:
    """The words of a vocabulary, most frequent first, their counts, and the text as their numbers."""

    words: list[str]
    counts: Int[Tensor, "d_vocab"]
    ids: np.ndarray  # uint16, mapped from disk
    ends: np.ndarray  # after which word each line ends

    def __len__(self) -> int:
        return len(self.ids)

    def part(self, start: int, end: int) -> tuple[Int[Tensor, "pos"], Int[Tensor, "pos"]]:
        """The words from one place to another, and for each the line it stands in."""
        ids = torch.from_numpy(self.ids[start:end].astype(np.int64))
        lines = np.searchsorted(self.ends, np.arange(start, start + len(ids)), side="right")
        return ids, torch.from_numpy(lines)

    @classmethod
    def of(cls, corpus: Corpus, most: int, folder: Path) -> "RunningText":
        """The text of a corpus with its `most` frequent words, from the folder where it is there."""
        if not (folder / VOCABULARY).exists():
            folder.mkdir(parents=True, exist_ok=True)
            _write(corpus, min(most, 1 << 16), folder)
        words, counts = zip(*json.loads((folder / VOCABULARY).read_text(encoding="utf-8")), strict=True)
        return cls(
            list(words),
            torch.tensor(counts),
            np.load(folder / "ids.npy", mmap_mode="r"),
            np.load(folder / "ends.npy"),
        )


def _write(corpus: Corpus, most: int, folder: Path) -> None:
    counts: Counter[str] = Counter()
    lines: list[np.ndarray] = []  # numbered in the order in which words first came
    places: dict[str, int] = {}
    for block in range(len(corpus.blocks())):
        for paragraph in (p for document in corpus.documents(block) for p in document):
            words = running_words(paragraph)
            counts.update(words)
            lines.append(np.array([places.setdefault(w, len(places)) for w in words], dtype=np.int32))
    kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
    rank = np.full(len(places), -1, dtype=np.int32)
    rank[[places[word] for word, _ in kept]] = np.arange(len(kept))
    ranked = [line[line >= 0] for line in (rank[line] for line in lines)]
    np.save(folder / "ids.npy", np.concatenate(ranked).astype(np.uint16))
    np.save(folder / "ends.npy", np.cumsum([len(line) for line in ranked]))
    partial = folder / f"{VOCABULARY}.partial"
    partial.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    partial.replace(folder / VOCABULARY)  # last, since it says that the others are there
