"""Each fit is a step with a name; its result is written at once, and a step that is there is not made again.

bert/3/tag/linear  bert/3/tag/linear-control  bert/3/tag/mlp-seed-1  bert/tag/mix-3  bert/3/arcs
"""

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn.functional import linear

from explorer.analysis.probing.classifier import MLP_CONFIG, MlpProbe, Standardiser, fit_linear, fit_mlp
from explorer.analysis.probing.mix import fit_mix
from explorer.analysis.probing.sentences import is_mark
from explorer.analysis.probing.structural import (
    fit_structural,
    gold_arcs,
    spanning_tree,
    squared_distances,
    uuas,
)
from explorer.training.probes.data import Part
from explorer.training.probes.stored_states import StoredStates
from explorer.training.probes.tasks import Task

log = logging.getLogger("explorer.training.probes")

SHIPPED_RANK = 32
OTHER_RANKS = (1, 4, 16, 64)
OTHER_SEEDS = (1, 2)  # of the probes with a hidden layer: how far chance moves a figure
MIX_EXAMPLES = 25_000  # a mix reads all its layers for every word: half of the examples do
BLOCK = 8192  # words whose layers are mixed at once when a mix is measured

Made = tuple[dict[str, Any], dict[str, Tensor]]
Step = tuple[str, Callable[[], Made]]


class Work:
    """A folder of finished steps, outside of the checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, steps: Iterator[Step]) -> None:
        """Make what is not there yet."""
        for name, make in steps:
            path = self.path(name)
            if path.exists():
                continue
            began = time.perf_counter()
            figures, tensors = make()
            path.parent.mkdir(parents=True, exist_ok=True)
            if tensors:
                save_file(
                    {key: tensor.contiguous() for key, tensor in tensors.items()},
                    path.with_suffix(".safetensors"),
                )
            figures["seconds"] = round(time.perf_counter() - began, 1)
            path.write_text(json.dumps(figures) + "\n", encoding="utf-8")
            log.info("%s %s", name, figures)

    def path(self, name: str) -> Path:
        """Where a step's figures lie; its tensors lie beside them."""
        return self.folder / "done" / f"{name}.json"

    def figures(self, name: str) -> dict[str, Any] | None:
        """A step's figures, or None where it was not made."""
        path = self.path(name)
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def probe_steps(
    model: str, task: Task, states: dict[str, StoredStates], kind: str, control: bool, seed: int = 0
) -> Iterator[Step]:
    """A probe for each layer: `linear` or `mlp`, on the task or on its control; the MLP from a seed."""
    for layer in range(states["train"].depth):

        def make(layer: int = layer) -> Made:
            train = task.train.vectors(states["train"].layer(layer))
            test = task.test.vectors(states["test"].layer(layer))
            targets, wanted = task.targets("train", control), task.targets("test", control)
            if kind == "mlp":
                probe = fit_mlp(train, targets, len(task.labels), replace(MLP_CONFIG, seed=seed))
                return {"score": task.score(_scores(probe, test).argmax(-1), wanted)}, {}
            fitted = fit_linear(train, targets, task.labels)
            kept = {} if control else {"weight": fitted.weight.half(), "bias": fitted.bias.half()}
            if kept:  # the figure is that of the weights that ship
                fitted = type(fitted)(fitted.labels, kept["weight"].float(), kept["bias"].float())
            return {"score": task.score(fitted.probabilities(test).argmax(-1), wanted)}, kept

        name = f"{kind}{'-control' if control else ''}{f'-seed-{seed}' if seed else ''}"
        yield f"{model}/{layer}/{task.name}/{name}", make


def mix_steps(model: str, task: Task, states: dict[str, StoredStates]) -> Iterator[Step]:
    """A probe on the mix of layers 0 to l, for each l."""

    examples, targets = task.train.first(MIX_EXAMPLES), task.targets("train")[:MIX_EXAMPLES]
    reach = examples.reach

    def make(last: int) -> Made:
        layers = [states["train"].layer(layer)[:reach] for layer in range(last + 1)]
        standards = [Standardiser(layer) for layer in layers]
        ready = [standard(layer) for layer, standard in zip(layers, standards, strict=True)]
        stacked = torch.stack(ready, 1)  # a word's layers side by side: a batch is read in one go
        features = ready[0].shape[1] * (1 if examples.heads is None else 2)
        probe = fit_mix(
            lambda at: examples.at_layers(stacked, at), last + 1, features, targets, len(task.labels)
        )
        mixed = sum(
            share * standard(states["test"].layer(layer))
            for layer, (share, standard) in enumerate(zip(probe.shares.tolist(), standards, strict=True))
        )
        assert isinstance(mixed, Tensor)
        guesses = linear(task.test.vectors(mixed), probe.weight, probe.bias).argmax(-1)
        return {"score": task.score(guesses, task.targets("test")), "shares": probe.shares.tolist()}, {}

    for last in range(states["train"].depth):
        yield f"{model}/{task.name}/mix-{last}", partial(make, last)


def arc_steps(
    model: str, parts: dict[str, Part], states: dict[str, StoredStates], ranks: Sequence[int], name: str
) -> Iterator[Step]:
    """A structural probe of each rank for each layer, and its UUAS on the test part, words only."""
    trees = [sentence.heads for sentence in parts["train"].sentences]
    kept = [[i for i, word in enumerate(s.words) if not is_mark(word)] for s in parts["test"].sentences]
    golds = [gold_arcs(s.heads, words) for s, words in zip(parts["test"].sentences, kept, strict=True)]

    def make(layer: int) -> Made:
        made = fit_structural(states["train"].sentences(layer), trees, ranks)
        made = {rank: matrix.half().float() for rank, matrix in made.items()}
        tests = states["test"].sentences(layer)
        scores = {}
        for rank, matrix in made.items():
            scores[rank] = sum(
                uuas(spanning_tree(squared_distances(one, matrix), words), gold)
                for one, words, gold in zip(tests, kept, golds, strict=True)
                if gold
            ) / sum(map(bool, golds))
        return {"uuas": scores}, {"projection": made[SHIPPED_RANK].half()} if SHIPPED_RANK in made else {}

    for layer in range(states["train"].depth):
        yield f"{model}/{layer}/{name}", partial(make, layer)


def neighbours(parts: dict[str, Part]) -> float:
    """UUAS of the tree in which every word hangs on the next, marks left out."""
    scores = []
    for sentence in parts["test"].sentences:
        words = [i for i, word in enumerate(sentence.words) if not is_mark(word)]
        gold = gold_arcs(sentence.heads, words)
        if gold:
            scores.append(uuas(list(pairwise(words)), gold))
    return sum(scores) / len(scores)


def _scores(probe: MlpProbe, vectors: Tensor) -> Tensor:
    return torch.cat([probe(block) for block in vectors.split(BLOCK)])
