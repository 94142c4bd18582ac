"""Text generation, one token at a time, with the candidates of each step.

`generation.sampling_steps` says what happens to the scores before the draw. All visitors who generate with a
model share its batch steps: `generation.engine`.
"""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.generation.writing import Ending, Writing
from explorer.analysis.prediction.fill import Candidate
from explorer.analysis.steering import Steer, additions
from explorer.errors import ExplorerError
from explorer.generation.engine import CachedText, StepRequest
from explorer.generation.sampling import SampledToken, Sampling, SamplingRequest, chances, sample
from explorer.models.language_model import LanguageModel
from explorer.short_text import WithShortText
from explorer.trace import captured

__all__ = ["Choice", "Ending", "Generation", "Sampling", "Step", "chances", "generate"]


ROWS = 32  # forced tokens that are scored together: their logits take much memory


@dataclass(frozen=True, eq=False)
class Choice(Candidate):
    """A candidate of a step.

    `probability` is the model's own; `chance` is that of being drawn, after all steps: 0 if it was cut.
    """

    chance: float


@dataclass(frozen=True, eq=False)
class Step:
    """A generated token, with the model's own probability and rank, and its candidates.

    `candidates` are the most probable tokens, best first; the chosen one need not be among them. `text` is
    what the step adds to the text: empty while a character is incomplete (an emoji can take several tokens),
    then the whole character. `draw` is the random number in [0, 1) of this step.
    """

    id: int
    token: str
    probability: float
    rank: int
    candidates: list[Choice]
    chance: float
    text: str
    draw: float = 0.0

    @property
    def bits(self) -> float:
        """Surprisal, -log2 p: as many bits as coins that must all fall heads to be as surprising."""
        return -log2(max(self.probability, 1e-45))  # 0 can only be rounding: the token was drawn


