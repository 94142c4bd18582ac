"""The changes of rooms, for the streams of one process: each room is read once for all phones."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from explorer.errors import ExplorerError
from explorer.room.store import CurrentQuestion, Store

EVERY_S = 0.3
UNREAD = -1


@dataclass
class _Room:
    """A room that streams listen to, as it was read last; `change` is set by its next change, once."""

    listeners: int = 0
    version: int | None = UNREAD
    question: CurrentQuestion | None = None
    change: asyncio.Event = field(default_factory=asyncio.Event)


class Changes:
    """Tells the streams of this process when a room has changed.

    A stream may be cancelled at any moment, and many are when a class leaves. So they share no lock: each
    waits for an event of its own room, which is set once and replaced.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._rooms: dict[str, _Room] = {}
        self._watch: asyncio.Task[None] | None = None

    async def of(self, code: str, longest_s: float) -> AsyncIterator[int | None]:
        """The version of a room now and after each change; None once it has ended. The last one is repeated
        after `longest_s` without a change.
        """
        room = self._rooms.setdefault(code, _Room())
        room.listeners += 1
        try:
            await self._read(code, room)
            yield (version := room.version)
            while version is not None:
                if self._watch is None or self._watch.done():
                    self._watch = asyncio.create_task(self._run())
                if room.version == version:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(longest_s):
                            await room.change.wait()
                yield (version := room.version)
        finally:
            room.listeners -= 1
            if not room.listeners:
                del self._rooms[code]

    def question(self, code: str) -> CurrentQuestion | None:
        """The newest question of a room that somebody listens to."""
        return self._rooms[code].question

    async def _run(self) -> None:
        """Read the rooms that somebody listens to, for as long as anybody does."""
        while self._rooms:
            await asyncio.sleep(EVERY_S)
            for code, room in list(self._rooms.items()):
                await self._read(code, room)

    async def _read(self, code: str, room: _Room) -> None:
        """Read a room, and its question if it has changed; tell those who wait."""
        try:
            version = await run_in_threadpool(self.store.version, code)
            if version == room.version:
                return
            if version is not None:
                room.question = await run_in_threadpool(self.store.newest, code)
        except ExplorerError:  # a full disk, or it has just ended: the next reading says
            return
        room.version = version
        room.change.set()
        room.change = asyncio.Event()
