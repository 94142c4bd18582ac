"""Whether bfloat16 pays on a device. It is asked once and never assumed: CPUs differ by a factor of 300."""

import torch

from explorer.models.precision import faster_in_bfloat16


def faster_in_bf16(device: torch.device) -> bool:
    """Whether bfloat16 pays: always on a GPU, on a CPU only with instructions for it."""
    return device.type == "cuda" or faster_in_bfloat16()
