"""What all decoders have in common: a prompt, steps of the model, and an end."""

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Generic, TypeVar

from explorer.analysis.prompt import encode_prompt
from explorer.generation.engine import CachedText, StepRequest, engine_of
from explorer.models.base import context_length
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability

Made = TypeVar("Made")


class Ending(StrEnum):
    """Why a generation came to its end.

    >>> import explorer
    >>> from explorer.analysis.generation import Sampling, generate
    >>> generation = generate(explorer.load("gpt"), "the old river", Sampling(max_new_tokens=5))
    >>> generation.close()
    >>> generation.ending is Ending.STOPPED
    True
    """

    END_OF_TEXT = "the model ended the text"
    LENGTH = "the length asked for is reached"
    CONTEXT = "the model's context is full"
    STOPPED = "stopped"


class Writing(Iterator[Made], Generic[Made]):
    """A continuation of a prompt, one token a step, made as it is asked for.

    `ending` is None until the last token is there. `cut` counts the tokens at the prompt's start
    that the model did not read, because the prompt was too long for its context.
    """

    def __init__(
        self, model: LanguageModel, prompt: str, wanted: int, read: tuple[list[int], int] | None = None
    ) -> None:
        model.require(Ability.GENERATE, "continue a text")
        self.model, self.prompt = model, prompt
        self.prompt_ids, self.cut = read or read_ids(model, prompt, wanted)
        self.ending: Ending | None = None
        self._wanted = wanted
        self._longest = min(wanted, context_length(model.config) - len(self.prompt_ids))
        self._engine = engine_of(model)
        self._request: StepRequest | None = None
        self._guard = threading.Lock()  # `close` may come from another thread than the steps

    @property
    @abstractmethod
    def ids(self) -> list[int]:
        """The tokens written so far."""

    @abstractmethod
    def step(self, wait: float | None = None) -> Made | None:
        """What the next step makes; None at the end, or where it is not done in `wait` seconds.

        In the second case the place in line is kept for the next call.
        """

    @property
    def continuation(self) -> str:
        """What has been written so far, as text."""
        return self.model.tokenizer.decode(self.ids)

    @property
    def text(self) -> str:
        """The prompt and its continuation so far."""
        return self.prompt + self.continuation

    @property
    def place(self) -> int:
        """Which one this visitor is in line for a step of the model; 0 where it does not wait."""
        request = self._request
        return 0 if request is None else self._engine.scheduler.place(request)

    def close(self) -> None:
        """Stop: no further step is taken, and the place in line is given up. Any thread may call it."""
        with self._guard:
            if self.ending is None:
                self._end(Ending.STOPPED)

    def __next__(self) -> Made:
        made = self.step()
        if made is None:
            raise StopIteration
        return made

    def _unread_prompt(self) -> CachedText:
        """The prompt, and room for all that is to come."""
        cache = self._engine.new_cache(len(self.prompt_ids) + self._longest)
        return CachedText(cache, self.prompt_ids)

    def _run(self, make: Callable[[], StepRequest], wait: float | None = None) -> StepRequest | None:
        """The request that is waiting, or else the one made here, when it is done; None if it is not."""
        with self._guard:
            if self.ending is not None:
                return None
            self._request = request = self._request or make()
        done = False
        try:
            done = self._engine.scheduler.run(request, wait)
        finally:
            if request.done or request.cancelled:
                self._request = None
        return request if done else None

    def _ending_after(self, id: int, count: int) -> Ending | None:
        """Whether the text ends with this token, the last of `count` new ones."""
        if id in self.model.tokenizer.ends:
            return Ending.END_OF_TEXT
        if count < self._longest:
            return None
        return Ending.LENGTH if count == self._wanted else Ending.CONTEXT

    def _end(self, ending: Ending | None) -> None:
        """Come to an end, unless it is None: what was read is forgotten, what was written is kept."""
        if ending is None:
            return
        self.ending = ending
        if self._request is not None:
            self._engine.scheduler.cancel(self._request)
        self._request = None
        self._forget()

    @abstractmethod
    def _forget(self) -> None:
        """Let the caches go."""


def read_ids(model: LanguageModel, prompt: str, wanted: int) -> tuple[list[int], int]:
    """The tokens of a prompt that are read when `wanted` new ones are to follow, and how many are cut.

    All are read, unless that leaves no room for a single new one. An empty prompt is the start token.

    >>> import explorer
    >>> model = explorer.load("gpt")
    >>> ids, cut = read_ids(model, "river " * 1000, wanted=100)
    >>> len(ids) + 100 == model.config.positions, cut > 0
    (True, True)
    """
    whole, positions = encode_prompt(model, prompt), context_length(model.config)
    if len(whole) < positions:
        return whole.ids.tolist(), 0
    kept = encode_prompt(model, prompt, max(positions - wanted, positions // 2))
    return kept.ids.tolist(), kept.cut
