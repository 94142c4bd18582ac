"""A learnt mix of a frozen model's layers (Peters et al. 2018, equation 1), watched while it is learnt.

    gamma * sum over layers j of softmax(s)_j h_j

A linear map reads the mix, and the weights are learnt with it. Afterwards the same map is trained on each
layer alone, which shows what the mix gains.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from explorer.finetuning.encoding import encode_example
from explorer.finetuning.examples import Example
from explorer.finetuning.features import Features
from explorer.finetuning.frozen import STEPS, extract_features, train_head
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.task_head import predict_rows
from explorer.finetuning.tasks import Task
from explorer.models.base import Model

FEATURES = Features("mix", "mean")
EVERY = 4  # examples between two records while the model reads


def train_layer_mix(
    model: Model, task: Task, training: Sequence[Example], held_out: Sequence[Example]
) -> Iterator[dict[str, Any]]:
    """Records of `stage` "reading", then "training", then "alone" for each layer; `step` of `of`.

    Training has `loss` in nats, the `weights` of the layers (they sum to 1), `gamma`, and `score` (the main
    measure on the held-out examples, None without any); alone has `layer` and `score`.
    """
    examples = [*training, *held_out]
    items = [encode_example(model, task, example, FEATURES) for example in examples]
    rows: list[Tensor] = []
    for count, rows_read in extract_features(model, task, items, FEATURES, EVERY):
        rows = rows_read
        yield {"stage": "reading", "step": count, "of": len(items)}
    readable = [i for i, item in enumerate(items) if item.targets]
    train = [i for i in readable if i < len(training)]
    test = [i for i in readable if i >= len(training)]

    def score(parameters: dict[str, Tensor], layers: slice) -> float | None:
        test_rows = [rows[i][layers] for i in test]
        predictions = predict_rows(task, [items[i] for i in test], parameters, test_rows)
        return scores([examples[i] for i in test], predictions)[MAIN[task.kind]] if test else None

    features, train_items = torch.cat([rows[i] for i in train], 1), [items[i] for i in train]
    for step, (loss, parameters) in enumerate(train_head(task, train_items, features), 1):
        yield {
            "stage": "training",
            "step": step,
            "of": STEPS,
            "loss": loss,
            "weights": parameters["mix"].softmax(0).tolist(),
            "gamma": float(parameters["gamma"]),
            "score": score(parameters, slice(None)),
        }
    for layer in range(len(features)):
        alone = slice(layer, layer + 1)
        *_, (_, parameters) = train_head(task, train_items, features[alone])
        yield {
            "stage": "alone",
            "step": STEPS,
            "of": STEPS,
            "layer": layer,
            "score": score(parameters, alone),
        }
