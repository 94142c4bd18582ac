"""A trained head: one linear map from a body's vectors to scores, and how it is used."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.body import Difference, adapted, compressed, vectors
from explorer.finetuning.decode import decoded
from explorer.finetuning.features import Features
from explorer.finetuning.predictions import Prediction
from explorer.finetuning.reading import Input, Read, read
from explorer.finetuning.tasks import Classes, Pairs, Task
from explorer.models.base import Model


@dataclass(frozen=True, eq=False)
class TrainedHead:
    """What training leaves; `predict` uses it.

    `parameters` are `weight` (label, d), `bias` (label), and with learnt layers `mix` (depth) and
    `gamma` (). `difference` is what was added to the body, {} where it was frozen (see
    `explorer.finetuning.body`). `about` says how it was trained: plain numbers and words.

    >>> import explorer
    >>> from explorer.finetuning import library
    >>> head = library.head("sst2", explorer.load("bert"))
    >>> head.checkpoint, head.task.labels
    ('bert', ('negative', 'positive'))
    """

    task: Task
    features: Features
    model: Model
    parameters: Mapping[str, Tensor]
    difference: Difference = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def checkpoint(self) -> str:
        """The body's name."""
        return str(self.model.checkpoint)

    @cached_property
    def body(self) -> Model:
        """The network below the head, as training left it."""
        return adapted(self.model, self.difference)

    @property
    def whole_text(self) -> bool:
        """Whether a text has one row of scores."""
        return isinstance(self.task, Classes | Pairs)

    def read(self, inputs: Iterable[Input]) -> list[Read]:
        """How the body reads some inputs. Raises TextError for what this head does not read."""
        return [read(self.model, self.task, one, self.features) for one in inputs]

    def scores(self, items: list[Read]) -> list[Float[Tensor, "row label"]]:
        """The logits of each input."""
        found: dict[int, Tensor] = {}
        with torch.no_grad():
            for i, some in vectors(self.body, items, self.whole_text, self.features):
                found[i] = logits(self.parameters, some)
        return [found[i] for i in range(len(items))]

    def predict(self, inputs: Iterable[Input]) -> list[Prediction]:
        """What the head says of each input.

        Classes take texts; Pairs (text, text); Tags texts, or lists of words; Answers (passage,
        question). An example will do as well: its label is not looked at. Raises TextError.
        """
        items = self.read(inputs)
        return [decoded(self.task, item, some) for item, some in zip(items, self.scores(items), strict=True)]

    def smaller(self, rank: int) -> "TrainedHead":
        """The same head over the nearest body whose changed matrices have this rank."""
        return replace(self, difference=compressed(self.difference, rank))


def logits(
    parameters: Mapping[str, Tensor], features: Float[Tensor, "kept row d"]
) -> Float[Tensor, "row label"]:
    """The scores of rows: weight x + bias, with x the layers' learnt mix where there are several."""
    if "mix" in parameters:
        weights = parameters["mix"].softmax(0)
        mixed: Tensor = parameters["gamma"] * torch.tensordot(weights, features, dims=1)
    else:
        mixed = features[0]
    return mixed @ parameters["weight"].T + parameters["bias"]
