"""Text from left to right, one token at a time, with everything that might have come instead.

    logits -> / temperature -> keep the top k -> keep the smallest set that holds the mass p -> draw

(`sampling` has the road in detail.) All who generate with one model take turns at it: `turns`.
"""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.ahead import AHEAD
from explorer.analysis.choosing import Chosen, Wish, choose
from explorer.analysis.prediction.fill import Candidate
from explorer.analysis.sampling import Sampling, chances
from explorer.analysis.turns import Reading, Turn, pieces, singly
from explorer.analysis.writing import Ending, Writing
from explorer.errors import ExplorerError
from explorer.models.base import LanguageModel
from explorer.models.decoding import ROWS

__all__ = ["Choice", "Ending", "Generation", "Sampling", "Step", "chances", "generate"]


@dataclass(frozen=True, eq=False)
class Choice(Candidate):
    """A candidate of one step. `probability` is the model's own; `chance` is that of being drawn,
    after temperature, top-k and top-p: 0 where it was cut.
    """

    chance: float


@dataclass(frozen=True, eq=False)
class Step:
    """One generated token, with the model's own probability and rank, and its rivals.

    `candidates` are the most probable tokens, best first; the one taken need not be among them.
    `text` is what the step adds to the text: empty while a character is still incomplete (an
    emoji can take several tokens), the whole character once it is. `draw` is the number in [0, 1)
    that the seed gave for this step.
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
        self._reading: Reading | None = self._prompt_unread()
        self._states: list[Tensor] = []
        self._ready: list[tuple[Chosen, Tensor]] = []  # read ahead, and not asked for yet
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
        reading = self._reading
        if reading is None or self.steps:
            return 1.0
        return reading.cache.length / len(self.prompt_ids)

    def step(self, wait: float | None = None) -> Step | None:
        """The next step; None at the end, or where it is not made within `wait` seconds.

        In the second case the place in line is kept for the next call.
        """
        if not self._ready:
            turn = self._take_turn(self._next_turn, wait)
            if turn is None:
                return None
            self._ready = list(zip(turn.chosen, turn.states, strict=True))
        with self._guard:
            return self._add(*self._ready.pop(0)) if self.ending is None else None

    def take(self, ids: Sequence[int]) -> list[Step]:
        """Write these tokens next, as given by hand; read in as few passes as a prompt of that length.

        Returns their steps: as many as the length and the context have room for, the last of them
        at an end-of-text token.
        """
        first = len(self.steps)
        ids = list(ids)[: self._longest - first]
        with self._guard:
            self._go_back()
        turn = self._take_turn(self._next_turn, None) if ids else None
        if turn is None:
            return []
        states = turn.states[:1]
        self._reading.cache.length -= len(turn.states) - 1
        if len(ids) > 1:
            turn = self._take_turn(lambda: Turn([self._unread(pieces(ids[:-1]))], every=True), None)
            if turn is None:
                return []
            states = torch.cat([states, turn.states])
        with self._guard:
            for at in range(0, len(ids), ROWS):
                wishes = [self._wish(first + i, ids[i]) for i in range(at, min(at + ROWS, len(ids)))]
                rows = states[at : at + ROWS]
                for state, chosen in zip(rows, choose(self._desk.decoder.scores(rows), wishes), strict=True):
                    if self.ending is None:
                        self.forced |= {len(self.steps)}
                        self._add(chosen, state)
        return self.steps[first:]

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
        for step in before:
            twin._characters.decode(self.model.tokenizer.raw(step.id))
        with self._guard:
            if self._reading is None:  # it has ended and forgotten what it had read: read that once more
                twin._reading.unread += singly(twin.ids)
            else:
                twin._reading.cache.copy_from(self._reading.cache, len(self.prompt_ids) + at)
                twin._unread([])
        (chosen,) = choose(self.logits(at)[None], [twin._wish(at, id)])
        twin._add(chosen, self._states[at], replayed=True)
        return twin

    def logits(self, at: int) -> Float[Tensor, "d_vocab"]:
        """The raw logits that step `at` was chosen from, bit for bit; read out of the state kept of it."""
        return self._desk.decoder.scores(self._states[at][None])[0].clone()  # to be changed at will

    def _wish(self, at: int, given: int | None = None) -> Wish:
        return Wish(self.sampling, self._draws[at], self.candidates, given)

    def _next_turn(self) -> Turn:
        """The next step; where nothing is drawn, also those after it, in case they can be guessed."""
        at = len(self.steps)
        ahead = AHEAD if self.sampling.takes_the_best else 0
        return Turn([self._reading], [self._wish(i) for i in range(at, min(at + 1 + ahead, self._longest))])

    def _go_back(self) -> None:
        """Forget what was read ahead of the steps that were asked for."""
        if self._ready and self._reading is not None:
            self._reading.cache.length = len(self.prompt_ids) + len(self.steps) - 1
            self._ready = []

    def _unread(self, ids: list[list[int]]) -> Reading:
        self._reading.unread = ids
        return self._reading

    def _add(self, chosen: Chosen, state: Float[Tensor, "d_model"], replayed: bool = False) -> Step:
        """One step more; its token is the next to be read, after what is to be `replayed`."""
        readable = self.model.tokenizer.readable
        best = enumerate(chosen.best, 1)
        step = Step(
            id=chosen.id,
            token=readable(chosen.id),
            probability=chosen.probability,
            rank=chosen.rank,
            candidates=[Choice(i, readable(i), p, rank, chance) for rank, (i, p, chance) in best],
            chance=chosen.chance,
            text=self._characters.decode(self.model.tokenizer.raw(chosen.id)),
            draw=self._draws[len(self.steps)],
        )
        self.steps.append(step)
        self._states.append(state)
        self._reading.unread = [*(self._reading.unread if replayed else ()), [chosen.id]]
        self._end(self._ending_after(chosen.id, len(self.steps)))
        return step

    def _forget(self) -> None:
        self._reading, self._ready = None, []


def generate(model: LanguageModel, prompt: str, sampling: Sampling, candidates: int = 10) -> Generation:
    """Continue a prompt: an iterator of steps that also knows its text, cut and ending.

    Stops after `<|endoftext|>` (which is the last step then), after `max_new_tokens`, or where
    the context is full. A prompt that leaves no room keeps its end: as much as leaves space for
    `max_new_tokens`, and half of the context at least. Each continuation draws from a random
    generator of its own, and is the same whoever else generates. Raises AbilityError for a model
    that does not read from left to right.
    """
    return Generation(model, prompt, sampling, candidates)
