"""The header of a GGUF file, read from its bytes.

    "GGUF"  version  tensor count  key count | key, type, value ... | name, shape, type, offset ... | numbers

The format is that of ggml (docs/gguf.md there), versions 2 and 3, little-endian. `gguf.GGUFReader` reads it
too, but takes seconds for a vocabulary of 49,000 tokens, since it keeps several arrays for each of them, and
it goes by what the header says. Here every count, length and offset is compared with the bytes that are left
before anything is made of it.
"""

import math
import struct
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from explorer.checkpoints.gguf.header import FETCH_AGAIN, Header, TensorInfo
from explorer.errors import FormatError

SUFFIX = ".gguf"
MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST_HEADER = 50_000_000  # bytes: a vocabulary of 250,000 tokens with its merges takes ten million
MOST_KEY = 65_535  # bytes
MOST_ENTRIES = 65_536  # keys, or tensors
MOST_DIMENSIONS = 4

# The types of metadata, by number; 8 is a text and 9 an array.
NUMBERS = {
    0: "<u1",
    1: "<i1",
    2: "<u2",
    3: "<i2",
    4: "<u4",
    5: "<i4",
    6: "<f4",
    7: "?",
    10: "<u8",
    11: "<i8",
    12: "<f8",
}
TEXT, ARRAY = 8, 9

# The types of tensors that `tensors` unpacks itself: name, numbers in a block, bytes of a block.
TENSOR_TYPES = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    3: ("Q4_1", 32, 20),
    8: ("Q8_0", 32, 34),
    30: ("BF16", 1, 2),
}


def read_header(path: Path) -> Header:
    """Read the header of a GGUF file, and check that its tensors lie within the file.

    Raises FormatError for another kind of file, or a damaged one.
    """
    size = path.stat().st_size
    if size < 24:
        raise FormatError(f"{path.name} has {size} bytes, too few for a GGUF file.", FETCH_AGAIN)
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return _Reader(path, content).header()


