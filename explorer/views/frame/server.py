"""What surrounds the pages in the server: start and stop, headers, and addresses that moved."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import cli_util
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server import server_util

from explorer.views.frame import warm_up

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


class Headers:
    """Adds HEADERS to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, with the headers on top."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


async def home(request: Request) -> Response:
    """The start page lives at `/`; whoever asks for `/home` is sent there, settings and all."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/{query}")


def open_browser() -> None:
    """Open the start page, unless there is no desktop: `streamlit run` does so for a script alone.

    By then the server's socket listens, and `server.port` is the port that was free.
    """
    if not st.get_option("server.headless"):
        address = server_util.get_display_address(st.get_option("server.address") or "localhost")
        cli_util.open_browser(server_util.get_url(address))


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """The server's life: what is under way in the background ends before the interpreter does."""
    asyncio.get_running_loop().call_soon(open_browser)
    yield
    warm_up.finish()


ROUTES = [Route("/home", home)]
MIDDLEWARE = [Middleware(Headers)]


def in_script() -> bool:
    """Whether the file is run for a visitor, or imported by the server."""
    return get_script_run_ctx(suppress_warning=True) is not None
