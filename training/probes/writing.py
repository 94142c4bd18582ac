"""Finished steps as the files that ship: weights of each model, `config.json`, `figures.json`.

figures.json, by model and task:

    models.bert.tag.linear            a score for each layer; so are mlp and the two controls
    models.bert.tag.mlp-seeds         for each layer the scores from each seed, the first is that of mlp
    models.bert.tag.mix               scores of the mixes of layers 0 to l, and the shares of the last
    models.bert.arcs                  UUAS by rank, a number for each layer
    baselines.tag                     majority, by word, by word on the control task
"""

import json
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file

from explorer import assets
from explorer.analysis.probing.shipped import ARCS
from training.probes.data import Portion
from training.probes.steps import MIX_EXAMPLES, OTHER_SEEDS, SHIPPED_RANK, Work, neighbours
from training.probes.tasks import Task

DIGITS = 4
KINDS = ("linear", "linear-control", "mlp", "mlp-control")
COMMAND = "python -m training.probes --treebank ud_ewt/ --names wikigold.conll.txt --work probes/"
SOURCES = (
    "Universal Dependencies English Web Treebank (CC BY-SA 4.0), wikigold (CC BY 4.0); "
    "no sentence of either ships"
)


def write(
    work: Work,
    tasks: dict[str, Task],
    parts: dict[str, dict[str, Portion]],
    models: list[str],
    folder: Path = assets.PROBES,
) -> None:
    """Write the finished models; a model that is not named or not finished keeps its files."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = {"models": _stored(folder / "figures.json"), "baselines": baselines(tasks, parts)}
    sizes = _stored(folder / "config.json")
    for name in models:
        tensors_ = tensors(work, name, list(tasks))
        if not tensors_:
            continue
        save_file(tensors_, folder / f"{name}.safetensors")
        figures["models"][name] = of_model(work, name, list(tasks))
        rank, d_model = tensors_[f"0/{ARCS}/projection"].shape
        sizes[name] = {
            "depth": sum(key.endswith("projection") for key in tensors_),
            "d_model": d_model,
            "rank": rank,
            "weights": weights(name),
        }
    config = {
        "command": COMMAND,
        "sources": SOURCES,
        "pieces": "a word is the mean of the states of its pieces",
        "rank": SHIPPED_RANK,
        "examples of a mix": MIX_EXAMPLES,
        "words": {f"{source} {use}": part.words for source, of in parts.items() for use, part in of.items()},
        "sentences": {
            f"{source} {use}": len(part.sentences) for source, of in parts.items() for use, part in of.items()
        },
        "examples": {
            name: {"train": len(t.train.words), "test": len(t.test.words)} for name, t in tasks.items()
        },
        "labels": {name: list(task.labels) for name, task in tasks.items()},
        "models": sizes,
    }
    _json(folder / "config.json", config)
    _json(folder / "figures.json", figures)


def tensors(work: Work, model: str, tasks: list[str]) -> dict[str, Any]:
    """Weights of a model's probes; empty if a step is missing."""
    weights_: dict[str, Any] = {}
    depth = max((len(_layers(work, f"{model}/{{}}/{task}/linear", "score")) for task in tasks), default=0)
    for layer in range(depth):
        for step, name in [(ARCS, ARCS), *((f"{task}/linear", task) for task in tasks)]:
            path = work.path(f"{model}/{layer}/{step}").with_suffix(".safetensors")
            if not path.exists():
                return {}
            weights_ |= {f"{layer}/{name}/{key}": tensor for key, tensor in load_file(path).items()}
    return weights_


def of_model(work: Work, model: str, tasks: list[str]) -> dict[str, Any]:
    """Figures of a model that exist for every layer."""
    figures: dict[str, Any] = {}
    arcs, others = (_layers(work, f"{model}/{{}}/{step}", "uuas") for step in (ARCS, "ranks"))
    depth = len(arcs)
    for task in tasks:
        figures[task] = {
            kind: scores
            for kind in KINDS
            if len(scores := _layers(work, f"{model}/{{}}/{task}/{kind}", "score")) == depth
        }
        seeds = [_layers(work, f"{model}/{{}}/{task}/mlp-seed-{seed}", "score") for seed in OTHER_SEEDS]
        if "mlp" in figures[task] and all(len(scores) == depth for scores in seeds):
            figures[task]["mlp-seeds"] = [
                list(layer) for layer in zip(figures[task]["mlp"], *seeds, strict=True)
            ]
        if len(mixes := _layers(work, f"{model}/{task}/mix-{{}}", "score")) == depth:
            last = work.figures(f"{model}/{task}/mix-{len(mixes) - 1}")
            assert last is not None
            figures[task]["mix"] = mixes
            figures[task]["shares"] = [round(share, DIGITS) for share in last["shares"]]
    by_rank = (
        arcs if len(others) < len(arcs) else [one | other for one, other in zip(arcs, others, strict=True)]
    )
    ranks = sorted({int(rank) for layer in by_rank for rank in layer})
    figures[ARCS] = {str(rank): [round(layer[str(rank)], DIGITS) for layer in by_rank] for rank in ranks}
    return figures


def baselines(tasks: dict[str, Task], parts: dict[str, dict[str, Portion]]) -> dict[str, Any]:
    """Scores without a model: the most frequent label, each word's own, and the tree of neighbours."""
    scores: dict[str, Any] = {
        name: {
            "majority": round(task.majority(), DIGITS),
            "by_word": round(task.by_word(), DIGITS),
            "by_word_control": round(task.by_word(control=True), DIGITS),
        }
        for name, task in tasks.items()
    }
    scores[ARCS] = {"neighbours": round(neighbours(parts["treebank"]), DIGITS)}
    return scores


def weights(model: str) -> str:
    """SHA-256 of the model's weights, from the checkpoint's list."""
    lines = assets.text(assets.CHECKPOINTS / model / "SHA256SUMS").splitlines()
    return next(line.split()[0] for line in lines if line.endswith("model.safetensors"))


def _layers(work: Work, name: str, key: str) -> list[Any]:
    """A figure of each layer, up to the first that is missing."""
    values: list[Any] = []
    while (figures := work.figures(name.format(len(values)))) is not None:
        value = figures[key]
        values.append(round(value, DIGITS) if isinstance(value, float) else value)
    return values


def _stored(path: Path) -> dict[str, Any]:
    """A file's entries for models so far."""
    models: dict[str, Any] = assets.data(path)["models"] if path.exists() else {}
    return models


def _json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
