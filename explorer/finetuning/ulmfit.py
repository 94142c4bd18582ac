"""ULMFiT (Howard and Ruder 2018): a language model tuned on the target's text first, then a classifier.

Its four tricks, here on our gpt (the paper has a three-layer LSTM):

    language model   tuned on the texts alone, labels unseen, before there is a classifier
    slanted          the rate rises for the first tenth of the steps and falls for the rest (equation 3)
    discriminative   each layer learns 2.6 times slower than the one above it
    unfreezing       the classifier learns alone at first; after each epoch one more layer is let go
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.errors import AbilityError
from explorer.finetuning.body import BLOCKS, copied, trainable
from explorer.finetuning.examples import Labelled, check, task_of
from explorer.finetuning.whole import CUT, order
from explorer.models.base import Model
from explorer.models.transformer import Transformer

SLOWER = 2.6
TOP, RATIO = 0.1, 32  # the share of steps that rise, and how much lower the lowest rate is
BATCH, RATE, LANGUAGE_EPOCHS = 8, 3e-4, 2
Stage = Literal["language model", "classifier"]
LAYERS = 3  # the classifier reads the last, the highest and the mean state


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
    """One step: its loss in nats, the rate of the top layer, and which layers learn (0 is the lowest)."""

    stage: Stage
    step: int
    of: int
    loss: float
    rate: float
    learning: tuple[int, ...]


def slanted(step: int, of: int, top: float = TOP, ratio: float = RATIO) -> float:
    """The rate's factor: from 1/32 up to 1 in the first tenth of the steps, and down again (equation 3).

    >>> [round(slanted(step, 100), 2) for step in (0, 5, 10, 55, 100)]
    [0.03, 0.52, 1.0, 0.52, 0.03]
    """
    cut = max(1, math.floor(of * top))
    p = step / cut if step < cut else 1 - (step - cut) / max(1, of - cut)
    return (1 + max(0.0, p) * (ratio - 1)) / ratio


def factor(step: int, of: int, tricks: Tricks) -> float:
    """The share of the highest rate at a step: slanted, or falling from the first step on.

    >>> factor(0, 10, PLAIN), round(factor(0, 10, Tricks()), 2)
    (1.0, 0.03)
    """
    return slanted(step, of) if tricks.slanted else 1 - step / of


def planned(
    sentences: int,
    layers: int,
    tricks: Tricks,
    batch: int = BATCH,
    language_epochs: int = LANGUAGE_EPOCHS,
    epochs: int | None = None,
) -> dict[Stage, int]:
    """How many steps each stage takes: the classifier has an epoch more than layers, to let each of them go.

    >>> planned(80, 6, Tricks())
    {'language model': 20, 'classifier': 70}
    """
    per_epoch = math.ceil(sentences / batch)
    return {
        "language model": per_epoch * language_epochs if tricks.language else 0,
        "classifier": per_epoch * (epochs or layers + 1),
    }


class Ulmfit(Iterator[Step]):
    """A GPT tuned for classes of sentences, step by step; `predict` may be asked at any time.

    `stages` has the number of steps of each stage, `per_epoch` that of an epoch.

    The same seed gives the same result, on one thread. Raises AbilityError for a model that is no GPT,
    ExplorerError for examples that cannot be learnt from.
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
        base = trainable(model)
        network = copied(base.network)
        if not isinstance(network, Transformer) or not network.causal:
            raise AbilityError(f"{model.checkpoint} is no GPT.", "Choose gpt, the language model of ours.")
        self.task = task_of(examples)
        check(self.task, examples)
        self.model, self.tricks = base, tricks
        self._seed, self._batch, self._rate = seed, batch, rate
        self.network = network
        generator = torch.Generator().manual_seed(seed)
        labels = len(self.task.labels)
        self.weight = torch.randn(labels, LAYERS * base.config.d_model, generator=generator) * 0.02
        self.bias = torch.zeros(labels)
        for head in (self.weight, self.bias):
            head.requires_grad_()
        self._ids = [base.encode(example.text).ids for example in examples]
        self._right = [self.task.labels.index(example.label) for example in examples]
        self.per_epoch = math.ceil(len(examples) / batch)
        self.layers = base.config.layers
        self.stages = planned(len(examples), self.layers, tricks, batch, language_epochs, epochs)
        self._steps = self._run()

    def __next__(self) -> Step:
        return next(self._steps)

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The class of each text."""
        with torch.no_grad():
            found = [self._scores([self.model.encode(text).ids])[0].argmax() for text in texts]
        return [self.task.labels[int(i)] for i in found]

    def _run(self) -> Iterator[Step]:
        for stage, of in self.stages.items():
            optimiser = self._optimiser(stage)
            for step in range(of):
                epoch, within = divmod(step, self.per_epoch)
                learning = self._let_go(stage, epoch)
                share = factor(step, of, self.tricks)
                for group in optimiser.param_groups:
                    group["lr"] = group["top"] * share
                batch = order([len(ids) for ids in self._ids], self._batch, self._seed, epoch)[within]
                with torch.enable_grad():
                    loss = self._language(batch) if stage == "language model" else self._classifier(batch)
                    loss.backward()
                nn.utils.clip_grad_norm_([p for g in optimiser.param_groups for p in g["params"]], CUT)
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
                yield Step(stage, step + 1, of, float(loss.detach()), self._rate * share, learning)

    def _let_go(self, stage: str, epoch: int) -> tuple[int, ...]:
        """Which layers learn in an epoch; the others are switched off."""
        gradual = stage == "classifier" and self.tricks.unfreezing
        lowest = max(0, self.layers - epoch) if gradual else 0
        for layer in range(self.layers):
            for parameter in self._layer(layer):
                parameter.requires_grad_(layer >= lowest)
        return tuple(range(lowest, self.layers))

    def _layer(self, layer: int) -> list[nn.Parameter]:
        return [p for n, p in self.network.named_parameters() if n.startswith(f"{BLOCKS}{layer}.")]

    def _optimiser(self, stage: str) -> torch.optim.Optimizer:
        slower = SLOWER if self.tricks.discriminative else 1.0
        groups = [
            {"params": self._layer(layer), "top": self._rate / slower ** (self.layers - 1 - layer)}
            for layer in range(self.layers)
        ]
        if stage == "classifier":
            groups.append({"params": [self.weight, self.bias], "top": 10 * self._rate})
        return torch.optim.AdamW(groups, lr=self._rate, weight_decay=0.01, fused=True)

    def _padded(self, batch: Sequence[Int[Tensor, "pos"]]) -> Int[Tensor, "batch pos"]:
        return nn.utils.rnn.pad_sequence(list(batch), batch_first=True, padding_value=-1)

    def _states(self, ids: Int[Tensor, "batch pos"]) -> Float[Tensor, "batch pos d_model"]:
        states: Tensor = self.network.final_norm(self.network(ids.clamp_min(0)).last)
        return states

    def _language(self, batch: Sequence[int]) -> Tensor:
        """The loss of the next token; a text of one token has none."""
        ids = self._padded([self._ids[i] for i in batch])
        known = ids[:, 1:] >= 0
        states = self._states(ids)[:, :-1][known]
        logits = F.linear(states, self.network.tokens.weight)
        return F.cross_entropy(logits, ids[:, 1:][known]) if len(states) else states.sum()

    def _classifier(self, batch: Sequence[int]) -> Tensor:
        right = torch.tensor([self._right[i] for i in batch])
        return F.cross_entropy(self._scores([self._ids[i] for i in batch]), right)

    def _scores(self, texts: Sequence[Int[Tensor, "pos"]]) -> Float[Tensor, "batch label"]:
        """From the last, the highest and the mean state of each text (concat pooling)."""
        states = self._states(self._padded(texts))
        rows = [states[i, : len(ids)] for i, ids in enumerate(texts)]
        pooled = torch.stack([torch.cat([r[-1], r.max(0).values, r.mean(0)]) for r in rows])
        return pooled @ self.weight.T + self.bias
