"""What is computed once for all visitors: results by key, limited in number, bytes and time.

    _curves = Kept(64)
    _curves.get(key, make)            the result for a key; others who ask wait for the first

    @kept(64, "Computing flow")       the same for a function, by its arguments
    def flow(model, text): ...

All are registered. What is kept of texts goes after KEPT_S, with the last visitor, and when a model leaves
the memory, since some results hold their model; what was measured of a model goes with the models alone.
"""

import functools
import math
import re
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from hashlib import sha256
from inspect import signature
from threading import Lock
from typing import Any, Generic, Literal, ParamSpec, TypeVar
from weakref import ref

import regex

from explorer.locale import _
from explorer.server import turns

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

KEPT_S = 1800.0
# A model counts as its checkpoint's name, so that one that is loaded again finds its earlier results. By
# their names: importing the classes would import torch at a page's start.
MODELS = {"explorer.models.language_model.LanguageModel", "explorer.model_server.remote.RemoteModel"}

_all: "list[ref[Kept[Any]]]" = []


@dataclass(frozen=True, eq=False)
class _Entry(Generic[Result]):
    result: Result
    bytes: int
    since: float


class Kept(Generic[Result]):
    """Results by key. Beyond `most` of them, or `most_bytes` of their tensors, the least recently used go.

    The newest one stays however large it is, since a page asks for it again at every rerun.
    """

    def __init__(
        self, most: float = math.inf, of: Literal["texts", "models"] = "texts", most_bytes: float = math.inf
    ) -> None:
        self.most, self.of, self.most_bytes = most, of, most_bytes
        self._entries: OrderedDict[Hashable, _Entry[Result]] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._bytes = 0
        self._lock = Lock()
        _all.append(ref(self, _all.remove))

    def get(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """The result for a key, computed once by `make` while others wait. Errors are not kept."""
        with (mine := Lock()):
            while True:
                with self._lock:
                    if entry := self._fresh(key):
                        return entry.result
                    first = self._making.setdefault(key, mine)
                if first is mine:
                    break
                with turns.outside_slot(), first:  # another visitor's thread computes it
                    pass
            try:
                result = make()
                with self._lock:
                    if self._making.get(key) is mine:  # else all was forgotten meanwhile
                        self._store(key, result)
                return result
            finally:
                with self._lock:
                    if self._making.get(key) is mine:
                        del self._making[key]

    def look_up(self, key: Hashable) -> Result | None:
        """The result for a key, if it is there."""
        with self._lock:
            return entry.result if (entry := self._fresh(key)) else None

    def put(self, key: Hashable, result: Result) -> None:
        """Keep a result that was computed elsewhere."""
        with self._lock:
            self._store(key, result)

    def clear(self) -> None:
        """Drop all results; one that is being computed goes only to whoever computes it."""
        with self._lock:
            self._entries.clear()
            self._making.clear()
            self._bytes = 0

    def clear_old(self) -> None:
        """Drop what was kept of texts more than KEPT_S ago."""
        with self._lock:
            for key in [key for key, entry in self._entries.items() if self._is_old(entry)]:
                self._drop(key)

    def _is_old(self, entry: _Entry[Result]) -> bool:
        return self.of == "texts" and time.monotonic() - entry.since > KEPT_S

    def _fresh(self, key: Hashable) -> _Entry[Result] | None:
        entry = self._entries.get(key)
        if entry is None or self._is_old(entry):
            return None
        self._entries.move_to_end(key)
        return entry

    def _store(self, key: Hashable, result: Result) -> None:
        self._drop(key)
        size = tensor_bytes(result) if self.most_bytes < math.inf else 0
        self._entries[key] = _Entry(result, size, time.monotonic())
        self._bytes += size
        while len(self._entries) > max(self.most, 1) or (
            self._bytes > self.most_bytes and len(self._entries) > 1
        ):
            self._drop(next(iter(self._entries)))

    def _drop(self, key: Hashable) -> None:
        if entry := self._entries.pop(key, None):
            self._bytes -= entry.bytes


def kept(
    most: int, spinner: str = "", of: Literal["texts", "models"] = "texts"
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Keep what a function gives, by its arguments: all visitors get the same object, which nobody changes.

    An argument whose name begins with `_` is left out of the key. The `spinner` turns while it is computed.
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        results: Kept[Result] = Kept(most, of)
        parameters = signature(function)

        @functools.wraps(function)
        def result(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            def make() -> Result:
                if not spinner:
                    return function(*args, **kwargs)
                import streamlit as st  # charts of curves are drawn without it

                with st.spinner(_(spinner)):
                    return function(*args, **kwargs)

            arguments = parameters.bind(*args, **kwargs).arguments
            key = [(name, key_of(value)) for name, value in arguments.items() if not name.startswith("_")]
            return results.get(tuple(key), make)

        return result

    return decorate


def key_of(thing: Any) -> Hashable:
    """What is equal for equal arguments: a model by its name, a tensor by its numbers."""
    kind = type(thing)
    if f"{kind.__module__}.{kind.__qualname__}" in MODELS:
        return str(thing.checkpoint)
    if hasattr(thing, "untyped_storage"):
        return tuple(thing.shape), sha256(thing.numpy().tobytes()).digest()
    if isinstance(thing, list | tuple):
        return tuple(map(key_of, thing))
    if isinstance(thing, dict):
        return tuple((key, key_of(value)) for key, value in thing.items())
    if is_dataclass(thing):
        return kind, *(key_of(getattr(thing, field.name)) for field in fields(thing))
    hash(thing)
    return thing  # type: ignore[no-any-return]


def forget_results() -> None:
    """Drop all that was computed from texts."""
    for results in _still_used():
        if results.of == "texts":
            results.clear()
    for cached in _functions_with_a_limit():
        cached.cache_clear()
    re.purge()  # a word that was searched for is in a pattern
    regex.purge()


def forget_old_results() -> None:
    """Drop what was computed from texts more than KEPT_S ago."""
    for results in _still_used():
        results.clear_old()


def forget_models() -> None:
    """Drop everything: a model that has left the memory is free, and its name may mean newer weights."""
    forget_results()
    for results in _still_used():
        results.clear()


def _still_used() -> "list[Kept[Any]]":
    return [results for each in list(_all) if (results := each())]


def _functions_with_a_limit() -> "Iterator[functools._lru_cache_wrapper[Any]]":
    """The functions of the layers below that keep words; those without a limit keep what ships."""
    for name, module in list(sys.modules.items()):
        for each in list(vars(module).values()) if name.startswith("explorer.") else ():
            if isinstance(each, functools._lru_cache_wrapper) and each.cache_parameters()["maxsize"]:
                yield each


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
