"""The HTTP interface of one served model, as a FastAPI application.

    GET  model    its tokenizer files and its description
    POST run      a forward pass
    POST head     a head's scores for hidden states
    POST vectors  rows of the embedding table
    POST write    a text's next tokens, each as a line of base64

Requests are not logged: what a visitor has typed stays between client and server.
"""

import hmac
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

import fastapi
import h11
import torch
import uvicorn
from fastapi import Depends, FastAPI, Header, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from explorer.errors import CheckpointError, ExplorerError, FormatError, NotFoundError, SizeError, TokenError
from explorer.model_server import passes
from explorer.model_server.served import ServedModel, WritingRequest
from explorer.model_server.wire import (
    MB,
    MEDIA_TYPE,
    REQUEST_MB,
    STATUS,
    TEXT_MB,
    TOKENS_VARIABLE,
    pack,
    unpack,
)
from explorer.system.free_memory import is_memory_error

Body = Annotated[bytes, fastapi.Body(media_type=MEDIA_TYPE)]

CONNECTIONS = 64  # at a time; one more is answered “503 Service Unavailable”
SILENCE_S = 20.0  # after which a connection that owes the rest of a request is closed


class Connection(H11Protocol):
    """A connection that is closed if it sends nothing; uvicorn itself waits for ever for a first request."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for more, unless the request is whole."""
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # no HTTP, after an answer that has not waited for the whole request
            self.transport.abort()
            return
        if self.cycle is None or self.cycle.response_complete or self.cycle.more_body:
            self._wait()

    def _wait(self) -> None:
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(SILENCE_S, self.transport.close)


class Doorkeeper:
    """Refuses a request without the token, before a byte of its body is read; "" admits everybody."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.expected = app, f"Bearer {token}".encode() if token else b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with a reason."""
        if scope["type"] == "http" and self.expected:
            token = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(token, self.expected):
                refusal = TokenError(
                    "This server needs a token.",
                    f"Ask whoever runs it, and set {TOKENS_VARIABLE} to host:port=token.",
                )
                answer = await _refuse(Request(scope), refusal)
                answer.headers["connection"] = "close"  # else the server would read the body to its end
                await answer(scope, receive, send)
                return
        await self.app(scope, receive, send)


def application(served: ServedModel, token: str = "") -> FastAPI:
    """The application for one model; every request must show the token, "" for none."""

    async def check_version(if_match: Annotated[str, Header()] = "") -> None:
        if if_match not in ("", served.fingerprint):
            raise CheckpointError(
                f"“{served.name}” has changed since it was loaded.",
                "Load it again. If a page has it open, start Riverbank again.",
            )

    app = FastAPI(dependencies=[Depends(check_version)], openapi_url=None, max_body_size=int(REQUEST_MB * MB))
    app.add_middleware(Doorkeeper, token=token)
    for kind in (ExplorerError, ValidationError, RequestValidationError, MemoryError, RuntimeError):
        app.add_exception_handler(kind, _refuse)
    app.add_exception_handler(Exception, _fail)

    @app.get("/model")
    def describe() -> Response:
        files = {name: torch.frombuffer(bytearray(f), dtype=torch.uint8) for name, f in served.files.items()}
        return Response(pack(files, served.description().model_dump()), media_type=MEDIA_TYPE)

    @app.post("/run")
    def run_pass(body: Body) -> Response:
        request = passes.PassRequest.parse(*unpack(body))
        served.check_pass(request)
        return Response(pack(passes.run(served.model, request)), media_type=MEDIA_TYPE)

    @app.post("/head")
    def run_head(body: Body) -> Response:
        return Response(pack(served.head(*unpack(body))), media_type=MEDIA_TYPE)

    @app.post("/vectors")
    def look_up(body: Body) -> Response:
        return Response(pack(served.vectors(unpack(body)[0])), media_type=MEDIA_TYPE)

    @app.post("/write")
    async def write(body: Body) -> Response:
        if len(body) > TEXT_MB * MB:
            raise SizeError("This is more than a text.", "Shorten the text.")
        steps = served.write(WritingRequest.model_validate_json(body))
        first = await anext(steps)  # an error of the first step has a status of its own

        async def lines() -> AsyncIterator[bytes]:
            yield b64encode(first) + b"\n"
            async for step in steps:
                yield b64encode(step) + b"\n"

        return StreamingResponse(lines(), media_type="text/plain")

    return app


def create_server(models: Sequence[ServedModel], host: str, port: int, token: str = "") -> uvicorn.Server:
    """A server of a few models, not yet running."""
    app = FastAPI(openapi_url=None)
    app.add_middleware(Doorkeeper, token=token)
    for served in models:
        app.mount(f"/{served.name}", application(served))

    @app.exception_handler(404)
    async def unknown_model(request: Request, _: Exception) -> Response:
        names = ", ".join(sorted(served.name for served in models))
        name = request.url.path.strip("/").partition("/")[0]
        return await _refuse(
            request, NotFoundError(f"This server has no model “{name:.80}”.", f"It has: {names}.")
        )

    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            http=Connection,
            limit_concurrency=CONNECTIONS,
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=5,
            server_header=False,
        )
    )


async def _refuse(_: Request, error: Exception) -> Response:
    """The answer to an error that the client can do something about."""
    if isinstance(error, ValidationError | RequestValidationError):
        error = FormatError("The request is not what Riverbank sends.")
    elif is_memory_error(error):
        error = SizeError(
            "The server has too little memory for this.", "Send a shorter text, or fewer at once."
        )
    if not isinstance(error, ExplorerError):
        raise error
    status = next(status for status, kind in STATUS.items() if isinstance(error, kind))
    hint = error.hint or "The two computers may run different versions of Riverbank."
    return JSONResponse({"message": _line(error.message), "hint": _line(hint)}, status)


def _line(text: str) -> str:
    """A text as one line, of which a forged request may have given a part."""
    return "".join(char if char.isprintable() else " " for char in text[:1000])


async def _fail(_: Request, error: Exception) -> Response:
    """The answer to an unexpected error, which goes to the log and tells the client nothing of the server."""
    return JSONResponse({"message": "The server failed on this request.", "hint": "Its log says why."}, 500)
