"""The batch step for all visitors who generate with a model: it reads their next tokens together.

`models/stepping` computes the step; this module has the requests, the caches and the sampled tokens.
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
from explorer.locale import in_this_language
from explorer.models.cache import Cache
from explorer.models.language_model import LanguageModel
from explorer.models.stepping import Addition, Step
from explorer.models.transformer import Transformer
from explorer.trace import Ability, captured

MANY = 12  # requests that are served in a separate thread; with fewer, the hand-over costs more than it saves
PIECE = 128  # tokens of a batch step, so that nobody waits for a whole long prompt


@dataclass(eq=False)
class CachedText:
    """A text as far as it has been read, the ids that are still to be read, and what steers it."""

    cache: Cache
    unread: list[int] = field(default_factory=list)
    additions: Sequence[Addition] = ()


class StepRequest(Request):
    """A visitor's step: read the unread tokens of its texts, and choose the next token.

    When finished, `states` are the normalised last states, a row for each text, and `logits` their scores, or
    `sampled` the token chosen by `sampling`. With `every` there is one text, a state for each token read, and
    no logits. `later` are the random numbers of the following steps, for a remote engine that works ahead.
    """

    def __init__(
        self,
        texts: Sequence[CachedText],
        sampling: SamplingRequest | None = None,
        every: bool = False,
        later: Sequence[float] = (),
    ) -> None:
        super().__init__()
        self.in_its_language = in_this_language(_call)  # another visitor's thread may serve it
        self.texts, self.sampling, self.every, self.later = texts, sampling, every, later
        self.states: Float[Tensor, "batch d_model"] | None = None
        self.logits: Float[Tensor, "batch d_vocab"] | None = None
        self.sampled: SampledToken | None = None
        self.read: list[Float[Tensor, "pos d_model"]] = []

    @property
    def size(self) -> int:  # type: ignore[override]  # requests in the queue never write it
        """The number of tokens that its next batch step reads."""
        return sum(min(len(text.unread), PIECE) for text in self.texts)

    @property
    def prompt(self) -> bool:
        """Whether a text has more than one token to read."""
        return any(len(text.unread) > 1 for text in self.texts)


class Queue(Protocol):
    """A queue that serves requests; `Scheduler` documents the methods."""

    def run(self, request: StepRequest, wait: float | None = None) -> bool: ...
    def place(self, request: StepRequest) -> int: ...
    def cancel(self, request: StepRequest) -> None: ...


class TextEngine(Protocol):
    """A source of generation steps: an `Engine`, or a remote one with the same interface."""

    @property
    def scheduler(self) -> Queue: ...
    def new_cache(self, capacity: int) -> Cache: ...
    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]: ...


class Engine:
    """Serves the step requests of all visitors who generate with a model."""

    def __init__(self, network: Transformer) -> None:
        self.network = network
        self.scheduler = Scheduler(self.serve, most=PIECE)
        self.step = Step(network)
        self._thread = ThreadPoolExecutor(1, "texts together")
        self._grids: threading.Thread | None = None

    def new_cache(self, capacity: int) -> Cache:
        """An empty cache for one text of up to `capacity` tokens."""
        return self.network.new_cache(capacity=capacity)

    def serve(self, requests: Sequence[StepRequest]) -> list[StepRequest]:
        """One batch step; returns the unfinished requests. Errors are stored in their requests."""
        if len(requests) < MANY:
            self._attempt(requests)
        else:  # always the same thread: memory that a thread has freed is reused only by itself
            self._thread.submit(self._attempt, requests).result()
        return [r for r in requests if r.states is None and r.error is None]

    @torch.inference_mode()
    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        return self.step.scores(states)

    @torch.inference_mode()
    def _attempt(self, requests: Sequence[StepRequest]) -> None:
        """Serve all requests; if that fails, serve each alone, so that only the faulty one gets the error."""
        alone = len(requests) == 1
        try:
            (requests[0].in_its_language if alone else _call)(self._serve, requests)
        except Exception as error:
            if alone:
                requests[0].error = error
            else:
                for request in requests:
                    self._attempt([request])

    def _serve(self, requests: Sequence[StepRequest]) -> None:
        """Read for all requests and store the results; if that fails, nothing has changed."""
        prompts = [request for request in requests if request.prompt]
        others = [request for request in requests if not request.prompt] if prompts else requests
        # Separately, since requests of one token each share an attention step.
        states = self._read(prompts) | self._read(others)
        finished = [r for r in requests if all(len(text.unread) <= PIECE for text in r.texts)]
        to_sample = [(request, request.sampling) for request in finished if request.sampling]
        if to_sample:
            self._use_grids()
            logits = self.logits(_concatenate([states[request] for request, _ in to_sample]))
            tokens = sample(logits, [sampling for _, sampling in to_sample])
            for (request, _), token in zip(to_sample, tokens, strict=True):
                request.sampled = token
        for request in finished:
            if not (request.sampling or request.every):
                request.logits = self.logits(states[request]).cpu()
        for request in requests:
            for text in request.texts:
                piece, text.unread = text.unread[:PIECE], text.unread[PIECE:]
                text.cache.length += len(piece)
            if request.every:
                request.read.append(states[request])
        for request in finished:
            request.states = _concatenate(request.read) if request.every else states[request]

    def _use_grids(self) -> None:
        """Once, when a text is first written: make the next steps faster, while this one is computed."""
        if not self._grids:
            self._grids = threading.Thread(target=self.step.use_grids, name="grids of weights", daemon=True)
            self._grids.start()

    def wait_for_grids(self) -> None:
        """Wait until steps are as fast as they will be: for what measures them."""
        self._use_grids()
        captured(self._grids).join()

    def _read(self, requests: Sequence[StepRequest]) -> dict[StepRequest, Tensor]:
        """The states of each request's next tokens; of a prompt only the last, unless it needs `every`."""
        if not requests:
            return {}
        texts = [text for request in requests for text in request.texts]
        all_states = self.step(
            [text.unread[:PIECE] for text in texts],
            [text.cache for text in texts],
            [text.additions for text in texts],
        )
        states = {}
        for request, part in zip(requests, all_states.split([r.size for r in requests]), strict=True):
            rows = part[-1:] if request.prompt and not request.every else part
            # A copy: a slice would keep the whole batch in memory.
            states[request] = rows if len(rows) == len(all_states) else rows.clone()
        return states


def _call(function: Callable[..., object], *args: object) -> object:
    return function(*args)


def _concatenate(parts: list[Tensor]) -> Tensor:
    """The rows of all parts; a single part is not copied."""
    return parts[0] if len(parts) == 1 else torch.cat(parts)


_engines: "WeakKeyDictionary[LanguageModel, TextEngine]" = WeakKeyDictionary()
_lock = threading.Lock()


def engine_of(model: LanguageModel) -> TextEngine:
    """The engine of a model, created when it is first needed, and dropped with the model.

    A remote network has its own (`new_engine`). Raises AbilityError for a model that does not generate text.
    """
    with _lock:
        if model not in _engines:
            own = getattr(model.network, "new_engine", None)
            if own is None:
                model.require(Ability.GENERATE, "continue a text")
            # A network with the ability is a Transformer.
            _engines[model] = Engine(cast(Transformer, model.network)) if own is None else own()
        return _engines[model]
