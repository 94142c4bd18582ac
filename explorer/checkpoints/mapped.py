"""The unpacked weights of an installed model as one file, which every process maps into its memory.

Unpacked, SmolLM2 takes 540 MB. Mapped from a file of the user's cache its pages are in memory once for all
processes, and opening it takes no time. The file's name has the hash of what it was unpacked from; its header
has that hash, the layout, and the time at which it was written. A file with another header, or to which
anybody has written since, is written again. The mapping is private: what a process writes into it stays in
that process.

Writing takes a second. A server, whose first page would wait for it, has it done later: in a thread whose
`LATER` is a list, what writes the file is put there.
"""

import os
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from explorer.catalogue.manifest import Package, manifests
from explorer.checkpoints.placement import FLOAT32, Placement
from explorer.errors import ExplorerError
from explorer.files.writing import replacing
from explorer.system.free_memory import free_bytes
from explorer.system.users_cache import users_cache
from explorer.trace import Checkpoint

VERSION = 1  # of the numbers: one more whenever what is unpacked from the same file changes
LATER: ContextVar[list[Callable[[], None]] | None] = ContextVar("LATER", default=None)


@dataclass(frozen=True)
class MappedWeights:
    """The file of one model's float32 weights, whether it is there or not."""

    name: str
    package: Package

    @classmethod
    def of(cls, checkpoint: Checkpoint, placement: Placement) -> "MappedWeights | None":
        """The file for a model that comes as a package, kept as float32 on the CPU; None for others."""
        package = manifests()[checkpoint.name].package if checkpoint.source == "bundled" else None
        return cls(checkpoint.name, package) if package and placement == FLOAT32 else None

    @cached_property
    def path(self) -> Path:
        """Where the file is. Raises RuntimeError for a user without a home folder."""
        folder = users_cache() / "riverbank" / "weights"
        return folder / f"{self.name}-{self.package.sha256[:16]}-{VERSION}.safetensors"

    def vouches_for_source(self) -> bool:
        """Whether the weights were unpacked from the package's file as it is now, which was whole then."""
        return self._header().get("source") == self._source()

    def read(self, shapes: Mapping[str, Tensor]) -> dict[str, Tensor] | None:
        """The parameters with these names, shapes and layouts, mapped; None if there is no such file."""
        header = self._header()
        if header.get("source") != self._source() or header.get("layout") != _layout(shapes):
            return None
        with suppress(OSError, SafetensorError), safe_open(self.path, framework="pt") as file:
            return {
                name: file.get_tensor(name) if shape.is_contiguous() else file.get_tensor(name).T
                for name, shape in shapes.items()
            }
        return None

    def write(self, state: Mapping[str, Tensor]) -> None:
        """Write the file, whole or not at all: there is none without a cache with room, or memory."""
        written = int(time.time()) // 2 * 2  # every file system keeps whole and even seconds
        header = {"source": self._source(), "layout": _layout(state), "written": str(written)}
        # A table that is stored by column is written as its transpose.
        tensors = {name: t if t.is_contiguous() else t.T for name, t in state.items()}
        with suppress(OSError, RuntimeError, SafetensorError, ExplorerError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            size = sum(tensor.nbytes for tensor in tensors.values())
            free = free_bytes()
            if min(shutil.disk_usage(self.path.parent).free, size * 2 if free is None else free) < 2 * size:
                return
            with replacing(self.path) as unfinished:
                save_file(tensors, unfinished, metadata=header)
                with unfinished.open("rb+") as file:
                    os.fsync(file.fileno())  # or a power cut might leave the name without the numbers
                os.utime(unfinished, (written, written))
                if self.read(state) is not None:  # another process was faster, and others map its file
                    raise FileExistsError(self.path)
            for old in self.path.parent.glob(f"{self.name}-*"):
                if old != self.path:
                    old.unlink()

    def move(self, state: Mapping[str, Tensor], network: nn.Module) -> None:
        """Write the file, and take the parameters of a network in use, which are the same, from there."""
        if self.read(state) is None:
            self.write(state)
        for name, tensor in (self.read(state) or {}).items():
            network.get_parameter(name).data = tensor

    def _header(self) -> dict[str, str]:
        """The file's own header; empty without a file, or if anybody has written to it since."""
        with suppress(OSError, RuntimeError, ValueError, SafetensorError):
            with safe_open(self.path, framework="pt") as file:
                header = file.metadata() or {}
            if self.path.stat().st_mtime_ns == 10**9 * int(header.get("written", "-1")):
                return header
        return {}

    def _source(self) -> str:
        """The package's file: its published hash, its size, and when it was last changed here."""
        status = self.package.path().stat()
        return f"{self.package.sha256} {status.st_size} {status.st_mtime_ns}"


def _layout(state: Mapping[str, Tensor]) -> str:
    """A hash of names, shapes and the order of numbers in memory."""
    lines = sorted(f"{name} {tuple(tensor.shape)} {tensor.stride()}" for name, tensor in state.items())
    return sha256("\n".join(lines).encode()).hexdigest()
