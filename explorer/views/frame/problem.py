"""The error of a callback, kept until the page that is drawn after it shows it."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from explorer.errors import ExplorerError
from explorer.server.session import Session

KEY = Session[ExplorerError | None]("/session/problem", None)
Given = ParamSpec("Given")


def keep(error: ExplorerError) -> None:
    """Have the page that is drawn next show this error."""
    KEY.set(error)


def take() -> ExplorerError | None:
    """The error that has been kept, once; None without one."""
    return KEY.take()


def keep_errors(callback: Callable[Given, None]) -> Callable[Given, None]:
    """What a control calls, with its errors of ours kept. Otherwise they would stand in place of the page."""

    @wraps(callback)
    def keeping(*args: Given.args, **kwargs: Given.kwargs) -> None:
        try:
            callback(*args, **kwargs)
        except ExplorerError as error:
            keep(error)

    return keeping
