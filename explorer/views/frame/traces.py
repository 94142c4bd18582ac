"""What was computed for one visitor serves all others too, until it takes too much memory."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import is_dataclass
from threading import Lock
from typing import Any

from explorer.views.frame import turns

MOST = 512_000_000  # bytes: some sixty texts of 128 tokens by the bundled BERT, attention alone


class Kept:
    """Results by key. The longest unused go where all together take more than `most` bytes.

    The last one stays however large it is, since a page asks for it again at each of its steps. Streamlit's
    cache counts its entries alone: 64 long texts of a large model are gigabytes.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives for the key, made once: who asks meanwhile waits for it. Errors are not kept."""
        while True:
            with self._lock:
                entry = self._entries.setdefault(key, _Entry())
                self._entries.move_to_end(key)
            if entry.made:
                return entry.result
            if entry.lock.acquire(blocking=False):
                break
            with turns.aside(), entry.lock:  # somebody makes it: others may be drawn meanwhile
                pass
        try:
            if not entry.made:
                entry.result = make()
                entry.bytes, entry.made = taken(entry.result), True
        except BaseException:
            with self._lock:
                if self._entries.get(key) is entry:
                    del self._entries[key]  # who waited makes it for himself
            raise
        finally:
            entry.lock.release()
        self._make_room(key)
        return entry.result

    def _make_room(self, newest: Hashable) -> None:
        with self._lock:
            total = sum(entry.bytes for entry in self._entries.values())
            for key in list(self._entries):
                if total <= self.most:
                    return
                if key != newest and self._entries[key].made:
                    total -= self._entries.pop(key).bytes


class _Entry:
    """A result, or the promise of one."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.made, self.bytes = False, 0
        self.result: Any = None


def taken(result: Any) -> int:
    """How many bytes the tensors of a result hold on to; what several of them share counts once."""
    found: dict[int, int] = {}
    _storages(result, found)
    return sum(found.values())


def _storages(thing: Any, found: dict[int, int]) -> None:
    if hasattr(thing, "untyped_storage"):
        storage = thing.untyped_storage()
        found[storage.data_ptr()] = storage.nbytes()
    elif isinstance(thing, list | tuple):
        for one in thing:
            _storages(one, found)
    elif is_dataclass(thing):
        for one in vars(thing).values():
            _storages(one, found)
