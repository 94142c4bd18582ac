"""The changes of rooms, for the streams of one process: each room is read once for all phones."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from explorer.errors import ExplorerError
from explorer.room.store import CurrentQuestion, Store

EVERY_S = 0.3


class Changes:
    """Tells the streams of this process when a room has changed."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._versions: dict[str, int | None] = {}
        self._questions: dict[str, CurrentQuestion | None] = {}
        self._listeners: dict[str, int] = {}
        self._changed = asyncio.Condition()
        self._watch: asyncio.Task[None] | None = None

    async def of(self, code: str, longest_s: float) -> AsyncIterator[int | None]:
        """The version of a room now and after each change; None once it has ended. The last one is repeated
        after `longest_s` without a change.
        """
        self._listeners[code] = self._listeners.get(code, 0) + 1
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._run())
        try:
            version = await self._read(code)
            yield version
            while version is not None:
                version = await self._next(code, version, longest_s)
                yield version
        finally:
            self._listeners[code] -= 1
            if not self._listeners[code]:
                del self._listeners[code]
                self._versions.pop(code, None)
                self._questions.pop(code, None)

    def question(self, code: str) -> CurrentQuestion | None:
        """The newest question of a room that somebody listens to."""
        return self._questions.get(code)

    async def _next(self, code: str, version: int, longest_s: float) -> int | None:
        """The version after this one, or this one again after a while."""
        async with self._changed:
            different = self._changed.wait_for(lambda: self._versions.get(code, version) != version)
            with suppress(TimeoutError):
                await asyncio.wait_for(different, longest_s)
            return self._versions.get(code, version)

    async def _run(self) -> None:
        """Read the rooms that somebody listens to, for as long as anybody does."""
        while self._listeners:
            await asyncio.sleep(EVERY_S)
            before = dict(self._versions)
            for code in list(self._listeners):
                await self._read(code)
            if self._versions != before:
                async with self._changed:
                    self._changed.notify_all()

    async def _read(self, code: str) -> int | None:
        """Read a room, and its question if it has changed."""
        try:
            version = await run_in_threadpool(self.store.version, code)
            if version is not None and version != self._versions.get(code):
                self._questions[code] = await run_in_threadpool(self.store.newest, code)
        except ExplorerError:  # a full disk, or it has just ended: the next reading says
            return self._versions.get(code, 0)
        if code in self._listeners:
            self._versions[code] = version
        return version
