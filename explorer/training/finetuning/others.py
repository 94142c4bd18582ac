"""Two comparisons: which layers serve names best, and what ULMFiT's tricks give.

    choices   a frozen head for names on each choice of layers (Devlin et al. 2019, table 7), by one body
    ulmfit    sentiment by our gpt, with all of ULMFiT's tricks, with each left out, and with none

`python -m explorer.training.finetuning choices|ulmfit --data FOLDER`; the figures go to assets/finetuning.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import explorer
from explorer.assets import FINETUNING
from explorer.finetuning import Features, Labelled, Tags, frozen
from explorer.finetuning.base_model import hidden_states
from explorer.finetuning.encoding import EncodedExample, encode_example
from explorer.finetuning.examples import Example, task_of
from explorer.finetuning.features import Layers, select_layers
from explorer.finetuning.library import BERT_NAMES
from explorer.finetuning.scores import scores
from explorer.finetuning.store import fingerprint
from explorer.finetuning.task_head import predict_rows
from explorer.finetuning.ulmfit import PLAIN, Tricks, Ulmfit
from explorer.models.base import Model
from explorer.training.finetuning import ready
from explorer.training.finetuning.data import SETS

COMPARED: tuple[Layers, ...] = (*BERT_NAMES, "mix")
NAMES = 600  # sentences that the heads for names learn from
SENTENCES, TEST, SEEDS = 200, 300, 3  # of ULMFiT's comparison
DRAW = 2000


def choices(folder: Path, body: str = ready.BODY) -> None:
    """F1 of names on the test part, by choice of layers; one pass of the body serves them all."""
    sets = SETS["names"](folder)
    learn = ready.drawn(sets.train, NAMES)
    task = task_of([*sets.train, *sets.dev, *sets.test])
    assert isinstance(task, Tags)
    model = explorer.load(body)
    items, mine = _read(model, task, learn)
    others, theirs = _read(model, task, sets.test)
    found = {}
    for layers in COMPARED:
        parameters: dict[str, Tensor] = {}
        for _, now in frozen.train_head(task, items, select_layers(torch.cat(mine, 1), layers)):
            parameters = now
        said = predict_rows(task, others, parameters, [select_layers(some, layers) for some in theirs])
        found[layers] = round(scores(sets.test, said)["f1"], ready.DIGITS)
        print(body, layers, found[layers], flush=True)
    write(
        "choices",
        {
            "command": "python -m explorer.training.finetuning choices",
            "body": body,
            "fingerprint": fingerprint(model),
            "train": len(learn),
            "test": len(sets.test),
            "measure": "f1",
            "scores": found,
        },
    )


def ulmfit(folder: Path) -> None:
    """Accuracy on some of SST-2's test set after so many sentences, a mean over seeds, by tricks."""
    sets = SETS["sst2"](folder)
    test = [e for e in ready.drawn(sets.test, TEST) if isinstance(e, Labelled)]
    every = Tricks()
    ways = {
        "all four": every,
        "without language model": replace(every, language=False),
        "without unfreezing": replace(every, unfreezing=False),
        "plain fine-tuning": PLAIN,
    }
    model = explorer.load("gpt")
    found: dict[str, list[float]] = {way: [] for way in ways}
    for seed in range(SEEDS):
        learn = [e for e in ready.drawn(sets.train, SENTENCES, DRAW + seed) if isinstance(e, Labelled)]
        for way, tricks in ways.items():
            made = Ulmfit(model, learn, tricks=tricks, seed=seed, batch=16)
            for _ in made:
                pass
            said = made.predict([e.text for e in test])
            hits = [label == e.label for label, e in zip(said, test, strict=True)]
            found[way].append(round(sum(hits) / len(hits), ready.DIGITS))
            print(way, seed, found[way][-1], flush=True)
    write(
        "ulmfit",
        {
            "command": "python -m explorer.training.finetuning ulmfit",
            "body": "gpt",
            "train": SENTENCES,
            "test": len(test),
            "measure": "accuracy",
            "scores": found,
        },
    )


def _read(model: Model, task: Tags, examples: Sequence[Example]) -> tuple[list[EncodedExample], list[Tensor]]:
    """How each example is read, and the states of all layers at its words."""
    items = [encode_example(model, task, example, Features()) for example in examples]
    found: list[Tensor] = [torch.empty(0)] * len(items)
    for i, hidden in hidden_states(model, items):
        found[i] = hidden[:, list(items[i].places)].clone()
    return items, found


def write(name: str, content: dict[str, Any]) -> None:
    """Store figures in assets/finetuning."""
    FINETUNING.mkdir(exist_ok=True)
    (FINETUNING / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
