"""One batch step for all who write with a model: their texts' next tokens, read together.

What is read, and how, is the network's own affair (`new_step`); here are the requests, the caches, and the
tokens drawn.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, cast
from weakref import WeakKeyDictionary

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.generation.sampling import SampledToken, SamplingRequest, sample
from explorer.generation.scheduler import Request, Scheduler
from explorer.models.cache import Cache
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability

MANY = 12  # requests that are served in a thread of their own; for fewer, handing over costs more
PIECE = 128  # tokens of one batch step, so that nobody waits for a whole long prompt


@dataclass(eq=False)
class CachedText:
    """One text as far as it has been read, and the ids that are still to be read."""

    cache: Cache
    unread: list[int] = field(default_factory=list)


class StepRequest(Request):
    """One step of one visitor: its texts up to the end of what is unread, and the next token.

    When done, `states` are the normalised last states, a row for each text, and `logits` their
    scores, or `sampled` the token that `sampling` asked for. With `every` there is one text, a state
    for each token read, and no logits. `later` are the draws of the steps that may follow, for an engine
    elsewhere that goes ahead.
    """

    def __init__(
        self,
        texts: Sequence[CachedText],
        sampling: SamplingRequest | None = None,
        every: bool = False,
        later: Sequence[float] = (),
    ) -> None:
        super().__init__()
        self.texts, self.sampling, self.every, self.later = texts, sampling, every, later
        self.states: Float[Tensor, "batch d_model"] | None = None
        self.logits: Float[Tensor, "batch d_vocab"] | None = None
        self.sampled: SampledToken | None = None
        self.read: list[Float[Tensor, "pos d_model"]] = []

    @property
    def size(self) -> int:  # type: ignore[override]  # those in line never write it
        """How many tokens its next batch step reads."""
        return sum(min(len(text.unread), PIECE) for text in self.texts)

    @property
    def prompt(self) -> bool:
        """Whether there is more to read than one token a text."""
        return any(len(text.unread) > 1 for text in self.texts)


class Line(Protocol):
    """Where a request is served: `Scheduler` explains the methods."""

    def run(self, request: StepRequest, wait: float | None = None) -> bool: ...
    def place(self, request: StepRequest) -> int: ...
    def cancel(self, request: StepRequest) -> None: ...


class TextEngine(Protocol):
    """What continues texts: an `Engine`, or one elsewhere that is asked for the same steps."""

    @property
    def scheduler(self) -> Line: ...
    def new_cache(self, capacity: int) -> Cache: ...
    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]: ...


class ReadsOn(Protocol):
    """What reads the next tokens of each of many texts: `explorer.models.stepping.Step` is one."""

    def __call__(
        self, pieces: Sequence[Sequence[int]], caches: Sequence[Cache]
    ) -> Float[Tensor, "token d_model"]: ...
    def scores(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]: ...


class Continues(Protocol):
    """A network that reads on from a key/value cache."""

    def new_cache(self, batch: int = 1, capacity: int | None = None) -> Cache: ...
    def new_step(self) -> ReadsOn: ...


class Engine:
    """Serves the step requests of all who write with one model.

    >>> import explorer
    >>> network = explorer.load("gpt").network
    >>> request = StepRequest([CachedText(network.new_cache(capacity=8), [5, 6, 7])])
    >>> unfinished = Engine(network).serve([request])
    >>> request.logits.shape == (1, network.config.d_vocab), request.texts[0].cache.length
    (True, 3)
    """

    def __init__(self, network: Continues) -> None:
        self.network = network
        self.scheduler = Scheduler(self.serve, most=PIECE)
        self._step = network.new_step()
        self._thread = ThreadPoolExecutor(1, "texts together")

    def new_cache(self, capacity: int) -> Cache:
        """An empty cache for one text of up to `capacity` tokens."""
        return self.network.new_cache(capacity=capacity)

    def serve(self, requests: Sequence[StepRequest]) -> list[StepRequest]:
        """One batch step; returns those of which more is to be read. Errors stay with their requests."""
        if len(requests) < MANY:
            self._attempt(self._serve, requests)
        else:  # always in the same thread: each keeps its own freed memory, so another's is cold
            self._thread.submit(self._attempt, self._serve, requests).result()
        return [r for r in requests if r.states is None and r.error is None]

    def step(
        self, pieces: Sequence[Sequence[int]], caches: Sequence[Cache]
    ) -> Float[Tensor, "token d_model"]:
        """Read the next tokens of each text; the last layer's states, normalised, text after text."""
        return self._step(pieces, caches)

    @torch.inference_mode()
    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        return self._step.scores(states)

    @torch.inference_mode()
    def _attempt(
        self, step: Callable[[Sequence[StepRequest]], None], requests: Sequence[StepRequest]
    ) -> None:
        """Take a step together; where that fails each alone, so that only the culprit has the error."""
        try:
            step(requests)
        except Exception as error:
            if len(requests) == 1:
                requests[0].error = error
            else:
                for request in requests:
                    self._attempt(step, [request])

    def _serve(self, requests: Sequence[StepRequest]) -> None:
        """Read for all, and hand out what came of it; nothing is changed where that fails."""
        prompts = [request for request in requests if request.prompt]
        others = [request for request in requests if not request.prompt] if prompts else requests
        # Apart, since those who read one token each attend together.
        states = self._read(prompts) | self._read(others)
        finished = [r for r in requests if all(len(text.unread) <= PIECE for text in r.texts)]
        drawing = [(request, request.sampling) for request in finished if request.sampling]
        if drawing:
            logits = self.logits(_joined([states[request] for request, _ in drawing]))
            tokens = sample(logits, [asked for _, asked in drawing])
            for (request, _), token in zip(drawing, tokens, strict=True):
                request.sampled = token
        for request in finished:
            if not (request.sampling or request.every):
                request.logits = self.logits(states[request])
        for request in requests:
            for text in request.texts:
                piece, text.unread = text.unread[:PIECE], text.unread[PIECE:]
                text.cache.length += len(piece)
            if request.every:
                request.read.append(states[request])
        for request in finished:
            request.states = _joined(request.read) if request.every else states[request]

    def _read(self, requests: Sequence[StepRequest]) -> dict[StepRequest, Tensor]:
        """The states of each request's next tokens: of a prompt the last one's, unless it wants every."""
        if not requests:
            return {}
        texts = [text for request in requests for text in request.texts]
        read = self.step([text.unread[:PIECE] for text in texts], [text.cache for text in texts])
        found = {}
        for request, part in zip(requests, read.split([r.size for r in requests]), strict=True):
            wanted = part[-1:] if request.prompt and not request.every else part
            # A copy: a slice would keep the whole batch in memory.
            found[request] = wanted if len(wanted) == len(read) else wanted.clone()
        return found


def _joined(parts: list[Tensor]) -> Tensor:
    """All rows of some parts; a single part is not copied."""
    return parts[0] if len(parts) == 1 else torch.cat(parts)


_engines: "WeakKeyDictionary[LanguageModel, TextEngine]" = WeakKeyDictionary()
_lock = threading.Lock()


def engine_of(model: LanguageModel) -> TextEngine:
    """The one engine of a model, made when it is first needed, and dropped with the model.

    A network that runs elsewhere brings one of its own (`new_engine`). Raises AbilityError for a model that
    does not continue texts.

    >>> import explorer
    >>> model = explorer.load("gpt")
    >>> engine_of(model) is engine_of(model)
    True
    """
    with _lock:
        if model not in _engines:
            own = getattr(model.network, "new_engine", None)
            if own is None:
                model.require(Ability.GENERATE, "continue a text")
            # A network with the ability has the methods of `Continues`.
            _engines[model] = Engine(cast(Continues, model.network)) if own is None else own()
        return _engines[model]
