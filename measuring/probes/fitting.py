"""All probes of a model, and their scores."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from explorer.analysis.probing.classifier import MLP_CONFIG, Standardiser, fit_linear, fit_mlp
from explorer.analysis.probing.mix import fit_mix
from explorer.analysis.probing.sentences import is_mark
from explorer.analysis.probing.shipped import ARCS
from explorer.analysis.probing.structural import (
    fit_structural,
    gold_arcs,
    spanning_tree,
    squared_distances,
    uuas,
)
from measuring.probes.tasks import Portion, States, Task

log = logging.getLogger("measuring.probes")

SHIPPED_RANK = 32
RANKS = (1, 4, 16, SHIPPED_RANK, 64)
SEEDS = ("mlp", "mlp-seed-1", "mlp-seed-2")  # of the probes with a hidden layer, for the effect of chance
KINDS = ("linear", "linear-control", "mlp", "mlp-control")
MIX_EXAMPLES = 25_000  # half of the examples: a mix reads all its layers for every word
BLOCK = 8192  # words whose layers are mixed at once when a mix is measured
DIGITS = 4

Weights = dict[str, Tensor]


def probe_model(
    tasks: Iterable[Task], portions: dict[str, Portion], states: dict[str, dict[str, States]]
) -> tuple[dict[str, Any], Weights]:
    """Figures of a model by task, as `figures.json` has them, and the weights that ship.

    `portions` are those of the treebank by use, `states` those of each source by use.
    """
    figures: dict[str, Any] = {}
    weights: Weights = {}
    depth = states["treebank"]["train"].depth
    for task in tasks:
        of = states[task.source]
        scores: dict[str, list[float]] = {kind: [] for kind in (*KINDS, *SEEDS[1:])}
        for layer in range(depth):
            for kind, values in scores.items():
                score, tensors = fit_probe(task, of, layer, kind)
                log.info("%s, layer %d, %s: %.4f", task.name, layer, kind, score)
                values.append(round(score, DIGITS))
                weights |= {f"{layer}/{task.name}/{key}": tensor for key, tensor in tensors.items()}
        figures[task.name] = {kind: scores[kind] for kind in KINDS}
        by_seed = zip(*(scores[kind] for kind in SEEDS), strict=True)
        figures[task.name]["mlp-seeds"] = [list(layer) for layer in by_seed]
        if depth > 1:
            mixes = [fit_layers(task, of, last) for last in range(depth)]
            figures[task.name]["mix"] = [round(score, DIGITS) for score, _ in mixes]
            figures[task.name]["shares"] = [round(share, DIGITS) for share in mixes[-1][1]]
    by_layer = [fit_arcs(portions, states["treebank"], layer) for layer in range(depth)]
    figures[ARCS] = {str(rank): [round(one[rank], DIGITS) for one, _ in by_layer] for rank in RANKS}
    weights |= {f"{layer}/{ARCS}/projection": matrix for layer, (_, matrix) in enumerate(by_layer)}
    return figures, weights


def fit_probe(task: Task, states: dict[str, States], layer: int, kind: str) -> tuple[float, Weights]:
    """Score of a probe on one layer, on the task or on its control, and the weights that ship."""
    control = kind.endswith("control")
    train = task.train.vectors(states["train"].layer(layer))
    test = task.test.vectors(states["test"].layer(layer))
    targets, test_targets = task.targets("train", control), task.targets("test", control)
    if kind.startswith("mlp"):
        seed = int(kind[-1]) if "seed" in kind else 0
        mlp = fit_mlp(train, targets, len(task.labels), replace(MLP_CONFIG, seed=seed))
        scores = torch.cat([mlp(block) for block in test.split(BLOCK)])
        return task.score(scores.argmax(-1), test_targets), {}
    probe = fit_linear(train, targets, task.labels)
    weights = {} if control else {"weight": probe.weight.half(), "bias": probe.bias.half()}
    if weights:  # measure the weights that ship
        probe = type(probe)(probe.labels, weights["weight"].float(), weights["bias"].float())
    return task.score(probe.probabilities(test).argmax(-1), test_targets), weights


def fit_layers(task: Task, states: dict[str, States], last: int) -> tuple[float, list[float]]:
    """Score of a probe on a mix of layers 0 to `last`, and the layers' shares."""
    examples, targets = task.train.first(MIX_EXAMPLES), task.targets("train")[:MIX_EXAMPLES]
    layers = [states["train"].layer(layer)[: examples.reach] for layer in range(last + 1)]
    standards = [Standardiser(layer) for layer in layers]
    ready = [standard(layer) for layer, standard in zip(layers, standards, strict=True)]
    stacked = torch.stack(ready, 1)  # a word's layers are contiguous: a batch is read at once
    features = ready[0].shape[1] * (1 if examples.heads is None else 2)
    probe = fit_mix(lambda at: examples.at_layers(stacked, at), last + 1, features, targets, len(task.labels))
    tests = [standard(states["test"].layer(layer)) for layer, standard in enumerate(standards)]
    mixed = torch.stack([share * test for share, test in zip(probe.shares, tests, strict=True)]).sum(0)
    guesses = linear(task.test.vectors(mixed), probe.weight, probe.bias).argmax(-1)
    return task.score(guesses, task.targets("test")), probe.shares.tolist()


def fit_arcs(
    portions: dict[str, Portion], states: dict[str, States], layer: int
) -> tuple[dict[int, float], Tensor]:
    """Test UUAS, without punctuation, of structural probes of one layer by rank; the matrix that ships."""
    trees = [sentence.heads for sentence in portions["train"]]
    matrices = fit_structural(states["train"].sentences(layer), trees, RANKS)
    tests = list(zip(states["test"].sentences(layer), golds(portions["test"]), strict=True))
    scores = {}
    for rank, matrix in matrices.items():
        shipped = matrix.half().float()
        trees_ = [
            (spanning_tree(squared_distances(one, shipped), words), gold)
            for one, (words, gold) in tests
            if gold
        ]
        scores[rank] = mean_uuas(trees_)
    return scores, matrices[SHIPPED_RANK].half()


def golds(portion: Portion) -> list[tuple[list[int], Any]]:
    """For each sentence its words without punctuation, and the arcs between them."""
    words = [[i for i, word in enumerate(s.words) if not is_mark(word)] for s in portion]
    return [(places, gold_arcs(s.heads, places)) for s, places in zip(portion, words, strict=True)]


def mean_uuas(trees: Sequence[tuple[Any, Any]]) -> float:
    """Mean UUAS of pairs of a tree and the right arcs."""
    return sum(uuas(tree, gold) for tree, gold in trees) / len(trees)


def neighbours(test: Portion) -> float:
    """UUAS of the tree in which every word is connected to the next, without punctuation."""
    return mean_uuas([(list(pairwise(words)), gold) for words, gold in golds(test) if gold])
