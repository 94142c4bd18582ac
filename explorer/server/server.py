"""The server around the pages: start and stop, response headers, host checks, redirects."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import cli_util, net_util
from streamlit.web.server import server_util

from explorer.room import routes as room_routes
from explorer.server import (
    background,
    hosts,
    hourly,
    open_files,
    session_language,
    stream,
    streamlit_private,
    warm_up,
)
from explorer.server.bounds import Bounds, Sweep
from explorer.system import logs
from explorer.system.invocation import for_more_visitors

A_CLASS = 20  # visitors for whom one process is enough, see docs/scale.md
FRAMES_VARIABLE = "RIVERBANK_FRAMES"  # the sites that may embed a page in an iframe


def headers() -> dict[str, str]:
    """The headers of every response: only allowed sites may embed our pages."""
    sites = os.environ.get(FRAMES_VARIABLE, "").split()
    only_ours = {} if sites else {"x-frame-options": "SAMEORIGIN"}
    return {
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "content-security-policy": " ".join(["frame-ancestors 'self'", *sites]),
        **only_ours,
    }


class WithHeaders:
    """Adds the headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.added = [(name.encode(), value.encode()) for name, value in headers().items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond as the app does, with the headers added."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self.added]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class KnownHosts:
    """Answers only to known host names, and lets only its own pages connect."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with a reason."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request_headers = Headers(scope=scope)
        host = request_headers.get("host", "")
        if not hosts.is_known(host):
            refusal = (
                f"Riverbank does not answer under the name {hosts.name(host) or 'in this request'!r}. "
                "If it should, start it with --server.allowedHosts and that name.\n"
            )
            await _refuse(scope, receive, send, PlainTextResponse(refusal, 421))
        elif scope["type"] == "websocket" and not hosts.same_site(request_headers.get("origin"), host):
            await _refuse(scope, receive, send, PlainTextResponse("", 403))
        else:
            await self.app(scope, receive, send)


class Departures:
    """Ends the connection of a visitor who has left, without an error in the log.

    Where Streamlit was writing to them, it goes on to read, and takes Starlette's exception for another one.
    An upload that its browser breaks off ends so too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on until the visitor has left."""
        with suppress(streamlit_private.GONE):
            await self.app(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send, answer: Response) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await answer(scope, receive, send)


async def home(request: Request) -> Response:
    """Redirect `/home` to the start page beside it, with its settings; a proxy may have taken a path off."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"./{query}")


def open_browser() -> None:
    """Open the start page, unless there is no desktop: `streamlit run` does so for a script alone.

    By then the server listens, and `server.port` is its actual port.
    """
    if not st.get_option("server.headless"):
        address = server_util.get_display_address(st.get_option("server.address") or "localhost")
        cli_util.open_browser(server_util.get_url(address))


def prepare() -> None:
    """Prepare the server before the first request."""
    logs.keep_texts_out()
    streamlit_private.drop_late_fragments()
    streamlit_private.finish_callbacks(session_language.use)
    streamlit_private.keep_history_navigation()
    streamlit_private.look_up_values_singly()
    if message := open_files.raise_limit():
        cli_util.print_to_cli(f"  {message}\n", fg="yellow")
    if hosts.shared():
        if (address := net_util.get_internal_ip()) not in (None, *hosts.LOOPBACK):
            cli_util.print_to_cli(f"  On this network: {server_util.get_url(address)}\n")
        note = f"One process serves a class of about {A_CLASS}; for more: {for_more_visitors()}"
        cli_util.print_to_cli(f"  {note}\n")


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Start and stop of the server; background work ends before the interpreter does."""
    prepare()
    asyncio.get_running_loop().call_soon(open_browser)
    sweeps = [asyncio.create_task(sweep) for sweep in (Sweep().run(), room_routes.sweep(), hourly.run())]
    yield
    for sweep in sweeps:
        sweep.cancel()
    background.finish()
    warm_up.finish()


def routes() -> list[Route]:
    """Our own addresses beside those of the pages, below `server.baseUrlPath` as these are."""
    base = hosts.base()
    return [Route(f"{base}/home", home), *room_routes.routes(base), *stream.routes(base)]


MIDDLEWARE = [Middleware(KnownHosts), Middleware(WithHeaders), Middleware(Bounds), Middleware(Departures)]
