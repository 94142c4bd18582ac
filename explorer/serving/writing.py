"""An engine that continues texts on a server: a stream of tokens as they are made there.

What a text has read is kept here as its ids alone. A step that goes on where a stream stands takes the
stream's next token; any other step (a branch, a token given by hand, a stream that broke) begins anew from
the ids, and comes to the same text, for each step has its own number of the seed.
"""

import queue
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import cast

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import AbilityError, ExplorerError, FormatError
from explorer.generation.engine import CachedText, StepRequest
from explorer.generation.sampling import SampledToken, SamplingRequest
from explorer.models.cache import Cache
from explorer.serving import connection
from explorer.serving.connection import Broken, Connection
from explorer.serving.wire import Facts, Tensors
from explorer.trace import captured

AHEAD = 32  # tokens that a stream may be ahead of whoever reads it
TRIES = 3  # streams that may break in a row without a single token


class RemoteCache(Cache):
    """What a text has read, as ids; keys and values are made anew at the server where they are needed."""

    def __init__(self) -> None:
        super().__init__(0, 0, 0, 0, 0)
        self.ids: list[int] = []
        self.stream: Stream | None = None

    def read(self, ids: list[int]) -> None:
        """Know some tokens more."""
        self.ids = [*self.ids, *ids]
        self.length, self.contents = len(self.ids), object()

    def leave(self) -> None:
        """End the stream that writes this text on."""
        if self.stream is not None:
            self.stream.close()
            self._end.detach()
        self.stream = None

    def begin(self, stream: "Stream") -> None:
        """Have a stream write this text on; it ends with the text."""
        self.leave()
        self.stream, self._end = stream, weakref.finalize(self, stream.close)

    def copy_from(self, other: Cache, length: int) -> None:
        """Know the first tokens that another text has read, and nothing else."""
        self.leave()
        self.ids = []
        self.read(cast(RemoteCache, other).ids[:length])

    def take_last(self, other: Cache) -> None:
        """Know the last token as another text of the same length does."""
        self.leave()
        last = cast(RemoteCache, other).ids[-1]
        self.ids = self.ids[:-1]
        self.read([last])

    def forget(self, keep: int, first: int = 0) -> None:
        """Raises AbilityError: a server reads whole texts."""
        raise AbilityError(
            "A model on another machine cannot forget part of a text.", "Load it on this computer."
        )


@dataclass(frozen=True)
class Made:
    """One step as the server made it, for its own draw."""

    sampled: SampledToken
    state: Tensor
    draw: float


class Stream:
    """Steps that a thread reads ahead of whoever asks for them. It ends soon after `close`."""

    def __init__(self, steps: Iterator[Made], asked: SamplingRequest) -> None:
        self.asked = asked
        self.last: int | None = None  # the token that was taken from it last
        self._steps = steps
        self._ready: queue.Queue[Made | BaseException | None] = queue.Queue(AHEAD)
        self._closed = threading.Event()
        threading.Thread(target=self._read, name="served stream", daemon=True).start()

    def next(self, wait: float | None) -> Made | None:
        """The next step. Raises queue.Empty where it is not there in time; None at the stream's end."""
        found = self._ready.get(timeout=wait)
        if isinstance(found, BaseException):
            raise found
        self.last = None if found is None else found.sampled.id
        return found

    def goes_on(self, asked: SamplingRequest, unread: list[int]) -> bool:
        """Whether its next step is the one that is asked for."""
        same = asked.sampling == self.asked.sampling and asked.candidates == self.asked.candidates
        return same and (self.last is None or unread == [self.last])

    def close(self) -> None:
        """Read no further, and wake whoever waits for a step."""
        self._closed.set()
        with suppress(queue.Full):
            self._ready.put_nowait(None)

    def _read(self) -> None:
        end: BaseException | None = None
        try:
            for made in self._steps:
                if not self._put(made):
                    break
        except BaseException as error:  # for whoever asks for the next step
            end = error
        finally:
            getattr(self._steps, "close", lambda: None)()  # hangs up: the server stops
        self._put(end)

    def _put(self, item: Made | BaseException | None) -> bool:
        while not self._closed.is_set():
            try:
                self._ready.put(item, timeout=0.2)
                return True
            except queue.Full:
                continue
        return False


