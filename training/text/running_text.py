"""Running words of a corpus as numbers on disk, without rare words."""

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
    """Vocabulary with counts, most frequent word first, and the text as ranks in it."""

    words: list[str]
    counts: Int[Tensor, "d_vocab"]
    ids: np.ndarray  # uint16, mapped from disk
    ends: np.ndarray  # number of words up to the end of each line

    def __len__(self) -> int:
        return len(self.ids)

    def part(self, start: int, end: int) -> tuple[Int[Tensor, "pos"], Int[Tensor, "pos"]]:
        """Word ranks from `start` to `end`, and the line number of each word."""
        ids = torch.from_numpy(self.ids[start:end].astype(np.int64))
        lines = np.searchsorted(self.ends, np.arange(start, start + len(ids)), side="right")
        return ids, torch.from_numpy(lines)

    def read_with(self, other: "RunningText") -> "RunningText":
        """This text as ranks in another one's vocabulary."""
        places = {word: i for i, word in enumerate(other.words)}
        ids = np.array([places.get(word, -1) for word in self.words])[self.ids]
        totals = np.cumsum(ids >= 0)
        ends = np.concatenate([[0], totals])[self.ends]
        return RunningText(other.words, other.counts, ids[ids >= 0], ends)

    @classmethod
    def of(cls, corpus: Corpus, most: int, folder: Path) -> "RunningText":
        """Text of a corpus in its `most` frequent words; it is stored in the folder once."""
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
    lines: list[np.ndarray] = []  # words as numbers, in order of first appearance
    places: dict[str, int] = {}
    for document in corpus.sample():
        for paragraph in document:
            words = running_words(paragraph)
            counts.update(words)
            lines.append(np.array([places.setdefault(w, len(places)) for w in words], dtype=np.int32))
    frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
    rank = np.full(len(places), -1, dtype=np.int32)
    rank[[places[word] for word, _ in frequent]] = np.arange(len(frequent))
    ranked = [line[line >= 0] for line in (rank[line] for line in lines)]
    np.save(folder / "ids.npy", np.concatenate(ranked).astype(np.uint16))
    np.save(folder / "ends.npy", np.cumsum([len(line) for line in ranked]))
    partial = folder / f"{VOCABULARY}.partial"
    partial.write_text(json.dumps(frequent, ensure_ascii=False), encoding="utf-8")
    partial.replace(folder / VOCABULARY)  # last: it marks the other files as complete
