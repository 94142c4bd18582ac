"""How long the plain server waits for a client, and how many connections one address may hold.

A connection that sends nothing, or its body a byte at a time, gives its place back.
"""

import asyncio

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

CONNECTIONS = 64  # at a time; one more is answered “503 Service Unavailable”
SHARE = 48  # of these, for one address
HEADERS_S = 15.0  # from the connection to the end of the first request's headers
BODY_S = 60.0  # for a request's body


class PatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection that is closed if no request comes, and busy if its address has a full share."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        address = self.client and self.client[0]
        if sum(bool(other.client) and other.client[0] == address for other in self.connections) > SHARE:
            self.limit_concurrency = 0  # every request of this connection is answered 503
        self.loop.call_later(HEADERS_S, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.close()


class BodyInTime:
    """Gives a request's body BODY_S to arrive."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; its connection ends with its answer if the body does not come."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        ends, late, whole = asyncio.get_running_loop().time() + BODY_S, False, False

        async def in_time() -> Message:
            nonlocal late, whole
            if whole:
                return await receive()  # later messages say that the client has left
            try:
                async with asyncio.timeout_at(ends):
                    message = await receive()
            except TimeoutError:
                late = True
                return {"type": "http.disconnect"}
            whole = not message.get("more_body", False)
            return message

        async def unless_late(message: Message) -> None:
            if not late:
                await send(message)

        await self.app(scope, in_time, unless_late)
        if late:
            refusal = PlainTextResponse("The request did not arrive in time.\n", 408, {"connection": "close"})
            await refusal(scope, receive, send)
