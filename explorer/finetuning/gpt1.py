"""GPT's way of fine-tuning (Radford et al. 2018, section 3): every task becomes texts that it can read.

    classification    start  text  extract
    entailment        start  premise  delimiter  hypothesis  extract
    similarity        both orders of the two texts, and their vectors added
    multiple choice   one text a choice: start  context  delimiter  choice  extract

The three marks are new vectors, learnt with the rest. A head reads the last state of `extract`. Training
makes L3 = L2 + lambda L1 small: the task's loss, and that of predicting the next token of the texts.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.errors import AbilityError, ExplorerError, TextError
from explorer.finetuning.body import copied, trainable
from explorer.finetuning.examples import filled
from explorer.finetuning.whole import CUT, WEIGHT_DECAY, order, share
from explorer.models.base import Model
from explorer.models.transformer import Transformer

Transformation = Literal["classification", "entailment", "similarity", "multiple choice"]
MARKS = ("start", "delimiter", "extract")
SPREAD = 0.02
LAMBDA = 0.5  # the paper's


@dataclass(frozen=True)
class Part:
    """A stretch of a transformed text: one of the three marks, or words."""

    text: str
    mark: bool = False


@dataclass(frozen=True)
class Case:
    """One example: its texts, and the number of the right class, or of the right choice.

    Classification has one text, entailment and similarity have two, multiple choice a context and its
    choices. Raises TextError for an empty one.
    """

    texts: tuple[str, ...]
    right: int = 0

    def __post_init__(self) -> None:
        for text in self.texts:
            filled(text, "text")


def transformed(kind: Transformation, texts: Sequence[str]) -> tuple[tuple[Part, ...], ...]:
    """What GPT reads for a task: one sequence of parts, or several.

    >>> [part.text for part in transformed("entailment", ["It rained.", "It is wet."])[0]]
    ['start', 'It rained.', 'delimiter', 'It is wet.', 'extract']
    >>> len(transformed("similarity", ["a", "b"])), len(transformed("multiple choice", ["a", "b", "c", "d"]))
    (2, 3)

    Raises TextError for a number of texts that the task does not have.
    """
    start, delimiter, extract = (Part(mark, True) for mark in MARKS)
    enough = {"classification": len(texts) == 1, "multiple choice": len(texts) > 2}
    if not enough.get(kind, len(texts) == 2):
        wanted = {"classification": "one text", "multiple choice": "a context and two choices or more"}
        raise TextError(
            f"{len(texts)} texts are not what {kind} reads.", f"Give {wanted.get(kind, 'two texts')}."
        )
    if kind == "classification":
        return ((start, Part(texts[0]), extract),)
    context, *others = texts
    pairs = [(context, other) for other in others]
    if kind == "similarity":
        pairs.append((others[0], context))
    return tuple((start, Part(one), delimiter, Part(other), extract) for one, other in pairs)


@dataclass(frozen=True, eq=False)
class Sequenced:
    """A transformed text in ids: `marks` is the number of the mark at each place, -1 for a token."""

    ids: Int[Tensor, "pos"]
    marks: Int[Tensor, "pos"]


@dataclass(frozen=True)
class Step:
    """One step: `loss` = `task` + lambda `language`, each the mean over a batch, in nats."""

    step: int
    of: int
    loss: float
    task: float
    language: float


class GptTuning(Iterator[Step]):
    """GPT in training on one kind of task; `predict` may be asked at any time.

    `labels` name the classes; multiple choice has none. The same seed gives the same result, on one thread.
    Raises AbilityError for a model that is no GPT, ExplorerError for examples that do not fit.
    """

    def __init__(
        self,
        model: Model,
        kind: Transformation,
        examples: Sequence[Case],
        labels: Sequence[str] = (),
        *,
        lambda_: float = LAMBDA,
        epochs: int = 3,
        batch: int = 8,
        rate: float = 2e-4,
        seed: int = 0,
    ) -> None:
        base = trainable(model)
        network = copied(base.network)
        # The marks' vectors are put in where tokens and positions have been added up.
        if not isinstance(network, Transformer) or not network.causal or network.positions is None:
            raise AbilityError(f"{model.checkpoint} is no GPT.", "Choose gpt: it reads from left to right.")
        if kind != "multiple choice" and len(labels) < 2:
            raise ExplorerError("There must be at least two classes.", "Name them.")
        if not 0 <= lambda_ <= 10:
            raise ExplorerError(f"lambda cannot be {lambda_}.", "Choose 0 (off) to 10; the paper has 0.5.")
        self.model, self.kind, self.labels, self.lambda_ = base, kind, tuple(labels), lambda_
        self._seed, self._batch = seed, batch
        self.network, self._places = network, network.positions
        generator = torch.Generator().manual_seed(seed)
        d, outs = base.config.d_model, len(labels) or 1
        self.marks = (torch.randn(len(MARKS), d, generator=generator) * SPREAD).requires_grad_()
        self.weight = (torch.randn(outs, d, generator=generator) * SPREAD).requires_grad_()
        self._cases = [(self._read(case.texts), case.right) for case in examples]
        self._lengths = [max(len(s.ids) for s in read) for read, _ in self._cases]
        self._per_epoch = math.ceil(len(self._cases) / batch)
        self.step, self.of = 0, self._per_epoch * epochs
        body = [p for p in network.parameters() if p.requires_grad]
        groups = [
            {"params": body, "lr": rate, "top": rate},
            {"params": [self.marks, self.weight], "lr": 10 * rate, "top": 10 * rate},
        ]
        self._optimiser = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY, fused=True)

    def __next__(self) -> Step:
        if self.step == self.of:
            raise StopIteration
        epoch, within = divmod(self.step, self._per_epoch)
        batch = [self._cases[i] for i in order(self._lengths, self._batch, self._seed, epoch)[within]]
        for group in self._optimiser.param_groups:
            group["lr"] = group["top"] * share(self.step, self.of)
        with torch.enable_grad():
            task, language = self.losses(batch)
            loss = task + self.lambda_ * language if self.lambda_ else task
            loss.backward()
        everything = [p for group in self._optimiser.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(everything, CUT)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.step += 1
        return Step(self.step, self.of, float(loss.detach()), float(task.detach()), float(language.detach()))

    def losses(self, batch: Sequence[tuple[list[Sequenced], int]]) -> tuple[Tensor, Tensor]:
        """L2, of the task, and L1, of the next token, of a batch."""
        sequences = [s for read, _ in batch for s in read]
        states, ids, marks = self._states(sequences)
        at, task = 0, []
        for read, right in batch:
            scores = self._scores(states[at : at + len(read)], read)
            task.append(F.cross_entropy(scores[None], torch.tensor([right])))
            at += len(read)
        with torch.set_grad_enabled(self.lambda_ > 0 and torch.is_grad_enabled()):
            plain = (marks[:, 1:] == -1) & (ids[:, 1:] >= 0)  # the next one is a token of the text
            logits = F.linear(states[:, :-1][plain], self.network.tokens.weight)
            language = F.cross_entropy(logits, ids[:, 1:][plain])
        return torch.stack(task).mean(), language

    def measured(self, cases: Sequence[Case]) -> dict[str, float]:
        """Both losses of some cases, `task` and `language`, in nats, and which share of them is `right`.

        Nothing is measured where there is no case.
        """
        if not cases:
            return {}
        with torch.no_grad():
            task, language = self.losses([(self._read(case.texts), case.right) for case in cases])
        said = self.predict([case.texts for case in cases])
        hits = [max(range(len(p)), key=p.__getitem__) == case.right for p, case in zip(said, cases)]
        return {"task": float(task), "language": float(language), "right": sum(hits) / len(hits)}

    def predict(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """The probability of each class, or of each choice, for some inputs."""
        found = []
        with torch.no_grad():
            for some in texts:
                read = self._read(some)
                states, _, _ = self._states(read)
                found.append(self._scores(states, read).softmax(0).tolist())
        return found

    def _read(self, texts: Sequence[str]) -> list[Sequenced]:
        """The ids of each sequence; longer texts are cut so that every mark stays."""
        return [self._ids(parts) for parts in transformed(self.kind, texts)]

    def _ids(self, parts: Sequence[Part]) -> Sequenced:
        room = (self.model.config.positions - len(MARKS)) // sum(not part.mark for part in parts)
        ids, marks = [], []
        for part in parts:
            mine = [0] if part.mark else self.model.tokenizer.pieces(part.text)[:room]
            ids += mine
            marks += [MARKS.index(part.text)] if part.mark else [-1] * len(mine)
        return Sequenced(torch.tensor(ids), torch.tensor(marks))

    def _states(self, sequences: Sequence[Sequenced]) -> tuple[Tensor, Tensor, Tensor]:
        """The last states, after the final norm; and ids and marks, -1 where a row is padding."""
        pad = nn.utils.rnn.pad_sequence
        ids = pad([s.ids for s in sequences], batch_first=True, padding_value=-1)
        marks = pad([s.marks for s in sequences], batch_first=True, padding_value=-1)

        def new(site: str, layer: int, x: Tensor) -> Tensor:
            """The marks' own vectors where they stand."""
            if site != "embedding":
                return x
            placed = self.marks[marks.clamp_min(0)] + self._places.weight[: ids.shape[1]]
            return torch.where((marks >= 0)[..., None], placed, x)

        last = self.network(ids.clamp_min(0), edit=new).last
        return self.network.final_norm(last), ids, marks

    def _scores(
        self, states: Float[Tensor, "text pos d_model"], read: Sequence[Sequenced]
    ) -> Float[Tensor, "label"]:
        """One score a class (similarity: of both orders added), or one a choice."""
        ends = torch.stack([states[row, len(s.ids) - 1] for row, s in enumerate(read)])
        if self.kind == "multiple choice":
            return (ends @ self.weight.T)[:, 0]
        return ends.sum(0) @ self.weight.T
