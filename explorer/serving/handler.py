"""One served model behind HTTP: paths, headers, limits and errors; whoever runs the web server calls it.

    GET  .             what the model is, and the protocol's version
    GET  files/NAME    a tokenizer file
    POST run           a pass
    POST head          a head's scores for some states
    POST read          what comes after some texts
    POST generate      a stream of tokens, a frame each

Nothing of a request is logged: what a visitor has typed stays between the two.
"""

import asyncio
import hmac
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress

import torch
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from explorer.errors import (
    BusyError,
    CheckpointError,
    ExplorerError,
    FormatError,
    NotFoundError,
    SizeError,
    TokenError,
)
from explorer.generation.engine import StepRequest
from explorer.serving.batching import Asked, run_together
from explorer.serving.protocol import (
    BODY,
    MB,
    MODEL_HEADER,
    REPLICA_HEADER,
    VERSION,
    VERSION_HEADER,
    status,
    told,
)
from explorer.serving.served import Served
from explorer.serving.wire import Facts, Tensors, frame, pack, unpack
from explorer.trace import captured

Answer = tuple[Tensors, Facts]
BUSY = BusyError("The server is busy.", "Try again in a moment.")
END = {"end": True}  # the facts of a stream's last frame: without it, the stream was cut short


class Handler:
    """An ASGI application for one model; `make` makes passes in another way than one by one, in a thread.

    `token` is what every request must show, where it is not empty. `replica` names this process in answers.
    """

    def __init__(
        self,
        served: Served,
        make: Callable[[Asked], Awaitable[Answer]] | None = None,
        token: str = "",
        replica: str = "",
    ) -> None:
        self.served, self.limits, self.token = served, served.limits, token
        self.ongoing = 0
        # A thread for each step that waits: the more stand in the line, the more share a batch.
        self._waiting = ThreadPoolExecutor(max(1, self.limits.ongoing), "steps")
        self._make = make or self._alone
        self._headers = {
            VERSION_HEADER: str(VERSION),
            MODEL_HEADER: served.fingerprint,
            REPLICA_HEADER: replica,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            return
        response = await self.respond(Request(scope, receive, send))
        await response(scope, receive, send)

    async def respond(self, request: Request) -> Response:
        """The answer to a request; errors travel as JSON."""
        try:
            return await self._respond(request)
        except ExplorerError as error:
            return self._refusal(error)
        except TimeoutError:
            slow = BusyError(f"The server took longer than {self.limits.seconds:g} seconds.", BUSY.hint)
            return self._refusal(slow)
        except (MemoryError, torch.OutOfMemoryError):
            return self._refusal(out_of_memory())
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            if "allocate memory" in str(error):  # PyTorch's words for it on a CPU
                return self._refusal(out_of_memory())
            logging.getLogger(__name__).exception("a request failed")
            return self._refusal(
                ExplorerError("The server failed on this request.", "Its log says why."), 500
            )

    async def _respond(self, request: Request) -> Response:
        self._admit(request)
        path = self._place(request.scope)
        if request.method == "GET":
            return self._told(path)
        operations = {"run": self._run, "head": self._head, "read": self._read}
        if request.method != "POST" or path not in (*operations, "generate"):
            raise NotFoundError(f"There is nothing at “{path[:80]}”.", "Ask for what the protocol names.")
        if self.ongoing >= self.limits.ongoing:
            raise BUSY
        self.ongoing += 1
        streams = False
        try:
            async with asyncio.timeout(self.limits.seconds):
                tensors, facts = unpack(await self._body(request))
                if path != "generate":
                    content = await asyncio.to_thread(pack, *await operations[path](tensors, facts))
                    return Response(content, media_type=BODY, headers=self._headers)
                stream = await self._generate(tensors, facts)
            streams = True  # it goes on until `_frames` ends
            return Frames(stream, media_type=BODY, headers=self._headers)
        finally:
            if not streams:
                self.ongoing -= 1

    def _admit(self, request: Request) -> None:
        """Raises for a wrong token, another version, or other weights than the client means."""
        shown = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self.token and not hmac.compare_digest(shown.encode(), self.token.encode()):
            raise TokenError(
                "This server needs a token.",
                "Ask whoever runs it, and set RIVERBANK_SERVING_TOKENS to host:port=token.",
            )
        version = request.headers.get(VERSION_HEADER)
        if request.method == "POST" and version != str(VERSION):
            raise FormatError(
                f"The server speaks version {VERSION} of the protocol, and was asked in {version!s:.20}.",
                "Install the same version of Riverbank on both computers.",
            )
        meant = request.headers.get(MODEL_HEADER, self.served.fingerprint)
        if meant != self.served.fingerprint:
            raise CheckpointError(
                f"“{self.served.name}” has changed since it was loaded.",
                "Load it again; where a page has it open, start Riverbank again.",
            )

    def _place(self, scope: Scope) -> str:
        """What of the path stands behind the model's name; a server may have taken the name off already."""
        path: str = scope["path"].removeprefix(scope.get("root_path", "")).strip("/")
        first, _, rest = path.partition("/")
        return rest if first == self.served.name else path

    def _told(self, path: str) -> Response:
        if not path:
            return JSONResponse(self.served.description(), headers=self._headers)
        name = path.removeprefix("files/")
        if name == path or name not in self.served.files:
            raise NotFoundError(f"There is nothing at “{path[:80]}”.", "Ask for a file that the model has.")
        return Response(self.served.files[name], media_type=BODY, headers=self._headers)

    async def _body(self, request: Request) -> bytes:
        most, body = self.limits.request_mb * MB, bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise SizeError(
                    f"The request is larger than {self.limits.request_mb:g} MB.", "Send fewer texts at once."
                )
        return bytes(body)

    async def _run(self, tensors: Tensors, facts: Facts) -> Answer:
        return await self._make(self.served.asked(tensors, facts))

    async def _alone(self, one: Asked) -> Answer:
        (answer,) = await asyncio.to_thread(run_together, self.served.model, [one])
        return answer

    async def _head(self, tensors: Tensors, facts: Facts) -> Answer:
        return await asyncio.to_thread(self.served.head, tensors, facts)

    async def _read(self, tensors: Tensors, facts: Facts) -> Answer:
        return await asyncio.to_thread(self.served.read, tensors, facts)

    async def _generate(self, tensors: Tensors, facts: Facts) -> AsyncGenerator[bytes]:
        steps = self.served.steps(tensors, facts)
        first = next(steps)
        try:
            await self._step(first)  # an error of the first step has its own status
        except BaseException:
            self.served.cancel(first)  # whoever asked has left, or it took too long
            raise
        return self._frames(first, steps)

    async def _step(self, step: StepRequest) -> None:
        await asyncio.get_running_loop().run_in_executor(self._waiting, self.served.run_step, step)

    async def _frames(self, step: StepRequest | None, steps: Iterator[StepRequest]) -> AsyncGenerator[bytes]:
        """A frame for each step. Whoever leaves ends it: no further step is made."""
        try:
            async with asyncio.timeout(self.limits.stream_seconds):
                while step is not None:
                    yield frame(_packed(step))
                    step = next(steps, None)
                    if step is not None:
                        await self._step(step)
            yield frame(pack({}, END))
        except ExplorerError as error:
            yield frame(pack({}, told(error)))
        except TimeoutError:
            yield frame(pack({}, END))  # the client asks for the rest anew
        except (MemoryError, torch.OutOfMemoryError):
            yield frame(pack({}, told(out_of_memory())))
        finally:
            self.ongoing -= 1
            if step is not None:
                self.served.cancel(step)

    def _refusal(self, error: ExplorerError, code: int | None = None) -> Response:
        headers = self._headers | ({"retry-after": "1"} if isinstance(error, BusyError) else {})
        return JSONResponse(told(error), status_code=code or status(error), headers=headers)


class Frames(StreamingResponse):
    """A stream that ends with its reader: what made it is closed at once, and not when it is collected."""

    def __init__(self, frames: AsyncGenerator[bytes], media_type: str, headers: dict[str, str]) -> None:
        super().__init__(frames, media_type=media_type, headers=headers)
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the frames, as ASGI has it."""
        async with aclosing(self._frames):
            with suppress(ClientDisconnect):
                await super().__call__(scope, receive, send)


def out_of_memory() -> SizeError:
    """What to say where the server's memory was not enough."""
    return SizeError("The server has too little memory for this.", "Send a shorter text, or fewer at once.")


def _packed(step: StepRequest) -> bytes:
    sampled = captured(step.sampled)
    return pack({"state": captured(step.states)[0]}, sampled._asdict())
