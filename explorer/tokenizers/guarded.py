"""The `tokenizers` library with errors in place of its panics.

A panic of its Rust code, such as that of a pattern which backtracks too often, reaches Python as a
BaseException that no handler expects.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from tokenizers import Tokenizer as Backend

from explorer.errors import FormatError

PANIC = "PanicException"  # pyo3's, which cannot be imported


class Guarded:
    """A backend whose methods raise FormatError where the library panics."""

    def __init__(self, backend: Backend) -> None:
        self.unguarded = backend

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "unguarded":  # asked for by copy and pickle, before there is one
            raise AttributeError(name)
        value = getattr(self.unguarded, name)
        if callable(value) and not isinstance(value, type):
            value = self.__dict__[name] = _guard(value)
        return value


def _guard(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def guarded(*arguments: Any, **options: Any) -> Any:
        try:
            return method(*arguments, **options)
        except BaseException as error:
            if type(error).__name__ != PANIC:
                raise
        raise FormatError(
            "This model’s tokenizer fails on this text: one of its patterns may backtrack without end.",
            "Choose another checkpoint, or type a shorter text.",
        )

    return guarded
