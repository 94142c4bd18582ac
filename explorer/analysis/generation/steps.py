"""Text from left to right, one token at a time, with everything that might have come instead.

    logits -> / temperature -> keep the top k -> keep the smallest set that holds the mass p -> draw

(`generation.sampling` has it in detail.) All who generate with one model share its batch steps:
`generation.engine`.
"""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.generation.writing import Ending, Writing
from explorer.analysis.prediction.fill import Candidate
from explorer.errors import ExplorerError
from explorer.generation.engine import CachedText, StepRequest
from explorer.generation.sampling import SampledToken, Sampling, SamplingRequest, chances, sample
from explorer.models.language_model import LanguageModel
from explorer.trace import captured

__all__ = ["Choice", "Ending", "Generation", "Sampling", "Step", "chances", "generate"]


ROWS = 32  # tokens given by hand that are judged together: their scores fill memory


@dataclass(frozen=True, eq=False)
class Choice(Candidate):
    """A candidate of one step. `probability` is the model's own; `chance` is that of being drawn,
    after temperature, top-k and top-p: 0 where it was cut.

    >>> import explorer
    >>> sampling = Sampling(top_k=2, max_new_tokens=1, seed=0)
    >>> (step,) = generate(explorer.load("gpt"), "the old river", sampling, candidates=3)
    >>> [choice.chance > 0 for choice in step.candidates]  # the third one was cut
    [True, True, False]
    """

    chance: float


@dataclass(frozen=True, eq=False)
class Step:
    """One generated token, with the model's own probability and rank, and its rivals.

    `candidates` are the most probable tokens, best first; the one taken need not be among them.
    `text` is what the step adds to the text: empty while a character is still incomplete (an
    emoji can take several tokens), the whole character once it is. `draw` is the number in [0, 1)
    that the seed gave for this step.

    >>> import explorer
    >>> sampling = Sampling(greedy=True, max_new_tokens=1)
    >>> (step,) = generate(explorer.load("gpt"), "the old river", sampling)
    >>> step.rank, step.id == step.candidates[0].id
    (1, True)
    """

    id: int
    token: str
    probability: float
    rank: int
    candidates: list[Choice]
    chance: float
    text: str
    draw: float = 0.0


