"""One batch step of GPT-2: the next token of each of many texts, read in one pass over the weights.

All rows share the products with the weights, which take most of the time; each row attends over its
own text (`attention`): selective batching (Yu et al., "Orca", OSDI 2022). Sums are made in another
order for other numbers of rows: a text read among others differs from the same text read alone by
rounding, about one part in a million.

It computes what `Gpt.forward` computes, with fewer and plainer calls: for a single row of a small
model those take as long as the numbers.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, cast
from weakref import WeakKeyDictionary

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.generation.attention import BatchCache, OneByOne, OneToken
from explorer.generation.product import Product, halve
from explorer.generation.sampling import SampledToken, SamplingRequest, sample
from explorer.generation.scheduler import Request, Scheduler
from explorer.models.gpt import Gpt
from explorer.models.language_model import LanguageModel
from explorer.models.layers import ACTIVATIONS, Cache

MANY = 12  # requests that are served in a thread of their own; for fewer, handing over costs more
ALONE = 16  # tokens read by themselves before the weights are halved: the first ones must not wait for it
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


class Engine:
    """Serves the step requests of all who write with one model.

    >>> import explorer
    >>> network = explorer.load("gpt").network
    >>> request = StepRequest([CachedText(network.new_cache(capacity=8), [5, 6, 7])])
    >>> unfinished = Engine(network).serve([request])
    >>> request.logits.shape == (1, network.config.d_vocab), request.texts[0].cache.length
    (True, 3)
    """

    def __init__(self, network: Gpt) -> None:
        self.network = network
        self.scheduler = Scheduler(self.serve, most=PIECE)
        self._batch = BatchCache()
        self._thread = ThreadPoolExecutor(1, "texts together")
        # Looked up once: for a single row that takes as long as the numbers. Their values may change.
        self._layers = [
            (
                _parameters(block.attention_norm),
                Product(*_parameters(block.attention.qkv)),
                Product(*_parameters(block.attention.output)),
                _parameters(block.mlp_norm),
                Product(*_parameters(block.mlp.up)),
                Product(*_parameters(block.mlp.down)),
            )
            for block in network.blocks
        ]
        self._scores = Product(getattr(network, "decoder", network.tokens.weight))
        self._last_norm = _parameters(network.norm)
        self._products = [part for layer in self._layers for part in layer if isinstance(part, Product)]
        self._products.append(self._scores)
        self._alone = 0  # tokens read by themselves so far
        self._activation = ACTIVATIONS[network.config.activation]

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
        """Read the next tokens of each text; the last layer's states, normalised, text after text.

        The caches hold the new rows, but their `length` is the caller's to move.
        """
        network, config, counts = self.network, self.network.config, [len(piece) for piece in pieces]
        for cache, count in zip(caches, counts, strict=True):
            if cache.length + count > cache.memory.shape[-2]:
                raise IndexError(f"A cache has no room for position {cache.length + count - 1}.")
        order: list[int] = []
        if counts == [1]:
            attention: OneToken | OneByOne | BatchCache = OneToken(caches[0])
            self._alone += 1
            if self._alone == ALONE:
                threading.Thread(target=halve, args=(self._products,), name="halving").start()
        elif max(counts) == 1 and BatchCache.suits(caches):
            attention = self._batch
            order = self._batch.arrange(caches)
            pieces, caches = [pieces[i] for i in order], [caches[i] for i in order]
        else:
            attention = OneByOne(caches, counts)
        ids = [id for piece in pieces for id in piece]
        places = [
            cache.length + cache.shift + i for cache, piece in zip(caches, pieces) for i in range(len(piece))
        ]
        rows = torch.tensor([ids, places], device=network.tokens.weight.device)
        x = torch.embedding(network.tokens.weight, rows[0])
        x += torch.embedding(network.positions.weight, rows[1])
        shape, eps, activation, norm = (config.d_model,), config.norm_eps, self._activation, torch.layer_norm
        for layer, (attention_norm, qkv, output, mlp_norm, up, down) in enumerate(self._layers):
            heads = qkv(norm(x, shape, *attention_norm, eps)).view(len(ids), 3, config.heads, -1)
            x += output(attention.attend(layer, heads))
            x += down(activation(up(norm(x, shape, *mlp_norm, eps))))
        states = norm(x, shape, *self._last_norm, eps)
        if order:
            self._batch.write_back()
            states = states[sorted(range(len(order)), key=order.__getitem__)]  # as they were asked for
        return states

    @torch.inference_mode()
    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        return self._scores(states).float()

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


def _parameters(module: nn.Linear | nn.LayerNorm) -> tuple[Tensor, Tensor]:
    return module.weight, module.bias


_engines: "WeakKeyDictionary[LanguageModel, TextEngine]" = WeakKeyDictionary()
_lock = threading.Lock()


def engine_of(model: LanguageModel) -> TextEngine:
    """The one engine of a model, made when it is first needed, and dropped with the model.

    A network that runs elsewhere brings one of its own (`new_engine`).

    >>> import explorer
    >>> model = explorer.load("gpt")
    >>> engine_of(model) is engine_of(model)
    True
    """
    with _lock:
        if model not in _engines:
            own = getattr(model.network, "new_engine", None)
            # No other network than a GPT continues texts.
            _engines[model] = Engine(cast(Gpt, model.network)) if own is None else own()
        return _engines[model]
