"""One batch step of GPT-2: the next token of each of many texts, read in one pass over the weights.

All rows share the products with the weights, which take most of the time; each row then attends over
its own key/value cache, so that texts of any lengths stand together and none is padded. Sums are made
in another order for other numbers of rows: a text read in company differs from the same text read
alone by rounding, about one part in a million.

It computes what `Gpt.forward` computes, with fewer and plainer calls: for a single row of a small
model those take as long as the numbers.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from explorer.generation.sampling import SampledToken, SamplingRequest, sample
from explorer.generation.scheduler import Request, Scheduler
from explorer.models.base import LanguageModel
from explorer.models.gpt import Gpt
from explorer.models.layers import ACTIVATIONS, Cache, vocabulary_scores

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
    def size(self) -> int:
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
        # Looked up once: for a single row that takes as long as the numbers. Their values may change.
        self._layers = [
            [
                _parameters(block.attention_norm), _parameters(block.attention.qkv),
                _parameters(block.attention.output), _parameters(block.mlp_norm),
                _parameters(block.mlp.up), _parameters(block.mlp.down),
            ]
            for block in network.blocks
        ]  # fmt: skip
        self._last_norm = _parameters(network.norm)
        self._activation = ACTIVATIONS[network.config.activation]

    @torch.inference_mode()
    def serve(self, requests: Sequence[StepRequest]) -> list[StepRequest]:
        """One batch step; returns those of which more is to be read. Errors stay with their requests."""
        rows = [request for request in requests if not request.prompt]
        for request in requests:
            if request not in rows:
                self._attempt([request], self._read)
        if rows:
            self._attempt(rows, self._step)
        return [r for r in requests if r.states is None and r.error is None]

    def step(self, ids: Sequence[int], caches: Sequence[Cache]) -> Float[Tensor, "batch d_model"]:
        """Read one token of each text; the last layer's states, normalised.

        The caches hold the new rows, but their `length` is the caller's to move.
        """
        network, config, rows = self.network, self.network.config, len(ids)
        shape, eps, activation = (config.d_model,), config.norm_eps, self._activation
        at = [cache.length for cache in caches]
        if any(a >= cache.memory.shape[-2] for a, cache in zip(at, caches, strict=True)):
            raise IndexError(f"A cache has no room for position {max(at)}.")
        places = torch.tensor([ids, at], device=network.tokens.weight.device)
        x = F.embedding(places[0], network.tokens.weight) + F.embedding(places[1], network.positions.weight)
        # The places of all layers' keys and values, in turn, for each row: those known, and the new one.
        known = [c.memory.narrow(-2, 0, a + 1).flatten(0, 1).unbind() for c, a in zip(caches, at)]
        new = [c.memory.narrow(-2, a, 1).flatten(0, 1).unbind() for c, a in zip(caches, at)]
        for layer, (attention_norm, qkv, output, mlp_norm, up, down) in enumerate(self._layers):
            projected = F.linear(torch.layer_norm(x, shape, *attention_norm, eps), *qkv)
            heads = projected.view(3 * rows, 1, config.heads, 1, -1).unbind()
            k, v, mixed = 2 * layer, 2 * layer + 1, []
            for row in range(rows):
                query, key, value = heads[3 * row : 3 * row + 3]
                new[row][k].copy_(key)
                new[row][v].copy_(value)
                mixed.append(F.scaled_dot_product_attention(query, known[row][k], known[row][v]))
            x += F.linear(_joined(mixed).view(rows, -1), *output)
            x += F.linear(activation(F.linear(torch.layer_norm(x, shape, *mlp_norm, eps), *up)), *down)
        return torch.layer_norm(x, shape, *self._last_norm, eps)

    @torch.inference_mode()
    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        weight = getattr(self.network, "decoder", self.network.tokens.weight)
        return vocabulary_scores(states, weight).float()

    def _attempt(
        self, requests: Sequence[StepRequest], step: Callable[[Sequence[StepRequest]], None]
    ) -> None:
        """Take a step together; where that fails each alone, so that only the culprit has the error."""
        try:
            step(requests)
        except Exception as error:
            if len(requests) == 1:
                requests[0].error = error
            else:
                for request in requests:
                    self._attempt([request], step)

    def _read(self, requests: Sequence[StepRequest]) -> None:
        """A piece of one prompt, by the network itself."""
        (request,) = requests
        (text,) = request.texts
        before, piece = text.cache.length, text.unread[:PIECE]
        try:
            ids = torch.tensor([piece], device=self.network.tokens.weight.device)
            states = self.network.norm(self.network(ids, cache=text.cache).last[0])
            states = torch.cat([*request.read, states if request.every else states[-1:]])
            if len(piece) == len(text.unread):
                self._finish([request], [states])
            elif request.every:
                request.read = [states]
        except BaseException:
            text.cache.length = before
            raise
        text.unread = text.unread[len(piece) :]

    def _step(self, requests: Sequence[StepRequest]) -> None:
        """A token of every text of all these requests."""
        texts = [text for request in requests for text in request.texts]
        states = self.step([text.unread[0] for text in texts], [text.cache for text in texts])
        parts = _parts(states, [len(request.texts) for request in requests])
        if len(parts) > 1:  # a slice would keep the whole batch in memory
            parts = [part.clone() for part in parts]
        self._finish(requests, [_joined([*r.read, part]) for r, part in zip(requests, parts)])
        for text in texts:
            text.unread = text.unread[1:]
            text.cache.length += 1

    def _finish(self, requests: Sequence[StepRequest], states: Sequence[Tensor]) -> None:
        """Hand out the states, the scores of all in one product, and the tokens sampled from them."""
        scored = [(request, part) for request, part in zip(requests, states) if not request.every]
        if scored:
            logits = self.logits(_joined([part for _, part in scored]))
            rows = _parts(logits, [len(part) for _, part in scored])
            drawing = [(r.sampling, row) for (r, _), row in zip(scored, rows) if r.sampling]
            if drawing:
                tokens = iter(sample(_joined([row for _, row in drawing]), [asked for asked, _ in drawing]))
            for (request, _), row in zip(scored, rows):
                if request.sampling:
                    request.sampled = next(tokens)
                else:
                    request.logits = row
        for request, part in zip(requests, states):
            request.states = part


def _joined(parts: Sequence[Tensor]) -> Tensor:
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
            _engines[model] = Engine(model.network)
        return _engines[model]
