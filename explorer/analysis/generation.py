"""Text from left to right, one token at a time, with everything that might have come instead.

    logits -> / temperature -> keep the top k -> keep the smallest set that holds the mass p -> draw

Top-p is nucleus sampling: Holtzman, Buys, Du, Forbes, Choi, "The Curious Case of Neural Text
Degeneration" (ICLR 2020).
"""

import codecs
import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.prediction import Candidate
from explorer.errors import ExplorerError
from explorer.models.base import LanguageModel
from explorer.trace import Ability


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen from the model's probabilities.

    `temperature` sharpens below 1 and flattens above it; 0 means greedy, always the most
    probable token. `top_k` and `top_p` are off when None. The same seed gives the same text.

    Raises ExplorerError for values without meaning.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0
    max_new_tokens: int = 40
    greedy: bool = False

    def __post_init__(self) -> None:
        def check(good: bool, name: str, value: object, hint: str) -> None:
            if not good:
                raise ExplorerError(f"{name} cannot be {value}.", hint)

        warm = math.isfinite(self.temperature) and self.temperature >= 0
        check(warm, "The temperature", self.temperature, "Choose 0 (greedy) or a number above 0.")
        check(self.top_k is None or self.top_k >= 1, "Top-k", self.top_k, "Choose 1 or more, or None.")
        some = self.top_p is None or 0 < self.top_p <= 1
        check(some, "Top-p", self.top_p, "Choose a number above 0 and up to 1, or None.")
        check(0 <= self.seed < 2**63, "The seed", self.seed, "Choose a whole number from 0 up.")
        check(self.max_new_tokens >= 1, "The length", self.max_new_tokens, "Choose 1 token or more.")

    @property
    def takes_the_best(self) -> bool:
        """Whether nothing is drawn: the most probable token is taken at every step."""
        return self.greedy or self.temperature == 0


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
    emoji can take several tokens), the whole character once it is.
    """

    id: int
    token: str
    probability: float
    rank: int
    candidates: list[Choice]
    chance: float
    text: str


class Ending(StrEnum):
    """Why a generation came to its end."""

    END_OF_TEXT = "the model ended the text"
    LENGTH = "the length asked for is reached"
    CONTEXT = "the model's context is full"
    STOPPED = "stopped"


class Generation(Iterator[Step]):
    """The steps of one continuation, made as they are asked for.

    `ending` is None until the last step is there. `cut` counts the tokens at the prompt's start
    that the model did not read, because the prompt was too long for its context.
    """

    def __init__(self, model: LanguageModel, prompt: str, sampling: Sampling, candidates: int) -> None:
        model.require(Ability.GENERATE, "continue a text")
        ids = model.tokenizer.encode(prompt).ids
        ids = ids if len(ids) else model.encode("").ids
        kept = _kept(len(ids), model.config.positions, sampling.max_new_tokens)
        self.model, self.prompt, self.sampling, self.candidates = model, prompt, sampling, candidates
        self.cut = len(ids) - kept
        self.prompt_ids: list[int] = ids[self.cut :].tolist()
        self.steps: list[Step] = []
        self.ending: Ending | None = None
        self._room = model.config.positions - kept
        self._unread = ids[self.cut :][None]
        self._cache = model.network.new_cache(capacity=kept + min(sampling.max_new_tokens, self._room))
        self._generator = torch.Generator().manual_seed(sampling.seed)
        # Holds the bytes of a character back until it is whole.
        self._characters = codecs.getincrementaldecoder("utf-8")(errors="replace")

    @property
    def continuation(self) -> str:
        """What has been generated so far, as text."""
        return self.model.tokenizer.decode([step.id for step in self.steps])

    @property
    def text(self) -> str:
        """The prompt and its continuation so far."""
        return self.prompt + self.continuation

    def close(self) -> None:
        """Stop: no further step is made."""
        if self.ending is None:
            self._end(Ending.STOPPED)

    def __next__(self) -> Step:
        if self.ending is not None:
            raise StopIteration
        with torch.inference_mode():
            last = self.model.network(self._unread, cache=self._cache).last[:, -1]
            step = self._choose(self.model.network.unembed(last)[0])
            self._unread = torch.tensor([[step.id]])
        self.steps.append(step)
        if step.id == self.model.tokenizer.start:
            self._end(Ending.END_OF_TEXT)
        elif len(self.steps) == self.sampling.max_new_tokens:
            self._end(Ending.LENGTH)
        elif len(self.steps) == self._room:
            self._end(Ending.CONTEXT)
        return step

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self._cache = self._unread = None  # a finished generation is kept for its steps only

    def _choose(self, logits: Float[Tensor, "d_vocab"]) -> Step:
        readable = self.model.tokenizer.readable
        own = logits.softmax(0)
        best = own.topk(min(self.candidates, len(own)))
        drawn_from = chances(logits, self.sampling)
        id = _draw(drawn_from, self._generator)
        rows = zip(
            best.indices.tolist(), best.values.tolist(), drawn_from[best.indices].tolist(), strict=True
        )
        return Step(
            id=id,
            token=readable(id),
            probability=float(own[id]),
            rank=int((own > own[id]).sum()) + 1,
            candidates=[Choice(i, readable(i), p, r, chance) for r, (i, p, chance) in enumerate(rows, 1)],
            chance=float(drawn_from[id]),
            text=self._characters.decode(self.model.tokenizer.raw(id)),
        )


def generate(model: LanguageModel, prompt: str, sampling: Sampling, candidates: int = 10) -> Generation:
    """Continue a prompt: an iterator of steps that also knows its text, cut and ending.

    Stops after `<|endoftext|>` (which is the last step then), after `max_new_tokens`, or where
    the context is full. A prompt that leaves no room keeps its end: as much as leaves space for
    `max_new_tokens`, and half of the context at least. Each continuation draws from a random
    generator of its own. Raises AbilityError for a model that does not read from left to right.
    """
    return Generation(model, prompt, sampling, candidates)


def chances(logits: Float[Tensor, "d_vocab"], sampling: Sampling) -> Float[Tensor, "d_vocab"]:
    """The distribution that the next token is drawn from; it sums to 1, and cut tokens have 0.

    Temperature first, then top-k, then top-p over what is left: the fewest tokens, most
    probable first, that together reach p.
    """
    if sampling.takes_the_best:
        return torch.zeros_like(logits).index_fill_(0, logits.argmax(), 1.0)
    # The largest logit is taken off first, so that a tiny temperature cannot overflow.
    spread = ((logits - logits.max()) / sampling.temperature).softmax(0)
    k, p = min(sampling.top_k or len(spread), len(spread)), sampling.top_p or 1.0
    if k == len(spread) and p == 1.0:
        return spread
    values, ids = _head(spread, k, p)
    if p < 1.0:
        shares = values.double() / (values.double().sum() if sampling.top_k else 1.0)
        kept = int((shares.cumsum(0) - shares < p).sum())
        values, ids = values[:kept], ids[:kept]
    return torch.zeros_like(spread).index_put_((ids,), values / values.sum())


def _head(
    spread: Float[Tensor, "d_vocab"], k: int, p: float
) -> tuple[Float[Tensor, "rank"], Int[Tensor, "rank"]]:
    """The k largest values in order, or as many of them as reach p: sorting all would cost more."""
    if k < len(spread):
        return spread.topk(k)
    size = 64
    while size < k:
        best = spread.topk(size)
        if float(best.values.double().sum()) >= p:
            return best
        size *= 8
    return spread.sort(descending=True)


def _draw(spread: Float[Tensor, "d_vocab"], generator: torch.Generator) -> int:
    """One id, by the inverse of the cumulative distribution."""
    cumulative = spread.cumsum(0, dtype=torch.float64)
    at = torch.rand(1, generator=generator, dtype=torch.float64) * cumulative[-1]
    return min(int(torch.searchsorted(cumulative, at, right=True)), len(spread) - 1)


def _kept(length: int, positions: int, wanted: int) -> int:
    """How many tokens of a prompt are read: all, unless that leaves no room for a single new one."""
    if length < positions:
        return length
    return max(positions - wanted, positions // 2)
