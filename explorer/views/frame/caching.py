"""Streamlit's two caches, for results of a model: a model is identified by its checkpoint's name.

So a model that is loaded again finds its earlier results. Some results hold their model: when one leaves the
memory, `forget_results` makes room.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from streamlit.runtime.caching.cache_utils import CachedFunc

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_caches: "list[CachedFunc[Any, Any]]" = []


def forget_results() -> None:
    """Empty the caches: a model that has left the memory is free, and its name may mean newer weights."""
    for cache in list(_caches):
        cache.clear()


def _name(model: Any) -> str:
    return str(model.checkpoint)


# Types by their names: importing them would import torch at a page's start.
BY_NAME: dict[str | type, Callable[[Any], Any]] = {
    "explorer.models.language_model.LanguageModel": _name,
    "explorer.serving.remote.RemoteModel": _name,
}


def resource(
    max_entries: int, show_spinner: bool | str = False
) -> "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]":
    """Cache a function's result itself: all visitors get the same object, which nobody changes."""
    return _listed(st.cache_resource(max_entries=max_entries, show_spinner=show_spinner, hash_funcs=BY_NAME))


def data(
    max_entries: int, show_spinner: bool | str = False
) -> "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]":
    """Cache a copy of a function's result: each visitor gets a copy of it."""
    return _listed(st.cache_data(max_entries=max_entries, show_spinner=show_spinner, hash_funcs=BY_NAME))


def _listed(
    cache: "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]",
) -> "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]":
    """A cache's decorator whose functions `forget_results` knows."""

    def cached(function: Callable[Arguments, Result]) -> "CachedFunc[Arguments, Result]":
        results = cache(function)
        _caches.append(results)
        return results

    return cached
