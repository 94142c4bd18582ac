"""Words in context: does a word mean the same in two sentences? Predicted from the cosine of its vectors.

The pairs are those of MCL-WiC (Martelli, Kalach, Tola, Navigli, SemEval-2021): a JSON list of
sentence pairs with the word's characters, and beside it a list of T (same) and F (different).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.senses.occurrences import token_positions
from explorer.errors import FormatError, TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability, Capture, captured
from training.metrics.figure import Figure, Inputs

Occurrence = tuple[str, tuple[int, int]]  # a sentence, and the word's characters in it


@dataclass(frozen=True)
class Pair:
    """A word in two sentences, and whether it means the same in both."""

    first: Occurrence
    second: Occurrence
    same: bool


def same_meaning(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Does a word mean the same in two sentences?"""
    return words_in_context(model, read_pairs(inputs.folder("wic"))[: inputs.limits["wic"]])


def read_pairs(folder: Path, part: str = "dev.en-en") -> list[Pair]:
    """Pairs of `<part>.data` with the answers of `<part>.gold`. Raises FormatError if their ids differ."""
    data = json.loads((folder / f"{part}.data").read_text(encoding="utf-8"))
    gold = {
        row["id"]: row["tag"] for row in json.loads((folder / f"{part}.gold").read_text(encoding="utf-8"))
    }
    if {row["id"] for row in data} != gold.keys():
        raise FormatError(f"{part}.data and {part}.gold in {folder} do not name the same pairs.")

    def occurrence(row: dict[str, str], which: int) -> Occurrence:
        return row[f"sentence{which}"], (int(row[f"start{which}"]), int(row[f"end{which}"]))

    return [Pair(occurrence(row, 1), occurrence(row, 2), gold[row["id"]] == "T") for row in data]


def words_in_context(model: LanguageModel, pairs: Sequence[Pair], seed: int = 0) -> list[Figure]:
    """Separation of same and different meanings by the cosine of the word's two vectors, at every layer.

    The figures are the area under the curve, and the accuracy of the best threshold, chosen on one half of
    the pairs and tested on the other, in both directions. A word of several tokens has their mean; a pair
    with a word past the end of the context is left out. Raises AbilityError for a model without hidden
    states, TextError for fewer than four pairs.
    """
    from sklearn.metrics import roc_auc_score  # takes a second

    model.require(Ability.CONTEXT, "compare a word in two sentences")
    texts = [occurrence for pair in pairs for occurrence in (pair.first, pair.second)]
    traces = model.trace_many([text for text, _ in texts], Capture.HIDDEN)
    vectors: list[Tensor | None] = []
    for (_, span), trace in zip(texts, traces, strict=True):
        positions = token_positions(trace.encoding, span)
        vectors.append(captured(trace.hidden_states)[:, positions].mean(1) if positions else None)
    both = [
        (a, b, p.same) for a, b, p in zip(vectors[::2], vectors[1::2], pairs) if not (a is None or b is None)
    ]
    if len(both) < 4:
        raise TextError("There are too few pairs of sentences to measure on.")
    cosine = torch.stack([F.cosine_similarity(a, b, dim=-1) for a, b, _ in both])
    same = torch.tensor([answer for _, _, answer in both])
    halves = torch.randperm(len(both), generator=torch.Generator().manual_seed(seed)).chunk(2)
    auc = tuple(float(roc_auc_score(same, column)) for column in cosine.T)
    accuracy = tuple(float(two_fold(column, same, halves)) for column in cosine.T)
    cut, basis = len(pairs) - len(both), (len(both), "pairs")
    note = f"{cut} past the context" if cut else ""
    area, right = "area under the curve, last layer", "accuracy, last layer (chance 50)"
    halved = "threshold from the other half"
    return [
        Figure("wic_auc", area, auc[-1], *basis, layers=auc, note=note),
        Figure("wic_accuracy", right, accuracy[-1], *basis, layers=accuracy, note=halved),
    ]


def two_fold(
    scores: Float[Tensor, "pair"], same: Bool[Tensor, "pair"], halves: Sequence[Tensor]
) -> Float[Tensor, ""]:
    """Accuracy of a threshold chosen on one half and tested on the other, in both directions."""
    a, b = halves
    right = [
        ((scores[there] > best_threshold(scores[here], same[here])) == same[there])
        for here, there in ((a, b), (b, a))
    ]
    return torch.cat(right).float().mean()


def best_threshold(scores: Float[Tensor, "pair"], same: Bool[Tensor, "pair"]) -> Float[Tensor, ""]:
    """Threshold with the highest accuracy of “same” above it, midway between two scores."""
    ordered = scores.sort().values
    between = torch.cat([ordered[:1] - 1, (ordered[1:] + ordered[:-1]) / 2, ordered[-1:] + 1])
    right = ((scores[None] > between[:, None]) == same[None]).float().mean(1)
    return between[right.argmax()]
