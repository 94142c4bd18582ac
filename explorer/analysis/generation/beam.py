"""Beam search: a probable text, found by extending a few hypotheses at a time.

    score(text) = log P(text | prompt) / ((5 + tokens) / 6) ^ length_penalty

Every step extends each hypothesis by every token and keeps the `width` best of all; a hypothesis that has
ended is not extended. The penalty is that of Wu et al., "Google's Neural Machine Translation System" (2016),
equation 14; with 0 the score is log P, which favours short texts.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.generation.writing import Writing
from explorer.errors import ExplorerError
from explorer.generation.engine import CachedText, StepRequest
from explorer.models.language_model import LanguageModel
from explorer.trace import captured


@dataclass(frozen=True)
class Beam:
    """The settings of a beam search; a `length_penalty` above 0 favours longer texts.

    Raises ExplorerError for invalid values.

    >>> Beam(width=0)
    Traceback (most recent call last):
    explorer.errors.ExplorerError: A beam cannot be 0 wide. Choose 1 or more.
    """

    width: int = 4
    max_new_tokens: int = 40
    length_penalty: float = 0.0

    def __post_init__(self) -> None:
        if self.width < 1:
            raise ExplorerError(f"A beam cannot be {self.width} wide.", "Choose 1 or more.")
        if self.max_new_tokens < 1:
            raise ExplorerError(f"The length cannot be {self.max_new_tokens}.", "Choose 1 token or more.")
        if not 0 <= self.length_penalty < float("inf"):
            raise ExplorerError(
                f"The length penalty cannot be {self.length_penalty}.", "Choose 0 or a number above 0."
            )


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A continuation that may still grow, or has `ended` with the end-of-text token."""

    ids: list[int]
    text: str
    log_probability: float
    score: float
    ended: bool


class BeamSearch(Writing[list[Hypothesis]]):
    """The hypotheses after each step, best first; `ids` and `text` are those of the best."""

    def __init__(self, model: LanguageModel, prompt: str, beam: Beam) -> None:
        super().__init__(model, prompt, beam.max_new_tokens)
        self.beam = beam
        self.alive: list[Hypothesis] = [Hypothesis([], "", 0.0, 0.0, False)]
        self._texts: list[CachedText] = [
            self._unread_prompt()
        ]  # of the hypotheses that have not ended, in order

    @property
    def best(self) -> Hypothesis:
        """The hypothesis with the highest score so far."""
        return self.alive[0]

    @property
    def ids(self) -> list[int]:
        """The tokens of the best hypothesis."""
        return self.best.ids

    def step(self, wait: float | None = None) -> list[Hypothesis] | None:
        """The best hypotheses after one more token; None at the end, or if the step takes longer than
        `wait`."""
        request = self._run(lambda: StepRequest(self._texts), wait)
        if request is None:
            return None
        with self._guard:
            if self.ending is not None:
                return None
            self._extend(captured(request.logits).double().log_softmax(-1))
            return self.alive

    def _extend(self, log_probabilities: Float[Tensor, "batch d_vocab"]) -> None:
        """Keep the best of all extensions and of the hypotheses that have ended."""
        open_, width = [h for h in self.alive if not h.ended], self.beam.width
        totals = log_probabilities + torch.tensor([[h.log_probability] for h in open_], dtype=torch.float64)
        top = totals.flatten().topk(min(width, totals.numel()))
        pool: list[tuple[Hypothesis, int | None]] = [(h, None) for h in self.alive if h.ended]
        for index, log_probability in zip(top.indices.tolist(), top.values.tolist(), strict=True):
            parent, id = divmod(index, totals.shape[1])
            pool.append((self._extend_hypothesis(open_[parent], id, log_probability), parent))
        best = sorted(pool, key=lambda pair: -pair[0].score)[:width]
        self.alive = [hypothesis for hypothesis, _ in best]
        self._texts = self._read_on([(h, i) for h, i in best if i is not None and not h.ended])
        longest = max(len(h.ids) for h in self.alive)
        # Without a penalty no longer text can overtake one that has ended, since log P only decreases.
        decided = self.best.ended and self.beam.length_penalty == 0
        if decided or not self._texts or longest == self._longest:
            self._end(self._ending_after(self.best.ids[-1], longest))

    def _extend_hypothesis(self, parent: Hypothesis, id: int, log_probability: float) -> Hypothesis:
        ids = [*parent.ids, id]
        score = log_probability / ((5 + len(ids)) / 6) ** self.beam.length_penalty
        ended = id in self.model.tokenizer.ends
        return Hypothesis(ids, self.model.tokenizer.decode(ids), log_probability, score, ended)

    def _read_on(self, hypotheses: list[tuple[Hypothesis, int]]) -> list[CachedText]:
        """The text of each hypothesis: its parent's cache for one child, and copies of it for the others."""
        used: set[int] = set()
        texts = []
        for hypothesis, parent in hypotheses:
            text = self._texts[parent]
            if parent in used:
                copy = self._unread_prompt()
                copy.cache.copy_from(text.cache, text.cache.length)
                text = copy
            used.add(parent)
            text.unread = hypothesis.ids[-1:]
            texts.append(text)
        return texts

    def _forget(self) -> None:
        self._texts = []


def beam_search(model: LanguageModel, prompt: str, beam: Beam | None = None) -> BeamSearch:
    """Continue a prompt by beam search: an iterator of the hypotheses after each step.

    Raises AbilityError for a model that does not read from left to right.

    >>> search = beam_search(explorer.load("gpt"), "the old river", Beam(width=3, max_new_tokens=4))
    >>> [len(hypotheses) for hypotheses in search], len(search.ids)
    ([3, 3, 3, 3], 4)
    """
    return BeamSearch(model, prompt, beam or Beam())
