"""All probes of a model: each is fitted once and stored, so that an interrupted run resumes.

bert/3/tag/linear  bert/3/tag/linear-control  bert/3/tag/mlp-seed-1  bert/tag/mix-3  bert/3/arcs
"""

import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
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
from training.probes.data import Portion, StoredStates
from training.probes.tasks import Task

log = logging.getLogger("training.probes")

SHIPPED_RANK = 32
RANKS = (1, 4, 16, SHIPPED_RANK, 64)
SEEDS = ("mlp", "mlp-seed-1", "mlp-seed-2")  # of the probes with a hidden layer, for the effect of chance
KINDS = ("linear", "linear-control", "mlp", "mlp-control")
MIX_EXAMPLES = 25_000  # half of the examples: a mix reads all its layers for every word
BLOCK = 8192  # words whose layers are mixed at once when a mix is measured
DIGITS = 4

Result = tuple[dict[str, Any], dict[str, Tensor]]  # figures and weights
States = dict[str, StoredStates]  # of training and of test


class Work:
    """Folder of finished steps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def result(self, name: str, make: Callable[[], Result]) -> Result:
        """Stored result of a step, which is computed first if it is missing."""
        path = self.folder / "done" / f"{name}.json"
        weights = path.with_suffix(".safetensors")
        if not path.exists():
            began = time.perf_counter()
            figures, tensors = make()
            path.parent.mkdir(parents=True, exist_ok=True)
            if tensors:
                save_file({key: tensor.contiguous() for key, tensor in tensors.items()}, weights)
            path.write_text(json.dumps(figures) + "\n", encoding="utf-8")
            log.info("%s %s %.0f s", name, figures, time.perf_counter() - began)
        figures = json.loads(path.read_text(encoding="utf-8"))
        return figures, load_file(weights) if weights.exists() else {}


def probe_model(
    work: Work, model: str, tasks: Iterable[Task], portions: dict[str, Portion], states: dict[str, States]
) -> Result:
    """Figures of a model by task, as `figures.json` has them, and the weights that ship.

    `portions` are those of the treebank, `states` those of the treebank and of the names.
    """
    figures: dict[str, Any] = {}
    weights: dict[str, Tensor] = {}
    depth = states["treebank"]["train"].depth
    for task in tasks:
        of = states[task.source]
        scores: dict[str, list[float]] = {kind: [] for kind in (*KINDS, *SEEDS[1:])}
        for layer in range(depth):
            for kind, values in scores.items():
                step = partial(fit_probe, task, of, layer, kind)
                result, tensors = work.result(f"{model}/{layer}/{task.name}/{kind}", step)
                values.append(round(result["score"], DIGITS))
                weights |= {f"{layer}/{task.name}/{key}": tensor for key, tensor in tensors.items()}
        figures[task.name] = {kind: scores[kind] for kind in KINDS}
        by_seed = zip(*(scores[kind] for kind in SEEDS), strict=True)
        figures[task.name]["mlp-seeds"] = [list(layer) for layer in by_seed]
        if depth > 1:
            mixes = [
                work.result(f"{model}/{task.name}/mix-{last}", partial(fit_layers, task, of, last))[0]
                for last in range(depth)
            ]
            figures[task.name]["mix"] = [round(mix["score"], DIGITS) for mix in mixes]
            figures[task.name]["shares"] = [round(share, DIGITS) for share in mixes[-1]["shares"]]
    figures[ARCS] = {str(rank): [] for rank in RANKS}
    for layer in range(depth):
        step = partial(fit_arcs, portions, states["treebank"], layer)
        result, tensors = work.result(f"{model}/{layer}/{ARCS}", step)
        for rank, values in figures[ARCS].items():
            values.append(round(result["uuas"][rank], DIGITS))
        weights |= {f"{layer}/{ARCS}/{key}": tensor for key, tensor in tensors.items()}
    return figures, weights


def fit_probe(task: Task, states: States, layer: int, kind: str) -> Result:
    """A probe on one layer, `linear` or `mlp`, on the task or on its control."""
    control = kind.endswith("control")
    train, test = task.train.vectors(states["train"].layer(layer)), states["test"].layer(layer)
    test = task.test.vectors(test)
    targets, test_targets = task.targets("train", control), task.targets("test", control)
    if kind.startswith("mlp"):
        seed = int(kind[-1]) if "seed" in kind else 0
        mlp = fit_mlp(train, targets, len(task.labels), replace(MLP_CONFIG, seed=seed))
        scores = torch.cat([mlp(block) for block in test.split(BLOCK)])
        return {"score": task.score(scores.argmax(-1), test_targets)}, {}
    probe = fit_linear(train, targets, task.labels)
    weights = {} if control else {"weight": probe.weight.half(), "bias": probe.bias.half()}
    if weights:  # measure the weights that ship
        probe = type(probe)(probe.labels, weights["weight"].float(), weights["bias"].float())
    return {"score": task.score(probe.probabilities(test).argmax(-1), test_targets)}, weights


def fit_layers(task: Task, states: States, last: int) -> Result:
    """A probe on a mix of layers 0 to `last`."""
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
    return {"score": task.score(guesses, task.targets("test")), "shares": probe.shares.tolist()}, {}


def fit_arcs(portions: dict[str, Portion], states: States, layer: int) -> Result:
    """A structural probe of each rank on one layer, and its test UUAS without punctuation."""
    trees = [sentence.heads for sentence in portions["train"].sentences]
    matrices = fit_structural(states["train"].sentences(layer), trees, RANKS)
    matrices = {rank: matrix.half().float() for rank, matrix in matrices.items()}
    tests = list(zip(states["test"].sentences(layer), golds(portions["test"]), strict=True))
    scores = {
        rank: mean_uuas(
            (spanning_tree(squared_distances(states_, matrix), words), gold)
            for states_, (words, gold) in tests
            if gold
        )
        for rank, matrix in matrices.items()
    }
    return {"uuas": scores}, {"projection": matrices[SHIPPED_RANK].half()}


def golds(portion: Portion) -> list[tuple[list[int], Any]]:
    """For each sentence its words without punctuation, and the arcs between them."""
    words = [[i for i, word in enumerate(s.words) if not is_mark(word)] for s in portion.sentences]
    return [(places, gold_arcs(s.heads, places)) for s, places in zip(portion.sentences, words, strict=True)]


def mean_uuas(trees: Iterable[tuple[Any, Any]]) -> float:
    """Mean UUAS of pairs of a tree and the right arcs."""
    scores = [uuas(tree, gold) for tree, gold in trees]
    return sum(scores) / len(scores)


def neighbours(test: Portion) -> float:
    """UUAS of the tree in which every word is connected to the next, without punctuation."""
    return mean_uuas((list(pairwise(words)), gold) for words, gold in golds(test) if gold)
