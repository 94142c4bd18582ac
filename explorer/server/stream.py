"""Texts that grow past the page: from a model to a component's script, as server-sent events.

    stream = of(STREAM)                 this session's; the component gets `stream.data`
    stream.text = Written(run)          what is written, at each drawing of the page
    POST /stream                        {"secret": ..., "run": 3, "press": "Stop"}: a press, or none; events

Who calls whom. A component's script posts the secret, with a press where there was one. The thread of the
answer then takes step after step, and each event says what has changed. No run of the page stands between a
press and its first token, or between two tokens; the script asks for one run once the text stops.

Where state lives. A text belongs to its session, which alone holds it and its secret; the table of secrets
has weak references and goes with the sessions, so there is nothing here to be forgotten or swept. The page
draws within `Text`'s own lock, since both may change the text.

Who goes and comes back. Nothing runs by itself: of a phone that sleeps, or a tab that closes, the answer
ends, and with it the writing, after one step at most. The first event of each answer has everything, with the
numbers of the run and of the last token, and later ones what is new: whoever comes back posts the secret
again. Two tabs are two sessions. Of two answers with one secret, such as after a cut connection, the newer
one writes and the older one ends. After a restart of the server nobody knows the secret, and behind a proxy
that holds answers back nothing arrives: then the script asks the page for more, which extends the text.
"""

import asyncio
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Protocol
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from explorer.locale import language, use
from explorer.server import hosts
from explorer.server.session import Session

PATH = "/stream"
LARGEST = 1_000  # bytes of a request
ALIVE_S = 15.0  # between two signs of life of a quiet stream
_threads = ThreadPoolExecutor(64, "stream")  # more texts than that take turns
_streams: "WeakValueDictionary[str, Stream]" = WeakValueDictionary()


class Text(Protocol):
    """A text that grows; any thread may call it."""

    def press(self, run: int, name: str) -> None:
        """Do what the button with this name does, if it still has it and this run is on the screen."""

    def grow(self) -> None:
        """Take a step, or wait for a moment."""

    def drawn(self) -> dict[str, Any]:
        """What the component draws: `run`, whether it is `going`, its `chips`, and anything else."""


class Stream:
    """A session's stream: the secret that opens it, and the text that is on the screen."""

    def __init__(self) -> None:
        self.secret = secrets.token_urlsafe(16)
        self.text: Text | None = None
        self.language = language()  # of the page that is on the screen
        self._newest = 0  # the number of the answer that writes
        _streams[self.secret] = self

    @property
    def data(self) -> dict[str, str]:
        """What a component needs to follow it, for the address at which the page is visited."""
        return {"address": hosts.visited_base() + PATH, "secret": self.secret}

    async def events(self, run: int, press: str) -> AsyncIterator[str]:
        """Do what was pressed; then everything, and what is new while the text grows."""
        self._newest = mine = self._newest + 1
        yield ": open\n\n"  # at once: the script sees that nothing holds the answer back
        heard, before, going = time.monotonic(), dict[str, Any](), True
        try:
            while going and self._newest == mine:
                step = self._grow if before else self._begin
                use(self.language)
                loop, context = asyncio.get_running_loop(), copy_context()
                drawn = await loop.run_in_executor(_threads, context.run, step, run, press)
                if news := difference(before, drawn):
                    yield f"data: {json.dumps(news)}\n\n"
                elif time.monotonic() - heard > ALIVE_S:
                    yield ": alive\n\n"
                if news or time.monotonic() - heard > ALIVE_S:
                    heard = time.monotonic()
                before, going = drawn, drawn["going"]
        except Exception as error:  # the page has the words for it
            logging.getLogger(__name__).error("a text could not go on: %s", type(error).__name__)
            yield "event: page\ndata: {}\n\n"

    def _begin(self, run: int, press: str) -> dict[str, Any]:
        if self.text is None:
            return {"going": False}
        if press:
            self.text.press(run, press)
        return self.text.drawn()

    def _grow(self, *_: object) -> dict[str, Any]:
        assert self.text is not None, "it has begun"
        self.text.grow()
        return self.text.drawn()


def of(key: "Session[Stream | None]") -> Stream:
    """This session's stream of a name."""
    stream = key.get()
    if stream is None:
        key.set(stream := Stream())
    stream.language = language()
    return stream


def difference(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """What has changed. Chips are said from the first that is another: {"at": 3, "chips": [...]}.

    >>> difference({"count": 2, "chips": ["a", "b"]}, {"count": 3, "chips": ["a", "bc", "d"]})
    {'count': 3, 'chips': ['bc', 'd'], 'at': 1}
    """
    news = {name: value for name, value in now.items() if name not in before or before[name] != value}
    if "chips" in news:
        old, new = before.get("chips", []), now["chips"]
        same = next((at for at, (one, other) in enumerate(zip(old, new)) if one != other), None)
        at = min(len(old), len(new)) if same is None else same
        news |= {"chips": new[at:], "at": at}
    return news


async def follow(request: Request) -> Response:
    """The events of the stream whose secret is sent; a press first, where one is sent."""
    if not hosts.same_site(request.headers.get("origin"), request.headers.get("host", "")):
        return PlainTextResponse("Presses are taken from our own pages alone.\n", 403)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            return PlainTextResponse("This is too long.\n", 413)
    try:
        asked = json.loads(body)
        stream, run, press = _streams.get(asked["secret"]), int(asked["run"]), str(asked.get("press", ""))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return PlainTextResponse("This is no request for a text.\n", 400)
    if stream is None:
        return PlainTextResponse("There is no such text: load the page again.\n", 404)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(stream.events(run, press), media_type="text/event-stream", headers=headers)


def routes(base: str = "") -> list[Route]:
    """The route for the server, whose addresses begin with `base`."""
    return [Route(base + PATH, follow, methods=["POST"])]
