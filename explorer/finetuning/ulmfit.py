"""ULMFiT (Howard and Ruder 2018): a language model tuned on the target's texts first, then a classifier.

Its four tricks, here on our gpt (the paper has a three-layer LSTM):

    language model   tuned on the texts alone, without labels, before there is a classifier
    slanted          the rate rises for the first tenth of the steps and falls for the rest (equation 3)
    discriminative   each layer's rate is 2.6 times lower than that of the layer above
    unfreezing       the classifier is trained alone at first; after each epoch one more layer is unfrozen
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.finetuning.base_model import BLOCKS
from explorer.finetuning.causal import PADDING, causal_copy, next_token_loss, pad
from explorer.finetuning.examples import Labelled, check, task_of
from explorer.finetuning.minibatches import Minibatches
from explorer.models.base import Model

SLOWER = 2.6
TOP, RATIO = 0.1, 32  # the share of steps that rise, and how much lower the lowest rate is
BATCH, RATE, LANGUAGE_EPOCHS = 8, 3e-4, 2
Stage = Literal["language model", "classifier"]
POOLS = 3  # the classifier reads the last, the highest and the mean state


@dataclass(frozen=True)
class Tricks:
    """Which of the four are on; all off is plain fine-tuning."""

    language: bool = True
    slanted: bool = True
    discriminative: bool = True
    unfreezing: bool = True


PLAIN = Tricks(False, False, False, False)


@dataclass(frozen=True)
class Step:
    """One step: its loss in nats, the rate of the top layer, and which layers are trained (0: the lowest)."""

    stage: Stage
    step: int
    of: int
    loss: float
    rate: float
    learning: tuple[int, ...]


def slanted_triangle(step: int, of: int, top: float = TOP, ratio: float = RATIO) -> float:
    """The rate's factor: from 1/32 up to 1 in the first tenth of the steps, and down again (equation 3).

    >>> [round(slanted_triangle(step, 100), 2) for step in (0, 5, 10, 55, 100)]
    [0.03, 0.52, 1.0, 0.52, 0.03]
    """
    cut = max(1, math.floor(of * top))
    p = step / cut if step < cut else 1 - (step - cut) / max(1, of - cut)
    return (1 + max(0.0, p) * (ratio - 1)) / ratio


def rate_factor(step: int, of: int, tricks: Tricks) -> float:
    """The share of the highest rate at a step: slanted, or falling from the first step on.

    >>> rate_factor(0, 10, PLAIN), round(rate_factor(0, 10, Tricks()), 2)
    (1.0, 0.03)
    """
    return slanted_triangle(step, of) if tricks.slanted else 1 - step / of


def stage_epochs(
    layers: int, tricks: Tricks, language_epochs: int = LANGUAGE_EPOCHS, epochs: int | None = None
) -> dict[Stage, int]:
    """The epochs of each stage: the classifier has one more than layers, to unfreeze each of them.

    >>> stage_epochs(6, Tricks())
    {'language model': 2, 'classifier': 7}
    """
    return {"language model": language_epochs if tricks.language else 0, "classifier": epochs or layers + 1}


def stage_steps(sentences: int, layers: int, tricks: Tricks) -> dict[Stage, int]:
    """How many steps each stage takes by default.

    >>> stage_steps(80, 6, Tricks())
    {'language model': 20, 'classifier': 70}
    """
    per_epoch = math.ceil(sentences / BATCH)
    return {stage: epochs * per_epoch for stage, epochs in stage_epochs(layers, tricks).items()}


class Ulmfit(Iterator[Step]):
    """A causal model tuned for classes of sentences; `predict` may be called at any time.

    `stages` has the number of steps of each stage, `per_epoch` that of an epoch. The same seed gives the
    same result, on one thread. Raises AbilityError for a model that is not causal, ExplorerError for
    unsuitable examples.
    """

    def __init__(
        self,
        model: Model,
        examples: Sequence[Labelled],
        *,
        tricks: Tricks = Tricks(),
        language_epochs: int = LANGUAGE_EPOCHS,
        epochs: int | None = None,
        batch: int = BATCH,
        rate: float = RATE,
        seed: int = 0,
    ) -> None:
        self.model, self.network = causal_copy(model)
        self.task = task_of(examples)
        check(self.task, examples)
        self.tricks, self.layers = tricks, self.model.config.layers
        self._seed, self._batch, self._rate = seed, batch, rate
        generator = torch.Generator().manual_seed(seed)
        labels = len(self.task.labels)
        d = POOLS * self.model.config.d_model
        self.weight = (torch.randn(labels, d, generator=generator) * 0.02).requires_grad_()
        self.bias = torch.zeros(labels).requires_grad_()
        self._ids = [self.model.encode(example.text).ids for example in examples]
        self._right = [self.task.labels.index(example.label) for example in examples]
        self.per_epoch = math.ceil(len(examples) / batch)
        self._epochs = stage_epochs(self.layers, tricks, language_epochs, epochs)
        self.stages = {stage: count * self.per_epoch for stage, count in self._epochs.items()}
        self._steps = self._run()

    def __next__(self) -> Step:
        return next(self._steps)

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The class of each text."""
        with torch.no_grad():
            best = [self._scores([self.model.encode(text).ids])[0].argmax() for text in texts]
        return [self.task.labels[int(i)] for i in best]

    def _run(self) -> Iterator[Step]:
        lengths = [len(ids) for ids in self._ids]
        schedule = partial(rate_factor, tricks=self.tricks)
        for stage, epochs in self._epochs.items():
            batches = Minibatches(self._groups(stage), lengths, self._batch, epochs, self._seed, schedule)
            loss = self._language_loss if stage == "language model" else self._classifier_loss
            while batches.completed < batches.total:
                rate = self._rate * schedule(batches.completed, batches.total)
                layers = self._unfreeze(stage, batches.epoch)
                value = batches.step(partial(_backward, loss))
                yield Step(stage, batches.completed, batches.total, value, rate, layers)

    def _unfreeze(self, stage: Stage, epoch: int) -> tuple[int, ...]:
        """The layers that are trained in an epoch; gradients are switched on for these alone."""
        gradual = stage == "classifier" and self.tricks.unfreezing
        lowest = max(0, self.layers - epoch) if gradual else 0
        for layer in range(self.layers):
            for parameter in self._layer(layer):
                parameter.requires_grad_(layer >= lowest)
        return tuple(range(lowest, self.layers))

    def _layer(self, layer: int) -> list[nn.Parameter]:
        return [p for n, p in self.network.named_parameters() if n.startswith(f"{BLOCKS}{layer}.")]

    def _groups(self, stage: Stage) -> list[dict[str, object]]:
        """Each layer's parameters with its highest rate."""
        slower = SLOWER if self.tricks.discriminative else 1.0
        groups: list[dict[str, object]] = [
            {"params": self._layer(layer), "lr": self._rate / slower ** (self.layers - 1 - layer)}
            for layer in range(self.layers)
        ]
        if stage == "classifier":
            groups.append({"params": [self.weight, self.bias], "lr": 10 * self._rate})
        return groups

    def _states(self, ids: Int[Tensor, "batch pos"]) -> Float[Tensor, "batch pos d_model"]:
        return self.network.final_norm(self.network(ids.clamp_min(0)).last)

    def _language_loss(self, batch: Sequence[int]) -> Tensor:
        ids = pad([self._ids[i] for i in batch])
        return next_token_loss(self.network, self._states(ids), ids, ids[:, 1:] != PADDING)

    def _classifier_loss(self, batch: Sequence[int]) -> Tensor:
        right = torch.tensor([self._right[i] for i in batch])
        return F.cross_entropy(self._scores([self._ids[i] for i in batch]), right)

    def _scores(self, texts: Sequence[Int[Tensor, "pos"]]) -> Float[Tensor, "batch label"]:
        """From the last, the highest and the mean state of each text (concat pooling)."""
        states = self._states(pad(texts))
        rows = [states[i, : len(ids)] for i, ids in enumerate(texts)]
        pooled = torch.stack([torch.cat([r[-1], r.max(0).values, r.mean(0)]) for r in rows])
        return pooled @ self.weight.T + self.bias


def _backward(loss: Callable[[Sequence[int]], Tensor], batch: Sequence[int]) -> float:
    value = loss(batch)
    value.backward()
    return float(value.detach())
