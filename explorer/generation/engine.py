"""One batch step of GPT-2: the next token of each of many texts, read in one pass over the weights.

All rows share the products with the weights, which take most of the time; each row attends over its
own text (`attention`). Sums are made in another order for other numbers of rows: a text read in
company differs from the same text read alone by rounding, about one part in a million.

It computes what `Gpt.forward` computes, with fewer and plainer calls: for a single row of a small
model those take as long as the numbers.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from explorer.generation.attention import BatchCache, OwnCaches
from explorer.generation.sampling import SampledToken, SamplingRequest, sample
from explorer.generation.scheduler import Request, Scheduler
from explorer.models.base import LanguageModel
from explorer.models.gpt import Gpt
from explorer.models.layers import ACTIVATIONS, Cache

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
    for each token read, and no logits.
    """

    def __init__(
        self, texts: Sequence[CachedText], sampling: SamplingRequest | None = None, every: bool = False
    ) -> None:
        super().__init__()
        self.texts, self.sampling, self.every = texts, sampling, every
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


class Engine:
    """Serves the step requests of all who write with one model."""

    def __init__(self, network: Gpt) -> None:
        self.network = network
        self.scheduler = Scheduler(self.serve, most=PIECE)
        self._batch = BatchCache()
        # Looked up once: for a single row that takes as long as the numbers. Their values may change.
        self._layers = [
            [
                _parameters(block.attention_norm),
                _parameters(block.attention.qkv),
                _parameters(block.attention.output),
                _parameters(block.mlp_norm),
                _parameters(block.mlp.up),
                _parameters(block.mlp.down),
            ]
            for block in network.blocks
        ]
        self._last_norm = _parameters(network.norm)
        self._activation = ACTIVATIONS[network.config.activation]

    @torch.inference_mode()
    def serve(self, requests: Sequence[StepRequest]) -> list[StepRequest]:
        """One batch step; returns those of which more is to be read. Errors stay with their requests."""
        self._attempt(self._serve, requests)
        return [r for r in requests if r.states is None and r.error is None]

    def step(self, ids: Sequence[int], caches: Sequence[Cache]) -> Float[Tensor, "batch d_model"]:
        """Read one token of each text; the last layer's states, normalised.

        The caches hold the new rows, but their `length` is the caller's to move.
        """
        network, config, rows = self.network, self.network.config, len(ids)
        if any(cache.length >= cache.memory.shape[-2] for cache in caches):
            raise IndexError(f"A cache has no room for position {max(cache.length for cache in caches)}.")
        together = BatchCache.suits(caches)
        order = self._batch.arrange(caches) if together else range(rows)
        attention = self._batch if together else OwnCaches(caches)
        places = torch.tensor([[ids[i] for i in order], [caches[i].length for i in order]])
        places = places.to(network.tokens.weight.device)
        x = torch.embedding(network.tokens.weight, places[0])
        x += torch.embedding(network.positions.weight, places[1])
        shape, eps, activation, norm = (config.d_model,), config.norm_eps, self._activation, torch.layer_norm
        for layer, (attention_norm, qkv, output, mlp_norm, up, down) in enumerate(self._layers):
            heads = F.linear(norm(x, shape, *attention_norm, eps), *qkv).view(rows, 3, config.heads, -1)
            x += F.linear(attention.attend(layer, heads), *output)
            x += F.linear(activation(F.linear(norm(x, shape, *mlp_norm, eps), *up)), *down)
        states = norm(x, shape, *self._last_norm, eps)
        if together:
            self._batch.write_back()
            states[list(order)] = states.clone()
        return states

    @torch.inference_mode()
    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        weight = getattr(self.network, "decoder", self.network.tokens.weight)
        return F.linear(states, weight).float()

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
        states = {request: self._read(request) for request in requests if request.prompt}
        rows = [request for request in requests if not request.prompt]
        if rows:
            texts = [text for request in rows for text in request.texts]
            read = self.step([text.unread[0] for text in texts], [text.cache for text in texts])
            parts = _parts(read, [len(request.texts) for request in rows])
            # Copies: a slice would keep the whole batch in memory.
            states |= {r: part.clone() for r, part in zip(rows, parts, strict=True)}
        states = {r: _joined([*r.read, part]) for r, part in states.items()}
        finished = [r for r in requests if all(len(text.unread) <= PIECE for text in r.texts)]
        scored = [request for request in finished if not request.every]
        if scored:
            logits = self.logits(_joined([states[request] for request in scored]))
            scores = dict(zip(scored, _parts(logits, [len(r.texts) for r in scored]), strict=True))
            drawing = [(r, r.sampling) for r in scored if r.sampling]
            tokens = (
                sample(_joined([scores[r] for r, _ in drawing]), [asked for _, asked in drawing])
                if drawing
                else []
            )
            for (request, _), token in zip(drawing, tokens, strict=True):
                request.sampled = token
            for request in scored:
                request.logits = None if request.sampling else scores[request]
        for request in requests:
            for text in request.texts:
                count = len(text.unread[:PIECE])
                text.cache.length += count
                text.unread = text.unread[count:]
            if request in finished:
                request.states = states[request]
            elif request.every:
                request.read = [states[request]]

    def _read(self, request: StepRequest) -> Float[Tensor, "pos d_model"]:
        """The states of a piece of one prompt, by the network itself: the last, or every one."""
        (text,) = request.texts
        before = text.cache.length
        ids = torch.tensor([text.unread[:PIECE]], device=self.network.tokens.weight.device)
        try:
            states = self.network.norm(self.network(ids, cache=text.cache).last[0])
        finally:
            text.cache.length = before  # moved when all is done
        return states if request.every else states[-1:]


def _joined(parts: list[Tensor]) -> Tensor:
    """All rows of some parts; a single part is not copied."""
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _parts(rows: Tensor, sizes: Sequence[int]) -> Sequence[Tensor]:
    """The rows in parts of these sizes; a single part is the whole."""
    return [rows] if len(sizes) == 1 else rows.split(sizes)


def _parameters(module: nn.Linear | nn.LayerNorm) -> tuple[Tensor, Tensor]:
    return module.weight, module.bias


_engines: "WeakKeyDictionary[LanguageModel, Engine]" = WeakKeyDictionary()
_lock = threading.Lock()


def engine_of(model: LanguageModel) -> Engine:
    """The one engine of a model, made when it is first needed, and dropped with the model."""
    with _lock:
        if model not in _engines:
            _engines[model] = Engine(cast(Gpt, model.network))  # no other network continues texts
        return _engines[model]
