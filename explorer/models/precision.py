"""Whether bfloat16 pays on this processor, measured once."""

from functools import cache
from time import perf_counter

import torch


@cache
def faster_in_bfloat16() -> bool:
    """Whether matrix products are clearly faster in bfloat16, as on processors with instructions for it."""

    def seconds(dtype: torch.dtype) -> float:
        """The best of several runs: other work on the machine only adds time."""
        a, times = torch.ones(512, 512, dtype=dtype), []
        for _ in range(12):
            start = perf_counter()
            a @ a
            times.append(perf_counter() - start)
        return min(times)

    return seconds(torch.bfloat16) < 0.8 * seconds(torch.float32)
