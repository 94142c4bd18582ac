"""The numbers of a GGUF file: blocks of a few bits each, as float32.

A block of a quantised tensor holds 32 or 256 numbers as small whole ones, with a scale (and perhaps a
smallest value) of its own. Three types of 32 are written out here with torch, in fewer passes over memory:
the package `gguf` takes two to three times as long. The others, rarer or with packed scales, are left to the
package.
"""

from collections.abc import Callable
from mmap import ACCESS_COPY, mmap
from pathlib import Path

import torch
from torch import Tensor

from explorer.checkpoints.gguf.header import FETCH_AGAIN, Header
from explorer.errors import FormatError

BLOCK = 32
AT_ONCE = 1 << 20  # numbers that are unpacked together: on the way some types take three times the memory


def read_numbers(header: Header, keep: Callable[[str, Tensor], None]) -> None:
    """Call `keep(name, tensor)` with each tensor of a model as float32, one after another.

    Raises FormatError for a tensor with numbers that are not finite.
    """
    contents: dict[Path, mmap] = {}
    for info in header.tensors.values():
        if info.file not in contents:
            # Torch wants memory that may be written to, even where it only reads.
            with info.file.open("rb") as file:
                contents[info.file] = mmap(file.fileno(), 0, access=ACCESS_COPY)
        stored = torch.frombuffer(contents[info.file], dtype=torch.uint8, count=info.size, offset=info.start)
        tensor = torch.empty(info.numbers)
        size = AT_ONCE * info.size // info.numbers
        for part, unpacked in zip(stored.split(size), tensor.split(AT_ONCE), strict=True):
            unpacked.copy_(numbers(part, info.type))
        tensor = tensor.view(info.shape)
        # A number that is not finite makes the sum so; to look at each takes ten times as long.
        if not tensor.sum().isfinite() and not tensor.isfinite().all():
            raise FormatError(f"{info.name} holds numbers that are not finite.", FETCH_AGAIN)
        keep(info.name, tensor)


def numbers(stored: Tensor, kind: str) -> Tensor:
    """The numbers that some bytes hold, as a flat float32 tensor of its own memory.

    >>> numbers(torch.tensor([0, 60, 0, 192], dtype=torch.uint8), "F16")
    tensor([ 1., -2.])
    """
    if kind in PLAIN:
        return stored.view(PLAIN[kind]).to(torch.float32, copy=True)
    if kind in WITH_TORCH:
        return WITH_TORCH[kind](stored).view(-1)
    from gguf import GGMLQuantizationType  # a fifth of a second, for these types alone
    from gguf.quants import dequantize

    written = dequantize(stored.numpy(), GGMLQuantizationType[kind])
    return torch.from_numpy(written).view(-1)


def _q8_0(stored: Tensor) -> Tensor:
    """A scale in float16, and 32 signed bytes."""
    blocks = stored.view(-1, 2 + BLOCK)
    return blocks[:, 2:].view(torch.int8) * _halves(blocks, 0)


def _q4_0(stored: Tensor) -> Tensor:
    """A scale in float16, and 32 numbers of 4 bits that count from -8."""
    blocks = stored.view(-1, 2 + BLOCK // 2)
    return _nibbles(blocks[:, 2:]).sub_(8).mul_(_halves(blocks, 0)[..., None])


def _q4_1(stored: Tensor) -> Tensor:
    """A scale and the smallest number in float16, and 32 numbers of 4 bits."""
    blocks = stored.view(-1, 4 + BLOCK // 2)
    scale, least = _halves(blocks, 0)[..., None], _halves(blocks, 2)[..., None]
    return _nibbles(blocks[:, 4:]).mul_(scale).add_(least)


def _halves(blocks: Tensor, at: int) -> Tensor:
    """The float16 at a byte of each block, as a column."""
    return blocks[:, at : at + 2].contiguous().view(torch.float16).float()


def _nibbles(packed: Tensor) -> Tensor:
    """Two numbers of 4 bits from each byte: the lower halves of a block come first."""
    written = torch.empty(len(packed), 2, BLOCK // 2)
    written[:, 0] = packed & 15
    written[:, 1] = packed >> 4
    return written


PLAIN = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
WITH_TORCH = {"Q8_0": _q8_0, "Q4_0": _q4_0, "Q4_1": _q4_1}
