"""Minimal pairs of a grammatical and an ungrammatical sentence: does the model prefer the grammatical one?

The files hold 2,000 pairs each (Zorro: Huebner, Sulem, Fisher, Roth, "BabyBERTa", CoNLL 2021).
Lines alternate: the ungrammatical sentence, then the grammatical one. Their text is split at
spaces and has no capitals except in names.
"""

import re
from pathlib import Path

from explorer.analysis.prediction.likelihood import log_likelihoods
from explorer.errors import NotFoundError
from explorer.models.language_model import LanguageModel
from training.metrics.figure import Figure, Inputs, values

TIE = 1e-4  # nats: the same sentence scores so differently in another batch, by rounding


def preferences(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of minimal pairs whose grammatical sentence is more probable."""
    return minimal_pairs(model, inputs.folder("zorro", "babyberta"), inputs.limits["pairs"])


def minimal_pairs(model: LanguageModel, folder: Path, limit: int | None = None) -> list[Figure]:
    """Mean accuracy over the files (phenomena; chance is 0.5), and each file's.

    All pairs of a file count, or `limit` spread evenly over it. A sentence's score is its log-likelihood
    (GPT) or pseudo-log-likelihood (BERT), not divided by its length; a tie counts as wrong. Raises
    NotFoundError for a folder without pairs.
    """
    rows = []
    for path in files(folder):
        chosen = spread(read_pairs(path), limit)
        scores = log_likelihoods(model, [sentence for pair in chosen for sentence in pair])
        wins = sum(good - bad > TIE for bad, good in zip(scores[::2], scores[1::2], strict=True))
        name, share = path.stem, wins / len(chosen)
        rows.append(Figure(f"zorro/{name}", name, share, len(chosen), "pairs"))
    mean = sum(values(rows).values()) / len(rows)
    label = "the grammatical one is likelier, mean over files (chance 50)"
    return [Figure("zorro", label, mean, sum(row.items for row in rows), "pairs"), *rows]


def files(folder: Path) -> list[Path]:
    """Files of pairs in a folder. Raises NotFoundError if there are none."""
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        raise NotFoundError(f"{folder} has no files of sentence pairs.", "Point to a folder of .txt files.")
    return paths


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Pairs of a file in normal spelling: first the ungrammatical sentence, then the grammatical."""
    lines = [written(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return list(zip(lines[::2], lines[1::2], strict=True))


def written(line: str) -> str:
    """Sentence in normal spelling, from words split at spaces.

    >>> written("should i ask john , or did n't he know ?")
    "Should I ask john, or didn't he know?"
    """
    text = re.sub(r"\s+(?=[.,;:!?]|n't\b|'\w)", "", line.strip())
    text = re.sub(r"\bi\b", "I", text)
    return text[:1].upper() + text[1:]


def spread(pairs: list[tuple[str, str]], limit: int | None) -> list[tuple[str, str]]:
    """At most `limit` of the pairs, spread evenly over the file: neighbours are similar."""
    count = len(pairs) if limit is None else min(limit, len(pairs))
    return [pairs[i * len(pairs) // count] for i in range(count)]
