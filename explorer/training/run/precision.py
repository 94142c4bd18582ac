"""Whether bfloat16 pays on a device. It is asked once and never assumed: CPUs differ by a factor of 300."""

from functools import cache
from time import perf_counter

import torch


@cache
def faster_in_bf16(device: torch.device) -> bool:
    """Whether bfloat16 pays: always on a GPU, on a CPU only with instructions for it."""
    if device.type == "cuda":
        return True

    def seconds(dtype: torch.dtype) -> float:
        """The best of several products: other work on the machine only ever adds time."""
        a, taken = torch.ones(512, 512, dtype=dtype), []
        for _ in range(12):
            start = perf_counter()
            a @ a
            taken.append(perf_counter() - start)
        return min(taken)

    return seconds(torch.bfloat16) < 0.8 * seconds(torch.float32)
