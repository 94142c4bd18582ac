"""Text from left to right, one token at a time, with everything that might have come instead.

    logits -> / temperature -> keep the top k -> keep the smallest set that holds the mass p -> draw

(`sampling` has the road in detail.) All who generate with one model take turns at it: `turns`.
"""

import codecs
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.choosing import Chosen, Wish, choose
from explorer.analysis.prediction import Candidate
from explorer.analysis.sampling import Sampling, chances
from explorer.analysis.turns import Reading, Turn, desk_of, pieces, singly
from explorer.errors import ExplorerError
from explorer.models.base import LanguageModel
from explorer.models.decoding import ROWS
from explorer.trace import Ability

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


class Ending(StrEnum):
    """Why a generation came to its end."""

    END_OF_TEXT = "the model ended the text"
    LENGTH = "the length asked for is reached"
    CONTEXT = "the model's context is full"
    STOPPED = "stopped"


class Generation(Iterator[Step]):
    """The steps of one continuation, made as they are asked for.

    `ending` is None until the last step is there. `cut` counts the tokens at the prompt's start
    that the model did not read, because the prompt was too long for its context. `forced` are the
    steps whose token was given by hand.
    """

    def __init__(
        self,
        model: LanguageModel,
        prompt: str,
        sampling: Sampling,
        candidates: int,
        read: tuple[list[int], int] | None = None,
    ) -> None:
        model.require(Ability.GENERATE, "continue a text")
        self._desk = desk_of(model)
        self.model, self.prompt, self.sampling, self.candidates = model, prompt, sampling, candidates
        self.prompt_ids, self.cut = read or read_ids(model, prompt, sampling.max_new_tokens)
        self.steps: list[Step] = []
        self.ending: Ending | None = None
        self.forced: frozenset[int] = frozenset()
        longest = min(sampling.max_new_tokens, model.config.positions - len(self.prompt_ids))
        cache = model.network.new_cache(capacity=len(self.prompt_ids) + longest)
        self._reading: Reading | None = Reading(cache, pieces(self.prompt_ids))
        self._turn: Turn | None = None
        self._states: list[Tensor] = []
        seeded = torch.Generator().manual_seed(sampling.seed)
        self._draws = torch.rand(longest, generator=seeded, dtype=torch.float64).tolist()
        # Holds the bytes of a character back until it is whole.
        self._characters = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._guard = threading.Lock()  # `close` may come from another thread than the steps

    @property
    def ids(self) -> list[int]:
        """The tokens generated so far."""
        return [step.id for step in self.steps]

    @property
    def continuation(self) -> str:
        """What has been generated so far, as text."""
        return self.model.tokenizer.decode(self.ids)

    @property
    def text(self) -> str:
        """The prompt and its continuation so far."""
        return self.prompt + self.continuation

    @property
    def place(self) -> int:
        """Which one this visitor is in line for a step of the model; 0 where it does not wait."""
        turn = self._turn
        return 0 if turn is None else self._desk.queue.place(turn)

    @property
    def reading(self) -> float:
        """The share of the prompt that has been read, 0 to 1."""
        reading = self._reading
        if reading is None or self.steps:
            return 1.0
        return reading.cache.length / len(self.prompt_ids)

    def close(self) -> None:
        """Stop: no further step is made, and the place in line is given up. Any thread may call it."""
        with self._guard:
            if self.ending is None:
                self._end(Ending.STOPPED)

    def __next__(self) -> Step:
        step = self.step()
        if step is None:
            raise StopIteration
        return step

    def step(self, wait: float | None = None) -> Step | None:
        """The next step; None at the end, or where it is not made within `wait` seconds.

        In the second case the place in line is kept for the next call.
        """
        with self._guard:
            if self.ending is not None:
                return None
            if self._turn is None:
                self._turn = Turn([self._reading], self._wish(len(self.steps)))
            turn = self._turn
        if not self._ask(turn, wait):
            return None
        with self._guard:
            return self._add(turn.chosen, turn.states[0]) if self.ending is None else None

    def take(self, ids: Sequence[int]) -> list[Step]:
        """Write these tokens next, as given by hand; read in as few passes as a prompt of that length.

        Returns their steps: as many as the length and the context have room for, the last of them
        at an end-of-text token.
        """
        with self._guard:
            if self.ending is not None or not ids:
                return []
            ids = list(ids)[: len(self._draws) - len(self.steps)]
            self._reading.unread += pieces(ids[:-1])
            turn = self._turn = Turn([self._reading], every=True)
        self._ask(turn, None)
        taken, first = [], len(self.steps)
        with self._guard:
            states = turn.states[-len(ids) :].split(ROWS)
            for at, rows in zip(range(0, len(ids), ROWS), states):
                wishes = [self._wish(first + at + i, id) for i, id in enumerate(ids[at : at + ROWS])]
                for state, chosen in zip(rows, choose(self._desk.decoder.scores(rows), wishes), strict=True):
                    if self.ending is None:
                        self.forced |= {len(self.steps)}
                        taken.append(self._add(chosen, state.clone()))
            if self.ending is None:
                self._reading.unread = [ids[-1:]]
        return taken

    def branch(self, at: int, id: int, sampling: Sampling | None = None) -> "Generation":
        """Another continuation: the same steps up to `at`, there the token `id`, then on by itself.

        Step i has number i of the seed here too: with the token that was taken there, the same
        text comes again. Raises IndexError for a step that is not there, ExplorerError where
        other settings leave no room for the token.
        """
        before = self.steps[: range(len(self.steps))[at]]
        at, sampling = len(before), sampling or self.sampling
        if at >= sampling.max_new_tokens:
            raise ExplorerError(
                f"Step {at + 1} lies beyond {sampling.max_new_tokens}.", "Choose more tokens."
            )
        read = self.prompt_ids, self.cut
        twin = Generation(self.model, self.prompt, sampling, self.candidates, read)
        twin.steps, twin.forced = before, frozenset(i for i in self.forced if i < at)
        twin._states = self._states[:at]
        for step in before:
            twin._characters.decode(self.model.tokenizer.raw(step.id))
        with self._guard:
            if self._reading is None:  # it has ended, and what it had read is forgotten: read it once more
                twin._reading.unread += singly(twin.ids)
            else:
                twin._reading.unread = []
                twin._reading.cache.copy_from(self._reading.cache, len(self.prompt_ids) + at)
        (chosen,) = choose(self.logits(at)[None], [twin._wish(at, id)])
        twin.forced |= {at}
        twin._add(chosen, self._states[at])
        return twin

    def logits(self, at: int) -> Float[Tensor, "d_vocab"]:
        """The raw logits that step `at` was chosen from, bit for bit: read out of the state kept of it."""
        return self._desk.decoder.scores(self._states[at][None])[0]

    def _wish(self, at: int, given: int | None = None) -> Wish:
        return Wish(self.sampling, self._draws[at], self.candidates, given)

    def _ask(self, turn: Turn, wait: float | None) -> bool:
        try:
            done = self._desk.queue.ask(turn, wait)
        except BaseException:
            self._turn = None
            raise
        if done or turn.dropped:
            self._turn = None
        return done

    def _add(self, chosen: Chosen, state: Float[Tensor, "d_model"]) -> Step:
        """One step more; it is the next to be read."""
        readable = self.model.tokenizer.readable
        at = len(self.steps)
        step = Step(
            id=chosen.id,
            token=readable(chosen.id),
            probability=chosen.probability,
            rank=chosen.rank,
            candidates=[
                Choice(i, readable(i), p, rank, chance) for rank, (i, p, chance) in enumerate(chosen.best, 1)
            ],
            chance=chosen.chance,
            text=self._characters.decode(self.model.tokenizer.raw(chosen.id)),
            draw=self._draws[at],
        )
        self.steps.append(step)
        self._states.append(state)
        self._reading.unread.append([chosen.id])
        if chosen.id == self.model.tokenizer.start:
            self._end(Ending.END_OF_TEXT)
        elif len(self.steps) == self.sampling.max_new_tokens:
            self._end(Ending.LENGTH)
        elif len(self.steps) == len(self._draws):
            self._end(Ending.CONTEXT)
        return step

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        if self._turn is not None:
            self._desk.queue.drop(self._turn)
        self._reading = self._turn = None  # a finished generation is kept for its steps only


def generate(model: LanguageModel, prompt: str, sampling: Sampling, candidates: int = 10) -> Generation:
    """Continue a prompt: an iterator of steps that also knows its text, cut and ending.

    Stops after `<|endoftext|>` (which is the last step then), after `max_new_tokens`, or where
    the context is full. A prompt that leaves no room keeps its end: as much as leaves space for
    `max_new_tokens`, and half of the context at least. Each continuation draws from a random
    generator of its own, and is the same whoever else generates. Raises AbilityError for a model
    that does not read from left to right.
    """
    return Generation(model, prompt, sampling, candidates)


def read_ids(model: LanguageModel, prompt: str, wanted: int) -> tuple[list[int], int]:
    """The tokens of a prompt that are read when `wanted` new ones are to follow, and how many are cut.

    All are read, unless that leaves no room for a single new one. An empty prompt is the start token.
    """
    ids = model.tokenizer.encode(prompt).ids.tolist() or model.encode("").ids.tolist()
    positions = model.config.positions
    kept = len(ids) if len(ids) < positions else max(positions - wanted, positions // 2)
    return ids[len(ids) - kept :], len(ids) - kept
