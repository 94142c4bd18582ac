"""Word similarity: do the cosines of word vectors order pairs of words as people do?

The lists hold `word<tab>word<tab>rating` a line (Faruqui & Dyer, wordvectors.org, ACL 2014).
"""

from dataclasses import dataclass
from pathlib import Path

import torch.nn.functional as F

from explorer.errors import NotFoundError
from training.metrics.static import Vectors

FEWEST = 10  # covered pairs below which a list says nothing


@dataclass(frozen=True)
class Rated:
    """Spearman's correlation on those of a list's `pairs` whose words both have a vector (`covered`).

    `correlation` is None where too few are.
    """

    correlation: float | None
    covered: int
    pairs: int


def similarity(vectors: Vectors, folder: Path) -> dict[str, Rated]:
    """Every list of a folder (`EN-*.txt`). Raises NotFoundError for a folder without any."""
    lists = {path.stem.removeprefix("EN-"): rated(vectors, path) for path in sorted(folder.glob("EN-*.txt"))}
    if not lists:
        raise NotFoundError(f"{folder} has no lists of rated word pairs.", "Point to a folder with EN-*.txt.")
    return lists


def mean_correlation(lists: dict[str, Rated]) -> float | None:
    """The mean over the lists that have a correlation, large and small alike."""
    known = [r.correlation for r in lists.values() if r.correlation is not None]
    return sum(known) / len(known) if known else None


def rated(vectors: Vectors, path: Path) -> Rated:
    """One list."""
    from scipy.stats import spearmanr  # takes a second

    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    places = [(vectors.place(a), vectors.place(b), float(rating)) for a, b, rating in rows]
    known = [(a, b, rating) for a, b, rating in places if a is not None and b is not None]
    if len(known) < FEWEST:
        return Rated(None, len(known), len(rows))
    first, second, ratings = zip(*known, strict=True)
    cosine = F.cosine_similarity(vectors.matrix[list(first)], vectors.matrix[list(second)], dim=-1)
    return Rated(float(spearmanr(cosine.double(), ratings).statistic), len(known), len(rows))
