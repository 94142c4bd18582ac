"""What the server keeps for a visitor, and for how long: uploads are counted, sessions end on time."""

import asyncio
import logging
import os
import time
from collections import Counter

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, runtime

from explorer.server import kept, streamlit_private, visitors

UPLOADS = "/_stcore/upload_file/"
METRICS = "/_stcore/metrics"
METRICS_VARIABLE = "RIVERBANK_METRICS"  # 1 opens them
MB = 1024 * 1024
SESSION_MB, ALL_MB = 110, 1_000  # of uploads that are kept at a time: two files of a visitor, twenty of all
BODY_S = 600.0  # for an upload to come in: 50 MB at 700 kbit a second
FULL = "The files of all visitors fill this server. Try again in a few minutes.\n"
KEPT_S = 100.0  # a session without a browser; Streamlit forgets one after 120, but only when another leaves
SWEEP_S = 1.0


class Bounds:
    """Refuses uploads beyond what a visitor, or all together, may keep; closes the server's metrics."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.arriving: Counter[str] = Counter()  # bytes by session, as they were announced
        self.came = 0  # bytes of all uploads that are coming in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with a reason."""
        path = scope.get("path", "")
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif path.endswith(METRICS) and os.environ.get(METRICS_VARIABLE) != "1":
            closed = f"Closed: {METRICS_VARIABLE}=1 opens the metrics.\n"
            await PlainTextResponse(closed, 404)(scope, receive, send)
        elif scope["method"] == "PUT" and UPLOADS in path:
            await self._upload(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = scope["path"].partition(UPLOADS)[2].partition("/")[0]
        length = Headers(scope=scope).get("content-length", "")
        size = int(length) if length.isdecimal() else int(config.get_option("server.maxUploadSize")) * MB
        stored = streamlit_private.stored_bytes()
        if stored.get(session, 0) + self.arriving[session] + size > SESSION_MB * MB:
            refusal = (
                f"A visitor’s files may have {SESSION_MB} MB together. Remove one, then choose this again.\n"
            )
        elif sum(stored.values()) + self.came + size > ALL_MB * MB:
            refusal = FULL
        else:
            self.arriving[session] += size
            try:
                await self._take(scope, receive, send)
            finally:
                self.arriving[session] -= size
                self.arriving += Counter()  # without those at 0
            return
        await PlainTextResponse(refusal, 413)(scope, receive, send)

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an upload on as it comes in, as long as there is room, and no longer than BODY_S."""
        deadline, came = time.monotonic() + BODY_S, 0

        async def counted() -> Message:
            nonlocal came
            try:
                message = await asyncio.wait_for(receive(), deadline - time.monotonic())
            except TimeoutError:
                raise HTTPException(408, "The file took too long to come in. Choose it again.") from None
            part = len(message.get("body", b""))
            came, self.came = came + part, self.came + part
            if sum(streamlit_private.stored_bytes().values()) + self.came > ALL_MB * MB:
                raise HTTPException(413, FULL)
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self.came -= came


class Sweep:
    """Closes the sessions, with their settings and uploads, whose browser has left KEPT_S ago.

    Before that, what belongs to a visitor alone is deleted (`visitors`). When the last one has gone, what was
    computed from texts goes too.
    """

    def __init__(self) -> None:
        self.left: dict[str, float] = {}  # when a session was first seen without its browser
        self.visited = False  # since the results were last forgotten

    def look(self, now: float) -> None:
        """Close those that are due. Called on the server's event loop."""
        server = runtime.get_instance()
        sessions = streamlit_private.sessions()
        without = [session for session in sessions if not server.is_active_session(session)]
        self.left = {session: self.left.get(session, now) for session in without}
        for session, since in self.left.items():
            if now - since >= KEPT_S:
                server.close_session(session)
        if sessions:
            self.visited = True
        elif self.visited:
            self.visited = False
            kept.forget_results()

    async def run(self) -> None:
        """Look every SWEEP_S until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_S)
            try:
                if runtime.exists():
                    await asyncio.to_thread(visitors.look, time.monotonic())
                    await asyncio.to_thread(kept.forget_old_results)
                    self.look(time.monotonic())
            except Exception as error:  # the next look may succeed
                logging.getLogger(__name__).error("sessions could not be closed: %s", type(error).__name__)
