"""Streamlit's two caches, for results of a model: a model is identified by its checkpoint's name.

So a model that is loaded again finds its earlier results. Some results, such as a text being written, hold
their model: when one leaves the memory, `forget_models` makes room. Visitors' texts are in them too, so each
is kept for KEPT_S at most, and all go when the last visitor has left.
"""

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    from streamlit.runtime.caching.cache_utils import CachedFunc

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

KEPT_S = 1800.0


class Clearable(Protocol):
    """A cache, or a dictionary that is one."""

    def clear(self) -> None:
        """Empty it."""


_of_texts: list[Clearable] = []
_of_models: list[Clearable] = []  # what was measured of a model, without a text


def forget_with_texts(cache: Clearable) -> None:
    """Let `forget_results` empty a cache too that this module has not made."""
    _of_texts.append(cache)


def forget_with_models(cache: Clearable) -> None:
    """Let `forget_models` empty a cache too that this module has not made."""
    _of_models.append(cache)


def function(
    max_entries: int,
) -> "Callable[[Callable[Arguments, Result]], _lru_cache_wrapper[Result]]":
    """Cache what a function of hashable arguments gives, among the results that `forget_results` drops."""

    def cached(function: Callable[Arguments, Result]) -> "_lru_cache_wrapper[Result]":
        results = lru_cache(max_entries)(function)
        _of_texts.append(SimpleNamespace(clear=results.cache_clear))
        return results

    return cached


def forget_results() -> None:
    """Empty the caches of results."""
    for cache in list(_of_texts):
        cache.clear()


def forget_models() -> None:
    """Empty all caches: a model that has left the memory is free, and its name may mean newer weights."""
    forget_results()
    for cache in list(_of_models):
        cache.clear()


def _name(model: Any) -> str:
    return str(model.checkpoint)


# Types by their names: importing them would import torch at a page's start.
BY_NAME: dict[str | type, Callable[[Any], Any]] = {
    "explorer.models.language_model.LanguageModel": _name,
    "explorer.model_server.remote.RemoteModel": _name,
    "torch.Tensor": lambda tensor: tensor.numpy().tobytes(),
}


def resource(
    max_entries: int, show_spinner: bool | str = False
) -> "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]":
    """Cache a function's result itself: all visitors get the same object, which nobody changes."""
    cache = st.cache_resource(
        max_entries=max_entries, ttl=KEPT_S, show_spinner=show_spinner, hash_funcs=BY_NAME
    )
    return _listed(cache)


def data(
    max_entries: int, show_spinner: bool | str = False
) -> "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]":
    """Cache a copy of a function's result: each visitor gets a copy of it."""
    cache = st.cache_data(max_entries=max_entries, ttl=KEPT_S, show_spinner=show_spinner, hash_funcs=BY_NAME)
    return _listed(cache)


def _listed(
    cache: "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]",
) -> "Callable[[Callable[Arguments, Result]], CachedFunc[Arguments, Result]]":
    """A cache's decorator whose functions `forget_results` knows."""

    def cached(function: Callable[Arguments, Result]) -> "CachedFunc[Arguments, Result]":
        results = cache(function)
        _of_texts.append(results)
        return results

    return cached
