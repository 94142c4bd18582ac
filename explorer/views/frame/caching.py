"""Streamlit's two caches, for what is computed of a model: a model counts as its checkpoint's name.

So the same model, loaded again after it was dropped from memory, finds what was computed before. What is
kept is under a name, and holds no model unless the function's own result does.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from streamlit.runtime.caching.cache_utils import CachedFunc

Given = ParamSpec("Given")
Found = TypeVar("Found")


def _name(model: Any) -> str:
    return str(model.checkpoint)


# The types by their names: to import them would bring torch to a page's start.
BY_NAME: dict[str | type, Callable[[Any], Any]] = {
    "explorer.models.language_model.LanguageModel": _name,
    "explorer.serving.remote.RemoteModel": _name,
}


def resource(
    max_entries: int, show_spinner: bool | str = False
) -> "Callable[[Callable[Given, Found]], CachedFunc[Given, Found]]":
    """Keep what a function returns as it is: all visitors get the same object, which nobody changes."""
    return st.cache_resource(max_entries=max_entries, show_spinner=show_spinner, hash_funcs=BY_NAME)


def data(
    max_entries: int, show_spinner: bool | str = False
) -> "Callable[[Callable[Given, Found]], CachedFunc[Given, Found]]":
    """Keep a copy of what a function returns: each visitor gets one of his own."""
    return st.cache_data(max_entries=max_entries, show_spinner=show_spinner, hash_funcs=BY_NAME)