class RemoteEngine:
    """A TextEngine: the steps of one served model. It is its own line, for the server keeps the real one."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def scheduler(self) -> "RemoteEngine":
        """Where requests are served."""
        return self

    def new_cache(self, capacity: int) -> RemoteCache:
        """A text that has read nothing."""
        return RemoteCache()

    def logits(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        found, _ = self._connection.ask("head", {"hidden": states}, {"head": "scores"})
        return captured(found.get("scores"))

    def run(self, request: StepRequest, wait: float | None = None) -> bool:
        """Have a step made: False where it was cancelled, or is not there after `wait` seconds."""
        if request.cancelled or request.finished:
            return request.finished
        try:
            asked = request.sampling
            if asked is None or asked.forced is not None or len(request.texts) != 1:
                self._read(request)
            else:
                self._next(request, asked, None if wait is None else perf_counter() + wait)
        except BaseException as error:
            request.error, request.finished = error, True
            raise
        return request.finished

    def place(self, request: StepRequest) -> int:
        """0: the server's line is not seen from here."""
        return 0

    def cancel(self, request: StepRequest) -> None:
        """Nobody waits for this step any more."""
        request.cancelled = True
        for text in request.texts:
            cast(RemoteCache, text.cache).leave()

    def _next(self, request: StepRequest, asked: SamplingRequest, until: float | None) -> None:
        """Take the step from the text's stream, opened anew where there is none that goes on from here."""
        (text,) = request.texts
        cache = cast(RemoteCache, text.cache)
        for left in reversed(range(TRIES)):
            if request.cancelled:
                return
            if cache.stream is None or not cache.stream.goes_on(asked, text.unread):
                cache.leave()
                cache.begin(self._open(text, asked, request.later))
            assert cache.stream is not None
            try:
                with connection.waiting():
                    made = cache.stream.next(None if until is None else max(until - perf_counter(), 0.001))
            except queue.Empty:
                return
            except Broken:
                cache.leave()
                if not left:
                    raise
                continue
            except ExplorerError:
                cache.leave()
                raise
            if made is None or made.draw != asked.draw:  # it ran out of time, or stands elsewhere
                cache.leave()
                continue
            cache.read(text.unread)
            text.unread = []
            request.sampled, request.states, request.finished = made.sampled, made.state[None], True
            return
        raise FormatError("The server ends its streams before their first token.", "Try again.")

    def _open(self, text: CachedText, asked: SamplingRequest, later: Sequence[float]) -> Stream:
        ids = torch.tensor([*cast(RemoteCache, text.cache).ids, *text.unread])
        draws = [asked.draw, *later]
        tensors = {"ids": ids, "draws": torch.tensor(draws, dtype=torch.float64)}
        facts = {"sampling": asdict(asked.sampling), "candidates": asked.candidates}
        frames = self._connection.stream("generate", tensors, facts)
        return Stream(_steps(frames, draws), asked)

    def _read(self, request: StepRequest) -> None:
        """The states of tokens that are known already, and what they make probable."""
        texts = [(text, cast(RemoteCache, text.cache)) for text in request.texts]
        whole = [[*cache.ids, *text.unread] for text, cache in texts]
        ids = torch.tensor([id for ids in whole for id in ids])
        facts = {"lengths": [len(ids) for ids in whole], "every": request.every}
        found, _ = self._connection.ask("read", {"ids": ids}, facts)
        states = captured(found.get("states"))
        request.states = states[-len(request.texts[0].unread) :] if request.every else states
        request.logits = found.get("logits")
        for text, cache in texts:
            cache.leave()
            cache.read(text.unread)
            text.unread = []
        request.finished = True


def _steps(frames: Iterator[tuple[Tensors, Facts]], draws: list[float]) -> Iterator[Made]:
    """The steps that a stream's frames hold. Raises FormatError for a frame that holds none."""
    try:
        for draw, (tensors, facts) in zip(draws, frames):
            best = [(int(id), float(p), float(chance)) for id, p, chance in facts["best"]]
            sampled = SampledToken(
                int(facts["id"]),
                float(facts["probability"]),
                float(facts["chance"]),
                int(facts["rank"]),
                best,
            )
            yield Made(sampled, tensors["state"], draw)
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError("The server's stream does not hold tokens.", "Try again.") from error
    finally:
        getattr(frames, "close", lambda: None)()
