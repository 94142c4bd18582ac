"""Named steps that fit probes; a stored result is not computed again.

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
from training.probes.data import Portion
from training.probes.stored_states import StoredStates
from training.probes.tasks import Task

log = logging.getLogger("training.probes")

SHIPPED_RANK = 32
OTHER_RANKS = (1, 4, 16, 64)
OTHER_SEEDS = (1, 2)  # of the probes with a hidden layer, for the effect of chance
MIX_EXAMPLES = 25_000  # half of the examples: a mix reads all its layers for every word
BLOCK = 8192  # words whose layers are mixed at once when a mix is measured

Result = tuple[dict[str, Any], dict[str, Tensor]]
Step = tuple[str, Callable[[], Result]]


class Work:
    """Folder of finished steps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, steps: Iterator[Step]) -> None:
        """Run the steps that have no result yet."""
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
        """File of a step's figures; its tensors are beside it."""
        return self.folder / "done" / f"{name}.json"

    def figures(self, name: str) -> dict[str, Any] | None:
        """Figures of a step, or None if it has not run."""
        path = self.path(name)
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def probe_steps(
    model: str, task: Task, states: dict[str, StoredStates], kind: str, control: bool, seed: int = 0
) -> Iterator[Step]:
    """A probe for each layer, `linear` or `mlp` with a seed, on the task or on its control."""
    for layer in range(states["train"].depth):

        def make(layer: int = layer) -> Result:
            train = task.train.vectors(states["train"].layer(layer))
            test = task.test.vectors(states["test"].layer(layer))
            targets, test_targets = task.targets("train", control), task.targets("test", control)
            if kind == "mlp":
                mlp = fit_mlp(train, targets, len(task.labels), replace(MLP_CONFIG, seed=seed))
                return {"score": task.score(_scores(mlp, test).argmax(-1), test_targets)}, {}
            probe = fit_linear(train, targets, task.labels)
            stored = {} if control else {"weight": probe.weight.half(), "bias": probe.bias.half()}
            if stored:  # measure the weights that ship
                probe = type(probe)(probe.labels, stored["weight"].float(), stored["bias"].float())
            return {"score": task.score(probe.probabilities(test).argmax(-1), test_targets)}, stored

        name = f"{kind}{'-control' if control else ''}{f'-seed-{seed}' if seed else ''}"
        yield f"{model}/{layer}/{task.name}/{name}", make


def mix_steps(model: str, task: Task, states: dict[str, StoredStates]) -> Iterator[Step]:
    """A probe on a mix of layers 0 to l, for each l."""

    examples, targets = task.train.first(MIX_EXAMPLES), task.targets("train")[:MIX_EXAMPLES]
    reach = examples.reach

    def make(last: int) -> Result:
        layers = [states["train"].layer(layer)[:reach] for layer in range(last + 1)]
        standards = [Standardiser(layer) for layer in layers]
        ready = [standard(layer) for layer, standard in zip(layers, standards, strict=True)]
        stacked = torch.stack(ready, 1)  # a word's layers are contiguous: a batch is read at once
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
    model: str, parts: dict[str, Portion], states: dict[str, StoredStates], ranks: Sequence[int], name: str
) -> Iterator[Step]:
    """A structural probe of each rank for each layer, and its test UUAS without punctuation."""
    trees = [sentence.heads for sentence in parts["train"].sentences]
    places = [[i for i, word in enumerate(s.words) if not is_mark(word)] for s in parts["test"].sentences]
    golds = [gold_arcs(s.heads, words) for s, words in zip(parts["test"].sentences, places, strict=True)]

    def make(layer: int) -> Result:
        matrices = fit_structural(states["train"].sentences(layer), trees, ranks)
        matrices = {rank: matrix.half().float() for rank, matrix in matrices.items()}
        tests = states["test"].sentences(layer)
        scores = {}
        for rank, matrix in matrices.items():
            scores[rank] = sum(
                uuas(spanning_tree(squared_distances(one, matrix), words), gold)
                for one, words, gold in zip(tests, places, golds, strict=True)
                if gold
            ) / sum(map(bool, golds))
        shipped = matrices.get(SHIPPED_RANK)
        return {"uuas": scores}, {} if shipped is None else {"projection": shipped.half()}

    for layer in range(states["train"].depth):
        yield f"{model}/{layer}/{name}", partial(make, layer)


def neighbours(parts: dict[str, Portion]) -> float:
    """UUAS of the tree in which every word is connected to the next, without punctuation."""
    scores = []
    for sentence in parts["test"].sentences:
        words = [i for i, word in enumerate(sentence.words) if not is_mark(word)]
        gold = gold_arcs(sentence.heads, words)
        if gold:
            scores.append(uuas(list(pairwise(words)), gold))
    return sum(scores) / len(scores)


def _scores(probe: MlpProbe, vectors: Tensor) -> Tensor:
    return torch.cat([probe(block) for block in vectors.split(BLOCK)])
