"""scikit-learn on one thread: on a busy machine its threads wait for one another."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[Any]:
    """A context in which OpenMP uses one thread; enter it after importing scikit-learn.

    >>> import sklearn.cluster
    >>> with one_thread():
    ...     pass
    """
    limit: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="openmp")
    return limit


@cache
def _controller() -> ThreadpoolController:
    # It searches all libraries of the process, which takes longer than a small clustering.
    return ThreadpoolController()