class _Reader:
    """A position in a file, with readers for what follows."""

    def __init__(self, path: Path, content: mmap) -> None:
        self.path, self.name, self.content, self.at = path, path.name, content, 0
        self.end = min(len(content), MOST_HEADER)

    def header(self) -> Header:
        """The whole header, from the first byte."""
        tensors = self._beginning()
        keys = self._count("keys", 13, MOST_ENTRIES)
        metadata: dict[str, Any] = {}
        for _ in range(keys):
            key = self._text("a key", MOST_KEY)
            if key in metadata:
                self.fail(f"has the key {key:.80} twice")
            metadata[key] = self._value(key, self._number("<u4"))
        alignment = metadata.get("general.alignment", 32)
        if type(alignment) is not int or alignment < 8 or alignment % 8 or alignment > 1 << 20:
            self.fail(f"gives general.alignment as {alignment!s:.40}, and not as a multiple of 8")
        descriptions = [self._read_description() for _ in range(tensors)]
        data = -(-self.at // alignment) * alignment
        return Header(self.name, metadata, self._place(descriptions, data, alignment))

    def _beginning(self) -> int:
        """Magic number, version, and how many tensors there are."""
        if self.content[:4] != MAGIC:
            self.fail(f"is not a GGUF file: it begins with {self.content[:4]!r}")
        self.at = 4
        version = self._number("<u4")
        if version not in VERSIONS:
            if version % 65_536 == 0 and version:
                self.fail("is a GGUF file for big-endian machines", "Take the little-endian one.")
            self.fail(
                f"is GGUF of version {version}; Riverbank reads 2 and 3",
                "Take a newer conversion of the model: version 1 was given up in August 2023.",
            )
        return self._count("tensors", 32, MOST_ENTRIES)

    def _read_description(self) -> tuple[str, tuple[int, ...], int, int]:
        """A tensor's name, its shape as the file has it, its type and its offset."""
        name = self._text("a tensor’s name", MOST_KEY)
        dimensions = self._number("<u4")
        if not 1 <= dimensions <= MOST_DIMENSIONS:
            self.fail(f"gives {name:.80} {dimensions} dimensions")
        shape = tuple(self._number("<u8") for _ in range(dimensions))
        return name, shape, self._number("<u4"), self._number("<u8")

    def _place(
        self, descriptions: list[tuple[str, tuple[int, ...], int, int]], data: int, alignment: int
    ) -> dict[str, TensorInfo]:
        """The tensors by name, checked to lie within the file without overlaps."""
        tensors: dict[str, TensorInfo] = {}
        for name, shape, kind, offset in descriptions:
            if name in tensors:
                self.fail(f"has the tensor {name:.80} twice")
            type_name, block, block_bytes = TENSOR_TYPES.get(kind) or self._type_of_package(name, kind)
            numbers = math.prod(shape)
            if numbers == 0 or shape[0] % block or offset % alignment:
                self.fail(f"gives {name:.80} a shape or a place that cannot be: {shape}, at {offset}")
            size = numbers // block * block_bytes
            if data + offset + size > len(self.content):
                self.fail(f"ends before {name:.80} does, or gives it a shape that it does not have: {shape}")
            tensors[name] = TensorInfo(self.path, name, shape[::-1], type_name, data + offset, size)
        ordered = sorted(tensors.values(), key=lambda tensor: tensor.start)
        for before, after in pairwise(ordered):
            if before.start + before.size > after.start:
                self.fail(f"has {before.name:.80} and {after.name:.80} in the same place")
        return tensors

    def _type_of_package(self, tensor: str, kind: int) -> tuple[str, int, int]:
        """The type with a number, if the package `gguf` can unpack it."""
        from gguf import GGML_QUANT_SIZES, GGMLQuantizationType  # a fifth of a second, for these types alone
        from gguf.quants import dequantize

        name = f"type {kind}"
        with suppress(ValueError, NotImplementedError):  # there is no such type, or it is not unpacked
            tensor_type = GGMLQuantizationType(kind)
            name = tensor_type.name
            dequantize(np.zeros(GGML_QUANT_SIZES[tensor_type][1], np.uint8), tensor_type)
            return (name, *GGML_QUANT_SIZES[tensor_type])
        self.fail(
            f"stores {tensor:.80} as {name}, which Riverbank does not read",
            "Choose a file of another type, such as Q8_0 or Q4_K.",
        )

    def _value(self, key: str, kind: int) -> Any:
        """The value of a key; `kind` is the number of its type."""
        if kind in NUMBERS:
            return self._number(NUMBERS[kind])
        if kind == TEXT:
            return self._text(key, MOST_HEADER)
        if kind != ARRAY:
            self.fail(f"has {key:.80} of type {kind}, which there is not")
        inner = self._number("<u4")
        if inner == TEXT:
            return [self._text(key, MOST_HEADER) for _ in range(self._count(f"texts in {key:.80}", 8))]
        if inner not in NUMBERS:
            self.fail(f"has {key:.80} as a list of {'lists' if inner == ARRAY else f'type {inner}'}")
        dtype = np.dtype(NUMBERS[inner])
        count = self._count(f"numbers in {key:.80}", dtype.itemsize)
        return np.frombuffer(self._bytes(count * dtype.itemsize), dtype=dtype)

    def _count(self, what: str, least: int, most: int = MOST_HEADER) -> int:
        """The number of items that follow, each of at least `least` bytes."""
        count: int = self._number("<u8")
        if count > most or count * least > self.end - self.at:
            if count * least <= len(self.content) - self.at and self.end < len(self.content):
                self._cut()
            self.fail(f"says that it has {count:,} {what}, more than fit into it")
        return count

    def _number(self, kind: str) -> Any:
        """A number of a type as NumPy writes it."""
        number = _UNPACK[kind]
        if self.at + number.size > self.end:
            self._cut()
        (value,) = number.unpack_from(self.content, self.at)
        self.at += number.size
        return value

    def _text(self, what: str, most: int) -> str:
        """A text, with its length before it."""
        at = self.at + 8
        if at > self.end:
            self._cut()
        (length,) = _LENGTH(self.content, self.at)
        if length > most or at + length > self.end:
            self.fail(f"gives {what:.80} {length:,} bytes, more than there are")
        try:
            text = self.content[at : at + length].decode()
        except UnicodeDecodeError:
            self.fail(f"has {what:.80} in bytes that are not UTF-8")
        self.at = at + length
        return text

    def _bytes(self, count: int) -> bytes:
        self.at += count
        return self.content[self.at - count : self.at]

    def _cut(self) -> NoReturn:
        if self.end < len(self.content):
            self.fail(f"has a header of more than {MOST_HEADER:,} bytes")
        self.fail("ends within its header")

    def fail(self, what: str, hint: str = FETCH_AGAIN) -> NoReturn:
        """Raise a FormatError about the file."""
        raise FormatError(f"{self.name} {what}.", hint)


_CODES = dict(zip(NUMBERS.values(), "BbHhIif?QqdX", strict=False))
_UNPACK = {kind: struct.Struct(f"<{code}") for kind, code in _CODES.items()}
_LENGTH: Callable[..., tuple[int]] = struct.Struct("<Q").unpack_from
