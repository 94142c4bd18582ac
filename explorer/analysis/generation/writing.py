"""What all decoders have in common: a prompt, steps of the model, and an end."""

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Generic, TypeVar

from explorer.analysis.prompt import encode_prompt
from explorer.generation.engine import CachedText, StepRequest, engine_of
from explorer.locale import N_
from explorer.models.base import context_length
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability

StepResult = TypeVar("StepResult")


class Ending(StrEnum):
    """Why a generation ended."""

    END_OF_TEXT = N_("the model ended the text")
    LENGTH = N_("the length asked for is reached")
    CONTEXT = N_("the model's context is full")
    STOPPED = N_("stopped")


class Writing(Iterator[StepResult], Generic[StepResult]):
    """A continuation of a prompt, computed one token at a time.

    `ending` is None until the last token. `cut` is the number of tokens at the start of the prompt that the
    model did not read, because the prompt is too long for its context.
    """

    def __init__(
        self,
        model: LanguageModel,
        prompt: str,
        max_new_tokens: int,
        read: tuple[list[int], int] | None = None,
    ) -> None:
        model.require(Ability.GENERATE, "continue a text")
        self.model, self.prompt = model, prompt
        self.prompt_ids, self.cut = read or read_ids(model, prompt, max_new_tokens)
        self.ending: Ending | None = None
        self._max_new_tokens = max_new_tokens
        self._longest = min(max_new_tokens, context_length(model.config) - len(self.prompt_ids))
        self._engine = engine_of(model)
        self._request: StepRequest | None = None
        self._guard = threading.Lock()  # `close` may come from another thread than the steps

    @property
    @abstractmethod
    def ids(self) -> list[int]:
        """The tokens written so far."""

    @abstractmethod
    def step(self, wait: float | None = None) -> StepResult | None:
        """The result of the next step; None at the end, or if it takes longer than `wait` seconds.

        In the second case the place in the queue is kept for the next call.
        """

    @property
    def continuation(self) -> str:
        """The text of the tokens written so far."""
        return self.model.tokenizer.decode(self.ids)

    @property
    def text(self) -> str:
        """The prompt and its continuation so far."""
        return self.prompt + self.continuation

    @property
    def place(self) -> int:
        """This visitor's place in the queue for a step of the model; 0 if it is not waiting."""
        request = self._request
        return 0 if request is None else self._engine.scheduler.place(request)

    def close(self) -> None:
        """Stop and leave the queue. Any thread may call it."""
        with self._guard:
            if self.ending is None:
                self._end(Ending.STOPPED)

    def __next__(self) -> StepResult:
        result = self.step()
        if result is None:
            raise StopIteration
        return result

    def _unread_prompt(self) -> CachedText:
        """The prompt with a cache for it and all new tokens."""
        cache = self._engine.new_cache(len(self.prompt_ids) + self._longest)
        return CachedText(cache, self.prompt_ids)

    def _run(self, make: Callable[[], StepRequest], wait: float | None = None) -> StepRequest | None:
        """Run the pending request, or a new one, and return it; None if it does not finish in time."""
        with self._guard:
            if self.ending is not None:
                return None
            self._request = request = self._request or make()
        finished = False
        try:
            finished = self._engine.scheduler.run(request, wait)
        finally:
            if request.finished or request.cancelled:
                self._request = None
        return request if finished else None

    def _ending_after(self, id: int, count: int) -> Ending | None:
        """Whether the text ends with this token, the last of `count` new ones."""
        if id in self.model.tokenizer.ends:
            return Ending.END_OF_TEXT
        if count < self._longest:
            return None
        return Ending.LENGTH if count == self._max_new_tokens else Ending.CONTEXT

    def _end(self, ending: Ending | None) -> None:
        """End the generation, unless `ending` is None: the caches are released, the tokens are kept."""
        if ending is None:
            return
        self.ending = ending
        if self._request is not None:
            self._engine.scheduler.cancel(self._request)
        self._request = None
        self._forget()

    @abstractmethod
    def _forget(self) -> None:
        """Release the caches."""


def read_ids(model: LanguageModel, prompt: str, max_new_tokens: int) -> tuple[list[int], int]:
    """The tokens of a prompt that are read if `max_new_tokens` follow, and how many are cut.

    All are read, unless that leaves no room for a new one. An empty prompt becomes the start token.
    """
    whole, positions = encode_prompt(model, prompt), context_length(model.config)
    if len(whole) < positions:
        return whole.ids.tolist(), 0
    end = encode_prompt(model, prompt, max(positions - max_new_tokens, positions // 2))
    return end.ids.tolist(), end.truncated
