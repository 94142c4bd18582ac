"""Device of a run: its choice, its precision, and its memory."""

import ctypes
import sys

import torch

from explorer.models.precision import faster_in_bfloat16

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # malloc.h
KEPT_BYTES = 1 << 30


def choose_device(name: str) -> torch.device:
    """Device of this name; `auto` is a GPU if there is one, else the CPU."""
    return torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)


def faster_in_bf16(device: torch.device) -> bool:
    """Whether bfloat16 is faster: always on a GPU, on a CPU only with instructions for it."""
    return device.type == "cuda" or faster_in_bfloat16()


def keep_freed_memory() -> bool:
    """Make the C library keep freed memory for the next step; returns whether it could be set.

    Each step asks for the same large tensors. Otherwise the system must clear fresh pages for them, which
    takes a fifth of `bert-mini`'s time on two cores. Only glibc has this setting.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(
        mallopt(setting, KEPT_BYTES) == 1 for setting in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD)
    )
