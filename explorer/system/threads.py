"""Passes of a network side by side."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def map_in_threads(function: Callable[..., Any], *items: Iterable[Any]) -> Iterator[Any]:
    """`map`, two at a time where PyTorch has one thread, as in the app: on two free cores in less time."""
    import torch

    with ThreadPoolExecutor(2 if torch.get_num_threads() == 1 else 1) as threads:
        yield from threads.map(function, *items)
