"""Whether bfloat16 pays on this processor. It is asked once and never assumed."""

from functools import cache
from time import perf_counter

import torch


@cache
def faster_in_bfloat16() -> bool:
    """Whether a product of matrices is clearly faster in bfloat16: on processors with instructions for it."""

    def seconds(dtype: torch.dtype) -> float:
        """The best of several: other work on the machine only ever adds time."""
        a, taken = torch.ones(512, 512, dtype=dtype), []
        for _ in range(12):
            start = perf_counter()
            a @ a
            taken.append(perf_counter() - start)
        return min(taken)

    return seconds(torch.bfloat16) < 0.8 * seconds(torch.float32)