class Generation(Writing[Step]):
    """The steps of one continuation, made as they are asked for.

    `forced` are the steps whose token was given by hand.

    >>> import explorer
    >>> sampling = Sampling(seed=3, max_new_tokens=6)
    >>> generation = generate(explorer.load("gpt"), "the old river", sampling)
    >>> steps = generation.take([11, 12])
    >>> generation.ids, sorted(generation.forced), generation.branch(1, 13).ids
    ([11, 12], [0, 1], [11, 13])
    """

    def __init__(
        self,
        model: LanguageModel,
        prompt: str,
        sampling: Sampling,
        candidates: int,
        read: tuple[list[int], int] | None = None,
    ) -> None:
        super().__init__(model, prompt, sampling.max_new_tokens, read)
        self.sampling, self.candidates = sampling, candidates
        self.steps: list[Step] = []
        self.forced: frozenset[int] = frozenset()
        self._cached: CachedText | None = self._unread_prompt()
        self._states: list[Tensor] = []
        seeded = torch.Generator().manual_seed(sampling.seed)
        self._draws = torch.rand(self._longest, generator=seeded, dtype=torch.float64).tolist()
        # Holds the bytes of a character back until it is whole.
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
        """The next step; None at the end, or where it is not made within `wait` seconds.

        In the second case the place in line is kept for the next call.
        """
        request = self._run(self._next_request, wait)
        if request is None:
            return None
        with self._guard:
            if self.ending is not None:
                return None
            return self._add(captured(request.sampled), captured(request.states)[0])

    def take(self, ids: Sequence[int]) -> list[Step]:
        """Write these tokens next, as given by hand; read in as few passes as a prompt of that length.

        Returns their steps: as many as the length and the context have room for, the last of them
        at an end-of-text token.
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
            for at in range(0, len(ids), ROWS):
                rows = states[at : at + ROWS]
                asked = [self._sampling_request(first + at + i, ids[at + i]) for i in range(len(rows))]
                for state, token in zip(rows, sample(self._engine.logits(rows), asked), strict=True):
                    if self.ending is None:
                        self.forced |= {len(self.steps)}
                        self._add(token, state)
        return self.steps[first:]

    def rest(self) -> None:
        """Nobody looks at this text for now; it can go on at any time."""
        with self._guard:
            if self._cached is not None:
                self._cached.cache.leave()

    def branch(self, at: int, id: int, sampling: Sampling | None = None) -> "Generation":
        """Another continuation: the same steps up to `at`, there the token `id`, then on by itself.

        Step i has number i of the seed here too: with the token that was taken there, the same
        text comes again. Raises IndexError for a step that is not there, ExplorerError where
        other settings leave no room for the token.
        """
        before = self.steps[: range(len(self.steps))[at]]
        at, sampling = len(before), sampling or self.sampling
        if at >= sampling.max_new_tokens:
            message = f"Step {at + 1} lies beyond the {sampling.max_new_tokens} tokens asked for."
            raise ExplorerError(message, "Ask for more.")
        read = self.prompt_ids, self.cut
        twin = Generation(self.model, self.prompt, sampling, self.candidates, read)
        twin.steps, twin._states = before, self._states[:at]
        twin.forced = frozenset(i for i in self.forced if i < at) | {at}
        for i, step in enumerate(before):
            twin._characters.decode(self.model.tokenizer.raw(step.id, before[i - 1].id if i else None))
        with self._guard:
            if self._cached is None:  # it has ended and forgotten what it had read: read that once more
                replayed = [*self.prompt_ids, *twin.ids]
            else:
                twin._open.cache.copy_from(self._cached.cache, len(self.prompt_ids) + at)
                replayed = []
        (token,) = sample(self.logits(at)[None], [twin._sampling_request(at, id)])
        twin._add(token, self._states[at], replayed)
        return twin

    def logits(self, at: int) -> Float[Tensor, "d_vocab"]:
        """The raw logits that step `at` was chosen from, up to rounding; made from the state kept of it."""
        return self._engine.logits(self._states[at][None])[0].clone()  # to be changed at will

    @property
    def _open(self) -> CachedText:
        """The text, which can be read on until the end."""
        assert self._cached is not None, "only at its end is a text forgotten, and no step comes after it"
        return self._cached

    def _sampling_request(self, at: int, given: int | None = None) -> SamplingRequest:
        return SamplingRequest(self.sampling, self._draws[at], self.candidates, given)

    def _next_request(self) -> StepRequest:
        at = len(self.steps)
        return StepRequest([self._open], self._sampling_request(at), later=self._draws[at + 1 :])

    def _reading(self, ids: list[int]) -> CachedText:
        self._open.unread = ids
        return self._open

    def _add(
        self, sampled: SampledToken, state: Float[Tensor, "d_model"], replayed: Sequence[int] = ()
    ) -> Step:
        """One step more; its token is the next to be read, after what is to be `replayed`."""
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


def generate(model: LanguageModel, prompt: str, sampling: Sampling, candidates: int = 10) -> Generation:
    """Continue a prompt: an iterator of steps that also knows its text, cut and ending.

    Stops after `<|endoftext|>` (which is the last step then), after `max_new_tokens`, or where
    the context is full. A prompt that leaves no room keeps its end: as much as leaves space for
    `max_new_tokens`, and half of the context at least. Each continuation draws from a random
    generator of its own, and is the same whoever else generates. Raises AbilityError for a model
    that does not read from left to right.

    >>> import explorer
    >>> generation = generate(explorer.load("gpt"), "the old river", Sampling(greedy=True, max_new_tokens=5))
    >>> [step.rank for step in generation], generation.ending.value
    ([1, 1, 1, 1, 1], 'the length asked for is reached')
    """
    return Generation(model, prompt, sampling, candidates)
