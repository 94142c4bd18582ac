"""What a GGUF file says before its numbers: metadata, and the name, shape, type and place of each tensor."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from explorer.errors import FormatError

FETCH_AGAIN = "It may be damaged or cut short: copy or fetch it again."
Wanted = TypeVar("Wanted")


@dataclass(frozen=True)
class TensorInfo:
    """A tensor's shape in torch's order, its type, and the file and the bytes in it that hold it."""

    file: Path
    name: str
    shape: tuple[int, ...]
    type: str
    start: int
    size: int

    @property
    def numbers(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Header:
    """A model's metadata and its tensors by name; `name` is that of its file."""

    name: str
    metadata: Mapping[str, Any]
    tensors: Mapping[str, TensorInfo]

    def get(self, key: str, kind: type[Wanted], default: Wanted | None = None) -> Wanted:
        """The value of a key: an int, float, bool, str, or a list of texts or numbers.

        Raises FormatError where it has another type, or where it is missing and there is no default.
        """
        value = self.metadata.get(key, default)
        if value is None:
            raise FormatError(f"{self.name} lacks the key {key}.", FETCH_AGAIN)
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise FormatError(
                f"{self.name} has {key} as {KINDS[type(value)]}, where it should be {KINDS[kind]}.",
                FETCH_AGAIN,
            )
        return value


KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
    str: "a text",
    list: "a list of texts",
    np.ndarray: "a list of numbers",
}
