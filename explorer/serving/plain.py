"""One process that serves a few models without Ray: for a laptop, a small lab, and the tests."""

from collections.abc import Sequence

import uvicorn
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.errors import NotFoundError
from explorer.serving.handler import Handler
from explorer.serving.protocol import VERSION, told
from explorer.serving.served import Served


def application(models: Sequence[Served], token: str = "") -> ASGIApp:
    """The ASGI application that answers for each model under its name."""
    handlers = {served.name: Handler(served, token=token) for served in models}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].strip("/").partition("/")[0]
        if name in handlers:
            await handlers[name](scope, receive, send)
            return
        error = NotFoundError(
            f"This server has no model “{name:.80}”.", f"It has: {', '.join(sorted(handlers))}."
        )
        answer = JSONResponse({"riverbank": VERSION, **told(error)}, status_code=404)
        await answer(scope, receive, send)

    return app


def server(models: Sequence[Served], host: str, port: int, token: str = "") -> uvicorn.Server:
    """The server, not yet running. Who asks for what is not logged."""
    return uvicorn.Server(
        uvicorn.Config(
            application(models, token),
            host=host,
            port=port,
            lifespan="off",
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=5,
            server_header=False,
        )
    )
