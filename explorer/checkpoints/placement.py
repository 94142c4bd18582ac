"""Where a model's numbers go: on which device, in which precision, and whether there is room for them."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from explorer.errors import CheckpointError, SizeError
from explorer.models.stored import matrices
from explorer.system.free_memory import free_bytes

VARIABLE = "RIVERBANK_DEVICE"
DEVICES = ("cpu", "cuda", "mps")
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
CPU = torch.device("cpu")
WORK = 500_000_000  # bytes for passes over texts, beside the weights


@dataclass(frozen=True)
class Placement:
    """A device, and a precision: None is float32 if there is room for it, and bfloat16 otherwise."""

    device: torch.device = CPU
    dtype: torch.dtype | None = None

    @classmethod
    def of(cls, device: str | torch.device | None, dtype: str | torch.dtype | None) -> "Placement":
        """The placement that is asked for; the device is by default that of RIVERBANK_DEVICE, or the CPU.

        Raises CheckpointError for a device that is not here, or a precision that networks are not kept in.
        """
        name = str(dtype).removeprefix("torch.")
        if dtype is not None and name not in DTYPES:
            raise CheckpointError(
                f"A model is not kept in “{name:.40}”.", f"The precisions are {' and '.join(DTYPES)}."
            )
        return cls(_device(device), DTYPES.get(name))

    def for_sizes(self, sizes: Iterable[int], name: str) -> "Placement":
        """The same with a precision in which a model fits, of matrices with so many numbers each.

        Raises SizeError if there is too little memory, before anything is read.
        """
        sizes, free = list(sizes), _free_bytes(self.device)
        choices = list(DTYPES.values()) if self.dtype is None else [self.dtype]
        if free is None:
            return replace(self, dtype=choices[0])
        for dtype in choices:
            if needed_bytes(sizes, dtype) <= free:
                return replace(self, dtype=dtype)
        need = needed_bytes(sizes, choices[-1])
        kind = str(choices[-1]).removeprefix("torch.")
        hint = "Close other programs, or choose a model with fewer parameters: fewer bits do not help here."
        if self.dtype == torch.float32 and needed_bytes(sizes, torch.bfloat16) <= free:
            hint = 'With dtype="bfloat16" there is enough.'
        raise SizeError(
            f"{name} needs {need / 1e9:.1f} GB of memory as {kind}, and {free / 1e9:.1f} GB are free.", hint
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the card says of a precision other than the usual one."""
        note = "Its matrices are kept as bfloat16, in half the memory; it computes with float32."
        return (note,) if self.dtype == torch.bfloat16 else ()

    def state(self, state: Mapping[str, Tensor], network: nn.Module) -> dict[str, Tensor]:
        """A network's parameters on the device: its matrices in the precision, all others as float32."""
        stored = matrices(network) if self.dtype else set()
        return {
            name: tensor.to(self.device, self.dtype if name in stored else torch.float32)
            for name, tensor in state.items()
        }

    def place(self, tensor: Tensor) -> Tensor:
        """Numbers from a file, on the device; matrices in the precision, and vectors as float32."""
        dtype = self.dtype if tensor.ndim > 1 and self.dtype else torch.float32
        return tensor.to(self.device, dtype if tensor.is_floating_point() else None)


FLOAT32 = Placement(dtype=torch.float32)


def needed_bytes(sizes: Iterable[int], dtype: torch.dtype) -> int:
    """The memory for a model whose matrices have so many numbers: all, the largest once more, and work.

    One at a time is float32 beside the others: while it is unpacked, or where all vectors of a vocabulary are
    compared. As float32 there are two of it while it is laid out by column. Grids of weights
    (`models/stepping`) are not needed: they are left out where there is no room.
    """
    sizes = list(sizes)
    copies = 2 if dtype == torch.float32 else 1
    return dtype.itemsize * sum(sizes) + copies * 4 * max(sizes, default=0) + WORK


def _device(device: str | torch.device | None) -> torch.device:
    name = str(device or os.environ.get(VARIABLE, "").strip() or "cpu")
    source = f"{VARIABLE} is" if device is None else "The device is"
    kind, _, number = name.partition(":")
    if kind not in DEVICES or not (number.isdecimal() or name == kind):
        raise CheckpointError(
            f"{source} “{name:.40}”.", "The devices are cpu, cuda (an NVIDIA or AMD card) and mps (Apple’s)."
        )
    count = {"cpu": 1, "mps": int(torch.backends.mps.is_available()), "cuda": torch.cuda.device_count()}[kind]
    if int(number or 0) >= count:
        which = f"{count} of this kind are" if count else "there is no such card, or PyTorch cannot use it,"
        raise CheckpointError(
            f"{source} “{name}”, but {which} here.", "Leave it out: a model runs on the CPU."
        )
    return torch.device(name)


def _free_bytes(device: torch.device) -> int | None:
    """The free memory of a device; None where it is not known."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    if device.type == "mps":
        return torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory()
    return free_bytes()
