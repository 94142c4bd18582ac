"""A learnt mix of a frozen body's layers (Peters et al. 2018, equation 1), watched while it is learnt.

    gamma * sum over layers j of softmax(s)_j h_j

A small head reads the mix; the weights are learnt with it. Afterwards each layer stands alone under a head
of the same kind, so that one sees what the mix is worth.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from explorer.finetuning import frozen
from explorer.finetuning.decode import decoded
from explorer.finetuning.examples import Example
from explorer.finetuning.features import Features
from explorer.finetuning.heads import logits
from explorer.finetuning.reading import read
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.tasks import Task
from explorer.models.base import Model

FEATURES = Features("mix", "mean")
TOLD = 4  # examples between two moments while the body reads


def mixed(
    model: Model, task: Task, learn: Sequence[Example], aside: Sequence[Example]
) -> Iterator[dict[str, Any]]:
    """Moments: `stage` "reading", then "training", then "alone" for each layer; `step` of `of`.

    Training has `loss` in nats, the `weights` of the layers (they sum to 1), `gamma`, and `score` (the main
    measure on what is kept aside, None where nothing is); alone has `layer` and `score`.
    """
    every = [*learn, *aside]
    items = [read(model, task, example, FEATURES) for example in every]
    kept = [i for i, item in enumerate(items) if item.targets]
    mine, others = [i for i in kept if i < len(learn)], [i for i in kept if i >= len(learn)]
    rows: list[Tensor] = []
    for done, found in frozen.made(model, task, items, FEATURES, TOLD):
        rows = found
        yield {"stage": "reading", "step": done, "of": len(items)}

    def score(parameters: dict[str, Tensor], layers: slice) -> float | None:
        said = [decoded(task, items[i], logits(parameters, rows[i][layers])) for i in others]
        return scores([every[i] for i in others], said)[MAIN[task.kind]] if said else None

    features, known = torch.cat([rows[i] for i in mine], 1), [items[i] for i in mine]
    of = frozen.STEPS
    for step, (loss, parameters) in enumerate(frozen.trained(task, known, features), 1):
        yield {
            "stage": "training",
            "step": step,
            "of": of,
            "loss": loss,
            "weights": parameters["mix"].softmax(0).tolist(),
            "gamma": float(parameters["gamma"]),
            "score": score(parameters, slice(None)),
        }
    for layer in range(len(features)):
        one = slice(layer, layer + 1)
        *_, (_, parameters) = frozen.trained(task, known, features[one])
        yield {"stage": "alone", "step": of, "of": of, "layer": layer, "score": score(parameters, one)}
