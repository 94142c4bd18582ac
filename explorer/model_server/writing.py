"""Continuing texts with a model on a server, which sends the tokens as it samples them.

A text is kept here as its ids alone. As long as a stream of tokens is open, the next step is its next line.
Any other step (a branch, a token given by hand, a stream that broke off) opens a new stream, or reads the
whole text again. It stays the same text, since each step has a draw of its own.
"""

import json
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from time import perf_counter
from typing import Any, cast

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from explorer.errors import ExplorerError, FormatError
from explorer.generation.engine import StepRequest
from explorer.generation.sampling import SampledToken
from explorer.model_server.client import BrokenOffError, Client
from explorer.model_server.wire import Facts, Tensors
from explorer.models.base import final_norm
from explorer.models.cache import Cache
from explorer.models.interventions import Interventions, after_layer
from explorer.trace import captured

TRIES = 3  # streams in a row that may break off without a single token
Step = tuple[SampledToken, Tensor]  # with the normalised state that the token was sampled from
POLL_S = 0.1  # how soon a thread that waits for a token notices that its text was closed


class Stream:
    """The steps that a server sends, read in a thread, one ahead. The next one comes `after` these ids."""

    def __init__(self, steps: Generator[Step, None, None], after: list[int]) -> None:
        self.after, self._steps = after, steps
        self._thread = ThreadPoolExecutor(1, "served stream")
        self._next = self._thread.submit(next, steps)

    def next(self, request: StepRequest, wait: float | None) -> Step | None:
        """The next step; None if the request was cancelled, or if there is no step after `wait` seconds."""
        until = None if wait is None else perf_counter() + wait
        while not request.cancelled:
            try:
                step = self._next.result(POLL_S if wait is None else min(wait, POLL_S))
            except TimeoutError:
                if until is not None and perf_counter() >= until:
                    return None
                continue
            self.after, self._next = [step[0].id], self._thread.submit(next, self._steps)
            return step
        return None

    def close(self) -> None:
        """Hang up, so that the server stops. Any thread may do so, even while another waits for a step."""
        self._thread.submit(self._steps.close)


class RemoteCache(Cache):
    """The ids of a text, kept where other caches keep keys and values, and the stream that continues it."""

    def __init__(self, capacity: int) -> None:
        super().__init__(1, 1, 1, capacity, 1, torch.long)
        self.stream: Stream | None = None

    @property
    def ids(self) -> Int[Tensor, "pos"]:
        """The ids that have been read."""
        return self.memory[0, 0, 0, 0, : self.length, 0]

    def append(self, ids: list[int]) -> None:
        """Add ids that have been read."""
        self.memory[..., self.length : self.length + len(ids), 0] = torch.tensor(ids)
        self.length += len(ids)

    def leave(self) -> None:
        """Close the stream; the text can be continued by another one."""
        if self.stream is not None:
            self.stream.close()
        self.stream = None


class RemoteEngine:
    """The TextEngine of a served model. It is its own scheduler: requests wait in line at the server."""

    def __init__(self, network: Any, client: Client) -> None:
        self._network, self._client = network, client

    @property
    def scheduler(self) -> "RemoteEngine":
        """Where requests are run."""
        return self

    def new_cache(self, capacity: int) -> RemoteCache:
        """An empty text of up to `capacity` tokens."""
        return RemoteCache(capacity)

    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        scores: Tensor = self._network.scores(states)
        return scores

    def run(self, request: StepRequest, wait: float | None = None) -> bool:
        """Whether the request is done; it is not if it was cancelled, or takes longer than `wait` seconds."""
        if not (request.cancelled or request.finished):
            read = self._read(request) if request.sampling is None else self._sample(request, wait)
            for text in request.texts if read else ():
                cast(RemoteCache, text.cache).append(text.unread)
                text.unread = []
            request.finished = read
        return request.finished

    def place(self, request: StepRequest) -> int:
        """0: the line at the server is not visible from here."""
        return 0

    def cancel(self, request: StepRequest) -> None:
        """Give up a request; any thread may do so."""
        request.cancelled = True
        for text in request.texts:
            text.cache.leave()

    def _sample(self, request: StepRequest, wait: float | None) -> bool:
        """Take the step from the text's stream; open a new one if there is none that continues from here."""
        (text,) = request.texts
        cache = cast(RemoteCache, text.cache)
        for tries_left in reversed(range(TRIES)):
            if cache.stream is None or cache.stream.after != text.unread:
                cache.leave()
                cache.stream = self._open(request, [*cache.ids.tolist(), *text.unread])
            try:
                with self._client.waiting():
                    step = cache.stream.next(request, wait)
            except ExplorerError as error:
                cache.leave()
                if not tries_left or not isinstance(error, BrokenOffError):
                    raise
                continue
            if step is not None:
                request.sampled, request.states = step[0], step[1][None]
            return step is not None
        return False

    def _open(self, request: StepRequest, ids: list[int]) -> Stream:
        """A stream of the tokens that the server samples after these ids."""
        sampling = captured(request.sampling)
        body = {
            "ids": ids,
            "draws": [sampling.draw, *request.later],
            "sampling": asdict(sampling.sampling),
            "candidates": sampling.candidates,
            "written": sampling.written,
            "additions": [[layer, vector.tolist()] for layer, vector in request.texts[0].additions],
        }
        lines = self._client.stream("write", json.dumps(body).encode())
        return Stream(_steps(lines), request.texts[0].unread)

    def _read(self, request: StepRequest) -> bool:
        """Read whole texts: the states of what was unread (or of the last tokens), and their logits."""
        caches = [cast(RemoteCache, text.cache) for text in request.texts]
        texts = [
            torch.cat([cache.ids, torch.tensor(text.unread)])
            for cache, text in zip(caches, request.texts, strict=True)
        ]
        first = caches[0].length if request.every else -1
        at = torch.stack([torch.arange(len(ids))[first:] for ids in texts])
        mask = pad_sequence([torch.ones_like(ids, dtype=torch.bool) for ids in texts], batch_first=True)
        added = [
            after_layer(layer, vector, rows=[row])
            for row, text in enumerate(request.texts)
            for layer, vector in text.additions
        ]
        edit = Interventions(added) if added else None
        with torch.no_grad():
            ids = pad_sequence(texts, batch_first=True)
            last = self._network(ids, mask=mask, edit=edit, at=at).last.flatten(0, 1)
            request.states = final_norm(self._network, last)
            request.logits = None if request.every else self._network.unembed(last)
        for cache in caches:
            cache.leave()
        return True


def _steps(lines: Iterator[tuple[Tensors, Facts]]) -> Generator[Step, None, None]:
    """The sampled tokens in a stream's lines. Raises FormatError for a line of something else."""
    # It holds no reference to its text, so that the stream ends as soon as nobody has the text any more.
    try:
        for tensors, facts in lines:
            best = [(int(id), float(p), float(chance)) for id, p, chance in facts.pop("best")]
            yield SampledToken(**facts, best=best), tensors["state"]
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError("The server's stream does not hold tokens.", "Try again.") from error
