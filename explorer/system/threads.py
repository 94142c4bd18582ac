"""Passes of a network side by side."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def passes_at_once() -> int:
    """Two where PyTorch has one thread, as in the app: on two free cores they take less time."""
    import torch

    return 2 if torch.get_num_threads() == 1 else 1


def map_in_threads(function: Callable[..., Any], *items: Iterable[Any]) -> Iterator[Any]:
    """`map`, with as many calls side by side as there are passes at once."""
    with ThreadPoolExecutor(passes_at_once()) as threads:
        yield from threads.map(function, *items)
