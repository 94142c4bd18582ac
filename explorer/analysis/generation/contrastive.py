"""Contrastive search: the next token is probable, and dissimilar to every token before it.

Paper: Su, Lan, Wang, Yogatama, Kong, Collier, "A Contrastive Framework for Neural Text Generation"
(NeurIPS 2022), equation 5. Of the k most probable tokens v, the search takes the one with the highest

    (1 - alpha) P(v | text)  -  alpha max_j cos(h_v, h_j)

where h_v is the last layer's state of v at the end of the text, and h_j are those of the tokens before it,
including the prompt's (here after the final LayerNorm). alpha = 0 is greedy search.
"""

import codecs
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from explorer.analysis.generation.writing import Writing
from explorer.errors import ExplorerError
from explorer.generation.engine import CachedText, StepRequest
from explorer.models.language_model import LanguageModel
from explorer.trace import captured

READ = "the prompt has been read"  # so its logits and states exist


@dataclass(frozen=True)
class Contrastive:
    """The settings of a contrastive search: `k` candidates a step, and the weight `alpha` of the similarity.

    Raises ExplorerError for invalid values.

    >>> Contrastive(alpha=2)
    Traceback (most recent call last):
    explorer.errors.ExplorerError: Alpha cannot be 2. Choose a number from 0 to 1.
    """

    k: int = 4
    alpha: float = 0.6
    max_new_tokens: int = 40

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ExplorerError(f"k cannot be {self.k}.", "Choose 1 candidate or more.")
        if not 0 <= self.alpha <= 1:
            raise ExplorerError(f"Alpha cannot be {self.alpha}.", "Choose a number from 0 to 1.")
        if self.max_new_tokens < 1:
            raise ExplorerError(f"The length cannot be {self.max_new_tokens}.", "Choose 1 token or more.")


@dataclass(frozen=True, eq=False)
class Contender:
    """A candidate of a step. `penalty` is its highest cosine to a token before it."""

    id: int
    token: str
    probability: float
    rank: int
    penalty: float
    score: float


@dataclass(frozen=True, eq=False)
class ContrastiveStep(Contender):
    """The candidate with the highest score, the text it adds, and all candidates by probability."""

    text: str
    candidates: list[Contender]


class ContrastiveSearch(Writing[ContrastiveStep]):
    """The steps of a contrastive search, computed one at a time."""

    def __init__(self, model: LanguageModel, prompt: str, contrastive: Contrastive) -> None:
        super().__init__(model, prompt, contrastive.max_new_tokens)
        self.contrastive = contrastive
        self.steps: list[ContrastiveStep] = []
        self._directions: Tensor | None = None
        self._logits: Tensor | None = None
        # One cache for each candidate: the same text, with a different last token during a step.
        self._texts: list[CachedText] = [self._unread_prompt()]
        self._candidates: list[int] = []
        self._characters = codecs.getincrementaldecoder("utf-8")(errors="replace")

    @property
    def ids(self) -> list[int]:
        """The tokens written so far."""
        return [step.id for step in self.steps]

    def step(self, wait: float | None = None) -> ContrastiveStep | None:
        """The next step; None at the end, or if it takes longer than `wait`."""
        if self._directions is None:
            request = self._run(lambda: StepRequest(self._texts, every=True), wait)
            if request is None:
                return None
            with self._guard:
                if self.ending is not None:
                    return None
                self._begin(request)
        request = self._run(self._try_candidates, wait)
        if request is None:
            return None
        with self._guard:
            return self._add(request) if self.ending is None else None

    def _begin(self, request: StepRequest) -> None:
        """Copy the cache of the prompt, which has been read, for every candidate."""
        states = captured(request.states)
        self._directions = F.normalize(states.float(), dim=-1)
        self._logits = self._engine.logits(states[-1:])[0]
        (prompt,) = self._texts
        for _ in range(min(self.contrastive.k, len(self._logits)) - 1):
            text = self._unread_prompt()
            text.cache.copy_from(prompt.cache, len(self.prompt_ids))
            self._texts.append(text)

    def _try_candidates(self) -> StepRequest:
        """Append each of the most probable tokens to a copy of the text."""
        assert self._logits is not None, READ
        top = self._logits.topk(len(self._texts)).indices.tolist()
        for text, id in zip(self._texts, top, strict=True):
            text.unread = [id]
        self._candidates = top
        return StepRequest(self._texts)

    def _add(self, request: StepRequest) -> ContrastiveStep:
        """Score the candidates, and continue with the best."""
        assert self._logits is not None and self._directions is not None, READ
        alpha, tokenizer = self.contrastive.alpha, self.model.tokenizer
        probabilities = self._logits.softmax(0)[self._candidates].tolist()
        directions = F.normalize(captured(request.states).float(), dim=-1)
        penalties = (directions @ self._directions.T).amax(-1).tolist()
        contenders = [
            Contender(id, tokenizer.readable(id), p, rank, penalty, (1 - alpha) * p - alpha * penalty)
            for rank, (id, p, penalty) in enumerate(zip(self._candidates, probabilities, penalties), 1)
        ]
        best = max(contenders, key=lambda contender: contender.score)
        row = best.rank - 1
        for text in self._texts:
            text.cache.take_last(self._texts[row].cache)
        self._directions = torch.cat([self._directions, directions[row : row + 1]])
        self._logits = captured(request.logits)[row]
        before = self.steps[-1].id if self.steps else None
        added = self._characters.decode(tokenizer.raw(best.id, before))
        step = ContrastiveStep(**vars(best), text=added, candidates=contenders)
        self.steps.append(step)
        self._end(self._ending_after(best.id, len(self.steps)))
        return step

    def _forget(self) -> None:
        self._texts, self._directions, self._logits = [], None, None


def contrastive_search(
    model: LanguageModel, prompt: str, contrastive: Contrastive | None = None
) -> ContrastiveSearch:
    """Continue a prompt by contrastive search: an iterator of its steps.

    Raises AbilityError for a model that does not read from left to right.

    >>> search = contrastive_search(explorer.load("gpt"), "the old river", Contrastive(k=3, max_new_tokens=2))
    >>> [len(step.candidates) for step in search]
    [3, 3]
    """
    return ContrastiveSearch(model, prompt, contrastive or Contrastive())
