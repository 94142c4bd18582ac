"""The `tokenizers` library with errors in place of its panics.

A panic of its Rust code, such as that of a pattern which backtracks too often, reaches Python as a
BaseException that no handler expects.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from tokenizers import Tokenizer as Backend

from explorer.errors import FormatError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
PANIC = "PanicException"  # pyo3's, which cannot be imported


class PanicError(FormatError):
    """The library panicked."""


class Guarded:
    """A backend whose methods raise PanicError where the library panics."""

    def __init__(self, backend: Backend) -> None:
        self.unguarded = backend

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "unguarded":  # asked for by copy and pickle, before there is one
            raise AttributeError(name)
        value = getattr(self.unguarded, name)
        if callable(value) and not isinstance(value, type):
            value = self.__dict__[name] = guarded(value)
        return value


def guarded(method: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A function that raises PanicError where the library panics."""

    @wraps(method)
    def run(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        try:
            return method(*arguments, **options)
        except BaseException as error:
            if type(error).__name__ != PANIC:
                raise
        raise PanicError(
            "This model’s tokenizer fails on this text: one of its patterns may backtrack without end.",
            "Choose another checkpoint, or type a shorter text.",
        )

    return run
