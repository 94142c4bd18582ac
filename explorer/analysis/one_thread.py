"""scikit-learn's compiled code on one thread: on a busy machine its threads wait for one another."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[Any]:
    """OpenMP keeps to one thread within. To be asked for once scikit-learn has been imported.

    >>> import sklearn.cluster
    >>> with one_thread():
    ...     pass
    """
    limit: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="openmp")
    return limit


@cache
def _controller() -> ThreadpoolController:
    # It looks through all libraries of the process, which takes longer than a small clustering.
    return ThreadpoolController()
