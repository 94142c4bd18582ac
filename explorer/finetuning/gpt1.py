"""GPT's way of fine-tuning (Radford et al. 2018, section 3): every task becomes texts that it can read.

    classification    start  text  extract
    entailment        start  premise  delimiter  hypothesis  extract
    similarity        both orders of the two texts, and their vectors added
    multiple choice   one text a choice: start  context  delimiter  choice  extract

The three marks are new vectors, trained with the rest. A linear map reads the last state of `extract`.
Training minimises L3 = L2 + lambda L1: the task's loss, and that of predicting the next token of the texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import ExplorerError, TextError
from explorer.finetuning.causal import PADDING, causal_copy, next_token_loss, pad
from explorer.finetuning.examples import require_text
from explorer.finetuning.minibatches import Minibatches
from explorer.models.base import Model

Transformation = Literal["classification", "entailment", "similarity", "multiple choice"]
MARKS = ("start", "delimiter", "extract")
SPREAD = 0.02
LAMBDA = 0.5  # the paper's


@dataclass(frozen=True)
class Segment:
    """A stretch of a transformed text: one of the three marks, or words."""

    text: str
    mark: bool = False


@dataclass(frozen=True)
class GptExample:
    """One example: its texts, and the number of the right class, or of the right choice.

    Classification has one text, entailment and similarity have two, multiple choice a context and its
    choices. Raises TextError for an empty one.
    """

    texts: tuple[str, ...]
    right: int = 0

    def __post_init__(self) -> None:
        for text in self.texts:
            require_text(text, "text")


def transform(kind: Transformation, texts: Sequence[str]) -> tuple[tuple[Segment, ...], ...]:
    """What GPT reads for a task: one sequence of segments, or several.

    >>> [segment.text for segment in transform("entailment", ["It rained.", "It is wet."])[0]]
    ['start', 'It rained.', 'delimiter', 'It is wet.', 'extract']
    >>> len(transform("similarity", ["a", "b"])), len(transform("multiple choice", ["a", "b", "c", "d"]))
    (2, 3)

    Raises TextError for a number of texts that does not fit the task.
    """
    start, delimiter, extract = (Segment(mark, True) for mark in MARKS)
    fits = {"classification": len(texts) == 1, "multiple choice": len(texts) > 2}
    if not fits.get(kind, len(texts) == 2):
        inputs = {"classification": "one text", "multiple choice": "a context and two choices or more"}
        raise TextError(
            f"{len(texts)} texts are not what {kind} reads.", f"Give {inputs.get(kind, 'two texts')}."
        )
    if kind == "classification":
        return ((start, Segment(texts[0]), extract),)
    context, *others = texts
    pairs = [(context, other) for other in others]
    if kind == "similarity":
        pairs.append((others[0], context))
    return tuple((start, Segment(first), delimiter, Segment(last), extract) for first, last in pairs)


@dataclass(frozen=True, eq=False)
class TokenSequence:
    """A transformed text in ids: `marks` has the number of the mark at each position, -1 for a token."""

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
    """A causal model in training on one kind of task; `predict` may be called at any time.

    `labels` name the classes; multiple choice has none. The same seed gives the same result, on one thread.
    Raises AbilityError for a model that is not causal, ExplorerError for unsuitable examples.
    """

    def __init__(
        self,
        model: Model,
        kind: Transformation,
        examples: Sequence[GptExample],
        labels: Sequence[str] = (),
        *,
        lambda_: float = LAMBDA,
        epochs: int = 3,
        batch: int = 8,
        rate: float = 2e-4,
        seed: int = 0,
    ) -> None:
        self.model, self.network = causal_copy(model)
        if kind != "multiple choice" and len(labels) < 2:
            raise ExplorerError("There must be at least two classes.", "Name them.")
        if not 0 <= lambda_ <= 10:
            raise ExplorerError(f"lambda cannot be {lambda_}.", "Choose 0 (off) to 10; the paper has 0.5.")
        self.kind, self.labels, self.lambda_ = kind, tuple(labels), lambda_
        generator = torch.Generator().manual_seed(seed)
        d = self.model.config.d_model
        self.marks = (torch.randn(len(MARKS), d, generator=generator) * SPREAD).requires_grad_()
        self.weight = (torch.randn(len(labels) or 1, d, generator=generator) * SPREAD).requires_grad_()
        self._examples = self._encode(examples)
        groups = [
            {"params": [p for p in self.network.parameters() if p.requires_grad], "lr": rate},
            {"params": [self.marks, self.weight], "lr": 10 * rate},
        ]
        lengths = [max(len(s.ids) for s in sequences) for sequences, _ in self._examples]
        self._batches = Minibatches(groups, lengths, batch, epochs, seed)
        self.of = self._batches.total

    def __next__(self) -> Step:
        if self._batches.completed == self.of:
            raise StopIteration
        losses = self._batches.step(self._backward)
        return Step(self._batches.completed, self.of, *losses)

    def _backward(self, batch: Sequence[int]) -> tuple[float, float, float]:
        task, language = self.losses([self._examples[i] for i in batch])
        loss = task + self.lambda_ * language if self.lambda_ else task
        loss.backward()
        return float(loss.detach()), float(task.detach()), float(language.detach())

    def losses(self, examples: Sequence[tuple[list[TokenSequence], int]]) -> tuple[Tensor, Tensor]:
        """L2, of the task, and L1, of the next token, of encoded examples."""
        states, ids, marks = self._states([s for sequences, _ in examples for s in sequences])
        row, task = 0, []
        for sequences, right in examples:
            scores = self._scores(states[row : row + len(sequences)], sequences)
            task.append(F.cross_entropy(scores[None], torch.tensor([right])))
            row += len(sequences)
        with torch.set_grad_enabled(self.lambda_ > 0 and torch.is_grad_enabled()):
            of_text = (marks[:, 1:] == -1) & (ids[:, 1:] != PADDING)
            language = next_token_loss(self.network, states, ids, of_text)
        return torch.stack(task).mean(), language

    def evaluate(self, examples: Sequence[GptExample]) -> dict[str, float]:
        """Both losses, `task` and `language`, in nats, and the accuracy, `right`; {} without examples."""
        if not examples:
            return {}
        with torch.no_grad():
            task, language = self.losses(self._encode(examples))
        rows = self.predict([example.texts for example in examples])
        hits = [max(range(len(p)), key=p.__getitem__) == e.right for p, e in zip(rows, examples)]
        return {"task": float(task), "language": float(language), "right": sum(hits) / len(hits)}

    def predict(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """The probability of each class, or of each choice, for some inputs."""
        rows = []
        with torch.no_grad():
            for sequences, _ in self._encode([GptExample(tuple(some)) for some in texts]):
                states, _, _ = self._states(sequences)
                rows.append(self._scores(states, sequences).softmax(0).tolist())
        return rows

    def _encode(self, examples: Sequence[GptExample]) -> list[tuple[list[TokenSequence], int]]:
        """The sequences of each example, and its right class or choice."""
        return [([self._ids(s) for s in transform(self.kind, e.texts)], e.right) for e in examples]

    def _ids(self, segments: Sequence[Segment]) -> TokenSequence:
        """The ids of a sequence; longer texts are truncated so that every mark stays."""
        limit = (self.model.config.positions - len(MARKS)) // sum(not s.mark for s in segments)
        ids, marks = [], []
        for segment in segments:
            tokens = [0] if segment.mark else self.model.tokenizer.pieces(segment.text)[:limit]
            ids += tokens
            marks += [MARKS.index(segment.text)] if segment.mark else [-1] * len(tokens)
        return TokenSequence(torch.tensor(ids), torch.tensor(marks))

    def _states(self, sequences: Sequence[TokenSequence]) -> tuple[Tensor, Tensor, Tensor]:
        """The last states, after the final norm; and ids and marks, padded to rows."""
        ids, marks = pad([s.ids for s in sequences]), pad([s.marks for s in sequences])

        def edit(site: str, layer: int, x: Tensor) -> Tensor:
            """Put the marks' vectors in, after tokens and learnt positions have been added up."""
            if site != "embedding":
                return x
            vectors, positions = self.marks[marks.clamp_min(0)], self.network.positions
            if positions is not None:
                vectors = vectors + positions.weight[: ids.shape[1]]
            return torch.where((marks >= 0)[..., None], vectors, x)

        last = self.network(ids.clamp_min(0), edit=edit).last
        return self.network.final_norm(last), ids, marks

    def _scores(
        self, states: Float[Tensor, "text pos d_model"], sequences: Sequence[TokenSequence]
    ) -> Float[Tensor, "label"]:
        """A score for each class (similarity: both orders added), or for each choice."""
        ends = torch.stack([states[row, len(s.ids) - 1] for row, s in enumerate(sequences)])
        if self.kind == "multiple choice":
            return (ends @ self.weight.T)[:, 0]
        return ends.sum(0) @ self.weight.T
