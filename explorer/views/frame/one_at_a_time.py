"""What a session keeps is changed by one run of the page at a time.

Where Streamlit's `runner.fastReruns` is on, which our config.toml turns off, the next run of a page begins
while one that it has interrupted still computes: for that moment two threads have the same session.
"""

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class Locked(Protocol):
    """An object with a lock, which a thread may take twice."""

    lock: RLock


Owner = TypeVar("Owner", bound=Locked)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def one_at_a_time(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """A method that waits while another thread is in such a method of the same object."""

    @wraps(method)
    def alone(owner: Owner, /, *arguments: Arguments.args, **settings: Arguments.kwargs) -> Result:
        with owner.lock:
            return method(owner, *arguments, **settings)

    return alone
