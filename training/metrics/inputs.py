"""Texts and data sets of the measures, and how much of them is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from explorer.errors import NotFoundError
from training.text.corpus import Corpus

# Default limits of the measures: enough for the first digit shown.
LIMITS = {"held-out": 100_000, "pairs": 200, "wic": None, "pos": 50_000, "translations": None}


@dataclass(frozen=True)
class Inputs:
    """Folder of development sets, held-out text, training text, sentence pairs, and limits."""

    dev: Path | None = None
    held_out: Corpus | None = None
    text: Corpus | None = None
    pairs: Path | None = None
    limits: Mapping[str, int | None] = field(default_factory=lambda: LIMITS)

    def folder(self, *names: str) -> Path:
        """Folder of a development set under one of its names. Raises NotFoundError."""
        if self.dev is None:
            raise NotFoundError("no development sets were given (--dev)")
        for name in names:
            if (self.dev / name).is_dir():
                return self.dev / name
        raise NotFoundError(f"--dev has no folder {' or '.join(names)}")

    def held_out_text(self) -> Corpus:
        """Held-out text. Raises NotFoundError."""
        if self.held_out is None:
            raise NotFoundError("no held-out text was given (--held-out)")
        return self.held_out

    def sentence_pairs(self) -> Path:
        """File of sentence pairs that a translator learnt from. Raises NotFoundError."""
        if self.pairs is None:
            raise NotFoundError("no sentence pairs were given (--pairs)")
        return self.pairs
