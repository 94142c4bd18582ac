"""`python -m measuring.probes`: fit the probes that ship, and measure them.

    python -m measuring.probes --treebank ud_ewt/ --names wikigold.conll.txt --work probes/

writes weights and figures of each model into the work folder, beside those that are there; the app reads
assets/probes. One thread gives the same numbers again. figures.json, by model and task:

    models.bert.tag.linear            a score for each layer; so are mlp and the two controls
    models.bert.tag.mlp-seeds         for each layer the scores from each seed, the first is that of mlp
    models.bert.tag.mix               scores of the mixes of layers 0 to l, and the shares of the last
    models.bert.arcs                  UUAS by rank, a number for each layer
    baselines.tag                     majority, by word, by word on the control task
"""

import argparse
import json
import logging
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

import explorer
from explorer import assets
from explorer.analysis.probing.shipped import ARCS
from measuring.probes import tasks as data
from measuring.probes.fitting import DIGITS, MIX_EXAMPLES, SHIPPED_RANK, neighbours, probe_model
from measuring.probes.tasks import TASKS, Portion, States, Task, task

MODELS = ("word2vec", "elmo", "bert", "bert-mini", "gpt")
COMMAND = "python -m measuring.probes --treebank ud_ewt/ --names wikigold.conll.txt --work probes/"
SOURCES = (
    "Universal Dependencies English Web Treebank (CC BY-SA 4.0), wikigold (CC BY 4.0); "
    "no sentence of either ships"
)

Portions = dict[str, dict[str, Portion]]  # by source and use


def main(arguments: list[str] | None = None) -> None:
    """Fit the probes model by model, and write each model's files."""
    p = argparse.ArgumentParser(
        prog="python -m measuring.probes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--treebank", type=Path, required=True, help="folder with *train*.conllu, *test*.conllu")
    p.add_argument("--names", type=Path, required=True, help="wikigold.conll.txt")
    p.add_argument("--work", type=Path, required=True, help="where the files go")
    p.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS), metavar="NAME")
    a = p.parse_args(arguments)
    logging.basicConfig(level=logging.INFO)
    torch.set_num_threads(1)
    portions: Portions = {"treebank": data.treebank(a.treebank), "names": data.names(a.names)}
    tasks = [task(name, portions) for name in TASKS]
    a.work.mkdir(parents=True, exist_ok=True)
    figures, sizes = (
        assets.data(a.work / name)["models"] if (a.work / name).exists() else {}
        for name in ("figures.json", "config.json")
    )
    for name in a.models:
        model = explorer.load(name)
        states = {
            source: {use: States(model, portion) for use, portion in of.items()}
            for source, of in portions.items()
        }
        figures[name], tensors = probe_model(tasks, portions["treebank"], states)
        save_file(
            {key: tensor.contiguous() for key, tensor in tensors.items()}, a.work / f"{name}.safetensors"
        )
        rank, d_model = tensors[f"0/{ARCS}/projection"].shape
        depth = states["treebank"]["train"].depth
        sizes[name] = {"depth": depth, "d_model": d_model, "rank": rank, "weights": digest(name)}
        _json(a.work / "config.json", config(tasks, portions, sizes))
        _json(a.work / "figures.json", {"models": figures, "baselines": baselines(tasks, portions)})


def config(tasks: list[Task], portions: Portions, sizes: dict[str, Any]) -> dict[str, Any]:
    """Content of config.json."""
    parts = {f"{source} {use}": part for source, of in portions.items() for use, part in of.items()}
    return {
        "command": COMMAND,
        "sources": SOURCES,
        "pieces": "a word is the mean of the states of its pieces",
        "rank": SHIPPED_RANK,
        "examples of a mix": MIX_EXAMPLES,
        "words": {name: sum(map(len, part)) for name, part in parts.items()},
        "sentences": {name: len(part) for name, part in parts.items()},
        "examples": {t.name: {"train": len(t.train.words), "test": len(t.test.words)} for t in tasks},
        "labels": {t.name: list(t.labels) for t in tasks},
        "models": sizes,
    }


def baselines(tasks: list[Task], portions: Portions) -> dict[str, Any]:
    """Scores without a model: the most frequent label, each word's own, and the tree of neighbours."""
    scores: dict[str, Any] = {
        task.name: {
            "majority": round(task.majority(), DIGITS),
            "by_word": round(task.by_word(), DIGITS),
            "by_word_control": round(task.by_word(control=True), DIGITS),
        }
        for task in tasks
    }
    return scores | {ARCS: {"neighbours": round(neighbours(portions["treebank"]["test"]), DIGITS)}}


def digest(model: str) -> str:
    """SHA-256 of the model's weights, from the checkpoint's list."""
    lines = assets.text(assets.CHECKPOINTS / model / "SHA256SUMS").splitlines()
    return next(line.split()[0] for line in lines if line.endswith("model.safetensors"))


def _json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
