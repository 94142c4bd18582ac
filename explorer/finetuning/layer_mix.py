"""A learnt mix of a frozen model's layers (Peters et al. 2018, equation 1), watched while it is learnt.

    gamma * sum over layers j of softmax(s)_j h_j

A linear map reads the mix, and the weights are learnt with it. Each layer is first brought to the same
spread, for which the paper has layer normalisation. Afterwards the mix and each layer alone are compared: in
each of four parts of the examples in turn, after training on the other three, so that every example is
measured once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from explorer.finetuning.encoding import encode_example
from explorer.finetuning.examples import Example
from explorer.finetuning.features import Features
from explorer.finetuning.frozen import STEPS, extract_features, train_head
from explorer.finetuning.predictions import Prediction
from explorer.finetuning.sampling import folds
from explorer.finetuning.scores import MAIN, scores
from explorer.finetuning.task_head import predict_rows
from explorer.finetuning.tasks import Task
from explorer.models.base import Model

FEATURES = Features("mix", "mean")
EVERY = 4  # examples between two records while the model reads
FOLDS = 4
# Penalties of the squared weights and of the layers' squared scores, the second as small as in Peters et al.
# 2018 for most tasks. With 2.0 and 0.1, as for a head of one layer, the mix stays near the mean of all layers
# and is worse than the best of them.
DECAY, MIX_DECAY = 0.5, 0.01
MIX = slice(None)


def train_layer_mix(
    model: Model, task: Task, examples: Sequence[Example], seed: int
) -> Iterator[dict[str, Any]]:
    """Records of `stage` "reading", then "training", then "compared" for the mix and for each layer.

    All have `step` of `of`. Training has `loss` in nats, the `weights` of the layers (they sum to 1),
    `gamma`, and `score` (the main measure on the part that is held out). Compared has `layer`, None for the
    mix, and `score`, over all examples.
    """
    items = [encode_example(model, task, example, FEATURES) for example in examples]
    rows: list[Tensor] = []
    for count, rows_read in extract_features(model, task, items, FEATURES, EVERY):
        rows = rows_read
        yield {"stage": "reading", "step": count, "of": len(items)}
    readable = [i for i, item in enumerate(items) if item.targets]
    rows = of_one_spread(rows, readable)
    parts = folds([examples[i] for i in readable], FOLDS, seed)
    held_out = [[readable[i] for i in part] for part in parts]

    def fit(part: Sequence[int], layers: slice) -> Iterator[tuple[float, dict[str, Tensor]]]:
        train = [i for i in readable if i not in part]
        features = torch.cat([rows[i][layers] for i in train], 1)
        return train_head(task, [items[i] for i in train], features, decay=DECAY, mix_decay=MIX_DECAY)

    def predict(part: Sequence[int], layers: slice, parameters: dict[str, Tensor]) -> list[Prediction]:
        return predict_rows(task, [items[i] for i in part], parameters, [rows[i][layers] for i in part])

    def score(part: Sequence[int], predictions: Sequence[Prediction]) -> float:
        return scores([examples[i] for i in part], predictions)[MAIN[task.kind]]

    for step, (loss, parameters) in enumerate(fit(held_out[0], MIX), 1):
        yield {
            "stage": "training",
            "step": step,
            "of": STEPS,
            "loss": loss,
            "weights": parameters["mix"].softmax(0).tolist(),
            "gamma": float(parameters["gamma"]),
            "score": score(held_out[0], predict(held_out[0], MIX, parameters)),
        }
    depth = len(rows[0])
    for step, layer in enumerate([None, *range(depth)], 1):
        layers = MIX if layer is None else slice(layer, layer + 1)
        predictions: list[Prediction] = []
        for part in held_out:
            *_, (_, parameters) = fit(part, layers)
            predictions += predict(part, layers, parameters)
        measured = score([i for part in held_out for i in part], predictions)
        yield {"stage": "compared", "step": step, "of": depth + 1, "layer": layer, "score": measured}


def of_one_spread(rows: Sequence[Tensor], readable: Sequence[int]) -> list[Tensor]:
    """The rows of each example, each layer centred and divided by the spread of all its numbers."""
    every = torch.cat([rows[i] for i in readable], 1)
    centre = every.mean(1, keepdim=True)
    spread = (every - centre).square().mean((1, 2), keepdim=True).sqrt().clamp_min(1e-6)
    return [(row - centre) / spread for row in rows]
