"""The trained task head: one linear map from a model's vectors to scores, and its predictions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.base_model import Difference, apply_difference, feature_vectors
from explorer.finetuning.encoding import EncodedExample, Input, encode_example
from explorer.finetuning.features import Features
from explorer.finetuning.predictions import Prediction, decode
from explorer.finetuning.tasks import Task
from explorer.models.base import Model
from explorer.models.layers import ACTIVATIONS


@dataclass(frozen=True, eq=False)
class TaskHead:
    """The result of a training; `predict` uses it.

    `parameters` are `weight` (label, d), `bias` (label), and with a layer mix `mix` (depth) and `gamma` ().
    One from a model's own files may have a hidden layer: `dense.weight`, `dense.bias` and its `activation`.
    `difference` is what training added to the model, {} if it was frozen (see
    `explorer.finetuning.base_model`). `about` says how it was trained, in plain numbers and words.
    """

    task: Task
    features: Features
    model: Model
    parameters: Mapping[str, Tensor]
    difference: Difference = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    activation: str = ""

    @property
    def checkpoint(self) -> str:
        """The name of the model below it."""
        return str(self.model.checkpoint)

    @cached_property
    def base_model(self) -> Model:
        """The model below it, as training left it."""
        return apply_difference(self.model, self.difference)

    def scores(self, items: list[EncodedExample]) -> list[Float[Tensor, "row label"]]:
        """The logits of each input."""
        with torch.no_grad():
            vectors = feature_vectors(self.base_model, items, self.task.whole_text, self.features)
            by_number = {i: logits(self.parameters, rows, self.activation) for i, rows in vectors}
        return [by_number[i] for i in range(len(items))]

    def predict(self, inputs: Iterable[Input]) -> list[Prediction]:
        """A prediction for each input.

        Classes take texts; Pairs (text, text); Tags texts, or lists of words; Answers (passage,
        question). An example will do as well: its label is not used. Raises TextError.
        """
        items = [encode_example(self.model, self.task, text, self.features) for text in inputs]
        return [decode(self.task, *pair) for pair in zip(items, self.scores(items), strict=True)]


def logits(
    parameters: Mapping[str, Tensor], features: Float[Tensor, "depth row d"], activation: str = ""
) -> Float[Tensor, "row label"]:
    """The scores of rows: weight x + bias, where x is the learnt mix of several layers or a hidden one."""
    if "mix" in parameters:
        weights = parameters["mix"].softmax(0)
        x: Tensor = parameters["gamma"] * torch.tensordot(weights, features, dims=1)
    else:
        x = features[0]
    if activation:
        x = ACTIVATIONS[activation](x @ parameters["dense.weight"].T + parameters["dense.bias"])
    return x @ parameters["weight"].T + parameters["bias"]


def predict_rows(
    task: Task,
    items: Sequence[EncodedExample],
    parameters: Mapping[str, Tensor],
    rows: Sequence[Float[Tensor, "depth row d"]],
) -> list[Prediction]:
    """The predictions from the rows that a head reads of each item; rows beyond the items are ignored."""
    with torch.no_grad():
        return [decode(task, item, logits(parameters, row)) for item, row in zip(items, rows)]
