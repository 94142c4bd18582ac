"""Word similarity: do cosines of word vectors rank pairs of words as people do?

The lists hold `word<tab>word<tab>rating` a line (Faruqui & Dyer, wordvectors.org, ACL 2014).
"""

from dataclasses import dataclass
from pathlib import Path

import torch.nn.functional as F

from explorer.errors import NotFoundError
from training.metrics.static import Vectors

FEWEST = 10  # covered pairs below which a list has no correlation


@dataclass(frozen=True)
class Rated:
    """Spearman's correlation on the `covered` pairs of a list, whose words both have a vector.

    `correlation` is None if too few pairs are covered.
    """

    correlation: float | None
    covered: int
    pairs: int


def similarity(vectors: Vectors, folder: Path) -> dict[str, Rated]:
    """Correlation on every list of a folder (`EN-*.txt`). Raises NotFoundError if there are none."""
    lists = {path.stem.removeprefix("EN-"): rated(vectors, path) for path in sorted(folder.glob("EN-*.txt"))}
    if not lists:
        raise NotFoundError(f"{folder} has no lists of rated word pairs.", "Point to a folder with EN-*.txt.")
    return lists


def mean_correlation(lists: dict[str, Rated]) -> float | None:
    """Mean over the lists that have a correlation, whatever their size."""
    correlations = [r.correlation for r in lists.values() if r.correlation is not None]
    return sum(correlations) / len(correlations) if correlations else None


def rated(vectors: Vectors, path: Path) -> Rated:
    """Correlation on one list."""
    from scipy.stats import spearmanr  # takes a second

    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    places = [(vectors.place(a), vectors.place(b), float(rating)) for a, b, rating in rows]
    covered = [(a, b, rating) for a, b, rating in places if a is not None and b is not None]
    if len(covered) < FEWEST:
        return Rated(None, len(covered), len(rows))
    first, second, ratings = zip(*covered, strict=True)
    cosine = F.cosine_similarity(vectors.matrix[list(first)], vectors.matrix[list(second)], dim=-1)
    return Rated(float(spearmanr(cosine.double(), ratings).statistic), len(covered), len(rows))
