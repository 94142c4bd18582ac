"""A cache of results for all visitors, limited by the memory that their tensors take."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import is_dataclass
from threading import Lock
from typing import Any

from explorer.server import turns
from explorer.server.caching import KEPT_S
from explorer.system.free_memory import machine_bytes

MOST = 512_000_000  # bytes: some sixty texts of 128 tokens by the bundled BERT, attention alone
SHARE = 16  # of the machine's memory, where that is less


class TraceCache:
    """Results by key; the least recently used ones go when all together take more than `most` bytes,
    and those older than KEPT_S.

    Unless it is given, that is MOST, or the part 1/SHARE of a smaller machine's memory.
    The newest one stays however large it is, since a page asks for it again at every rerun. Streamlit's
    cache limits only the number of its entries: 64 long texts of a large model take gigabytes.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most = most or min(MOST, (machine_bytes() or SHARE * MOST) // SHARE)
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = Lock()

    def forget(self) -> None:
        """Drop all results; one that is being computed goes only to whoever computes it."""
        with self._lock:
            self._entries.clear()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The result for a key, computed once by `make` while others wait. Errors are not cached."""
        while True:
            with self._lock:
                entry = self._entries.setdefault(key, _Entry())
                self._entries.move_to_end(key)
            if entry.ready:
                return entry.result
            if entry.lock.acquire(blocking=False):
                break
            with turns.outside_slot(), entry.lock:  # another visitor's thread computes it
                pass
        try:
            if not entry.ready:
                entry.result = make()
                entry.bytes, entry.ready = tensor_bytes(entry.result), True
        except BaseException:
            with self._lock:
                if self._entries.get(key) is entry:
                    del self._entries[key]  # those who waited compute it themselves
            raise
        finally:
            entry.lock.release()
        self._make_room(key)
        return entry.result

    def _make_room(self, newest: Hashable) -> None:
        with self._lock:
            for key in [key for key, entry in self._entries.items() if entry.ready and entry.is_old()]:
                del self._entries[key]
            total = sum(entry.bytes for entry in self._entries.values())
            for key in list(self._entries):
                if total <= self.most:
                    return
                if key != newest and self._entries[key].ready:
                    total -= self._entries.pop(key).bytes


class _Entry:
    """A result, once it is ready."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.ready, self.bytes = False, 0
        self.result: Any = None
        self.since = time.monotonic()

    def is_old(self) -> bool:
        return time.monotonic() - self.since > KEPT_S


def tensor_bytes(result: Any) -> int:
    """The bytes of a result's tensors; memory that several of them share counts once."""
    storages: dict[int, int] = {}
    _storages(result, storages)
    return sum(storages.values())


def _storages(thing: Any, storages: dict[int, int]) -> None:
    if hasattr(thing, "untyped_storage"):
        storage = thing.untyped_storage()
        storages[storage.data_ptr()] = storage.nbytes()
    elif isinstance(thing, list | tuple):
        for item in thing:
            _storages(item, storages)
    elif is_dataclass(thing):
        for value in vars(thing).values():
            _storages(value, storages)