class Generation(WithShortText, Writing[Step]):
    """The steps of a continuation, computed one at a time.

    `forced` are the steps whose token was chosen by hand.
    """

    def __init__(
        self,
        model: LanguageModel,
        prompt: str,
        sampling: Sampling,
        candidates: int,
        read: tuple[list[int], int] | None = None,
        steer: Steer = (),
    ) -> None:
        super().__init__(model, prompt, sampling.max_new_tokens, read)
        self.sampling, self.candidates, self.steer = sampling, candidates, steer
        self.steps: list[Step] = []
        self.forced: frozenset[int] = frozenset()
        self._cached: CachedText | None = self._unread_prompt()
        self._cached.additions = additions(model, steer)
        self._states: list[Tensor] = []
        seeded = torch.Generator().manual_seed(sampling.seed)
        self._draws = torch.rand(self._longest, generator=seeded, dtype=torch.float64).tolist()
        # Holds back the bytes of a character until it is complete.
        self._characters = codecs.getincrementaldecoder("utf-8")(errors="replace")

    @property
    def ids(self) -> list[int]:
        """The tokens generated so far."""
        return [step.id for step in self.steps]

    @property
    def reading(self) -> float:
        """The share of the prompt that has been read, 0 to 1."""
        cached = self._cached
        if cached is None or self.steps:
            return 1.0
        return cached.cache.length / len(self.prompt_ids)

    def step(self, wait: float | None = None) -> Step | None:
        """The next step; None at the end, or if it takes longer than `wait` seconds.

        In the second case the place in the queue is kept for the next call.
        """
        request = self._run(self._next_request, wait)
        if request is None:
            return None
        with self._guard:
            if self.ending is not None:
                return None
            return self._add(captured(request.sampled), captured(request.states)[0])

    def take(self, ids: Sequence[int]) -> list[Step]:
        """Append forced tokens, in as few passes as a prompt of that length.

        Returns their steps: as many as the length and the context allow, up to an end-of-text token.
        """
        first = len(self.steps)
        ids = list(ids)[: self._longest - first]
        request = self._run(self._next_request) if ids else None
        if request is None:
            return []
        states = captured(request.states)
        if len(ids) > 1:
            request = self._run(lambda: StepRequest([self._reading(ids[:-1])], every=True))
            if request is None:
                return []
            states = torch.cat([states, captured(request.states)])
        with self._guard:
            text = [*self.ids, *ids]
            for start in range(0, len(ids), ROWS):
                rows = states[start : start + ROWS]
                requests = [
                    self._sampling_request(at, text, text[at])
                    for at in range(first + start, first + start + len(rows))
                ]
                for state, token in zip(rows, sample(self._engine.logits(rows), requests), strict=True):
                    if self.ending is None:
                        self.forced |= {len(self.steps)}
                        self._add(token, state)
        return self.steps[first:]

    def rest(self) -> None:
        """Pause: a server may release its resources; the next step continues."""
        with self._guard:
            if self._cached is not None:
                self._cached.cache.leave()

    def branch(self, at: int, id: int, sampling: Sampling | None = None) -> "Generation":
        """Another continuation: the same steps before `at`, then the token `id`, then generated tokens.

        Step i uses the same random number here: with the original token, the text is the same. Raises
        IndexError for a step that does not exist, ExplorerError if other settings leave no room for the
        token.
        """
        before = self.steps[: range(len(self.steps))[at]]
        at, sampling = len(before), sampling or self.sampling
        if at >= sampling.max_new_tokens:
            message = f"Step {at + 1} lies beyond the {sampling.max_new_tokens} tokens asked for."
            raise ExplorerError(message, "Ask for more.")
        read = self.prompt_ids, self.cut
        copy = Generation(self.model, self.prompt, sampling, self.candidates, read, self.steer)
        copy.steps, copy._states = before, self._states[:at]
        copy.forced = frozenset(i for i in self.forced if i < at) | {at}
        for i, step in enumerate(before):
            copy._characters.decode(self.model.tokenizer.raw(step.id, before[i - 1].id if i else None))
        with self._guard:
            if self._cached is None:  # it has ended and released its cache: read everything again
                replayed = [*self.prompt_ids, *copy.ids]
            else:
                copy._open.cache.copy_from(self._cached.cache, len(self.prompt_ids) + at)
                replayed = []
        (token,) = sample(self.logits(at)[None], [copy._sampling_request(at, copy.ids, id)])
        copy._add(token, self._states[at], replayed)
        return copy

    def logits(self, at: int) -> Float[Tensor, "d_vocab"]:
        """The raw logits of step `at`, up to rounding, computed from its stored state."""
        return self._engine.logits(self._states[at][None])[0].clone()  # the caller may change it

    @property
    def _open(self) -> CachedText:
        """The text with its cache, which exists until the end."""
        assert self._cached is not None, "the cache is released at the end only, and no step follows"
        return self._cached

    def _sampling_request(self, at: int, text: list[int], forced_id: int | None = None) -> SamplingRequest:
        ids = [*self.prompt_ids, *text[:at]]
        sampling, draw, tokenizer = self.sampling, self._draws[at], self.model.tokenizer
        return SamplingRequest(sampling, draw, self.candidates, forced_id, ids, at, tokenizer)

    def _next_request(self) -> StepRequest:
        at = len(self.steps)
        return StepRequest([self._open], self._sampling_request(at, self.ids), later=self._draws[at + 1 :])

    def _reading(self, ids: list[int]) -> CachedText:
        self._open.unread = ids
        return self._open

    def _add(
        self, sampled: SampledToken, state: Float[Tensor, "d_model"], replayed: Sequence[int] = ()
    ) -> Step:
        """Append a step; its token is the next to be read, after the `replayed` ones."""
        readable = self.model.tokenizer.readable
        best = enumerate(sampled.best, 1)
        before = self.steps[-1].id if self.steps else None
        step = Step(
            id=sampled.id,
            token=readable(sampled.id),
            probability=sampled.probability,
            rank=sampled.rank,
            candidates=[Choice(i, readable(i), p, rank, chance) for rank, (i, p, chance) in best],
            chance=sampled.chance,
            text=self._characters.decode(self.model.tokenizer.raw(sampled.id, before)),
            draw=self._draws[len(self.steps)],
        )
        self.steps.append(step)
        self._states.append(state)
        self._open.unread = [*replayed, sampled.id]
        self._end(self._ending_after(sampled.id, len(self.steps)))
        return step

    def _forget(self) -> None:
        self._cached = None


def generate(
    model: LanguageModel, prompt: str, sampling: Sampling, candidates: int = 10, steer: Steer = ()
) -> Generation:
    """Continue a prompt: an iterator of steps with its text and the reason for its ending.

    Stops after `<|endoftext|>` (which is then the last step), after `max_new_tokens`, or when the context is
    full. If the prompt leaves no room, only its end is read: as much as leaves room for `max_new_tokens`, but
    at least half of the context. Each continuation has its own random generator, and is the same whoever else
    generates. `steer` are directions with their strengths (`analysis.steering`), added while it reads and
    writes. Raises AbilityError for a model that does not read from left to right.

    >>> generation = generate(explorer.load("gpt"), "the old river", Sampling(greedy=True, max_new_tokens=5))
    >>> [step.rank for step in generation], generation.ending.value
    ([1, 1, 1, 1, 1], 'the length asked for is reached')
    """
    return Generation(model, prompt, sampling, candidates, steer=steer)
