"""The layout of ELMo's published files: `options.json` and `weights.hdf5`, as bilm-tf writes them.

The published files have a prefix (`elmo_2x4096_512_2048cnn_2xhighway_options.json`); both
spellings are read. HDF5 contains arrays, and opening it runs no code.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from explorer.errors import FormatError

OPTIONS, WEIGHTS, SUFFIX = "options.json", "weights.hdf5", ".hdf5"
FILTERS = (1, 2, 3)  # gzip, shuffle, checksum: part of the library; other filters would be loaded from disk
MOST_PACKED = 1100  # bytes per stored byte: gzip reduces zeros to a thousandth, not further


def options(folder: Path) -> Path | None:
    """The options file of a folder in this layout, else None. Raises FormatError for several."""
    files = {kind: [*folder.glob(kind), *folder.glob(f"*_{kind}")] for kind in (OPTIONS, WEIGHTS)}
    if not all(files.values()):
        return None
    for kind, paths in files.items():
        if len(paths) > 1:
            names = ", ".join(sorted(path.name for path in paths))
            raise FormatError(
                f"{folder.name} holds more than one {kind}: {names}.", "Keep one model per folder."
            )
    return files[OPTIONS][0]


def weights(folder: Path) -> Path:
    """The weights file beside the options."""
    return next(iter([*folder.glob(WEIGHTS), *folder.glob(f"*_{WEIGHTS}")]))


def shapes(path: Path) -> dict[str, Tensor]:
    """Every array of an HDF5 file under its path in it (`CNN/W_cnn_0`), as a shape without numbers.

    No numbers are read: a small file may declare arrays that fill the memory. Raises FormatError.
    """
    with _opened(path) as file:
        return {
            name: torch.empty(item.shape, device="meta") for name, item in _arrays(file, path.name).items()
        }


def read_hdf5(path: Path) -> dict[str, Tensor]:
    """Every array of an HDF5 file with its numbers. Raises FormatError; check `shapes` first."""
    with _opened(path) as file:
        return {name: torch.from_numpy(item[()]).float() for name, item in _arrays(file, path.name).items()}


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    import h5py  # used for this layout only

    try:
        with h5py.File(path, "r") as file:
            yield file
    except FormatError:
        raise
    except Exception as error:  # the library raises many classes for damaged data: KeyError, TypeError, ...
        raise FormatError(
            f"{path.name} in {path.parent.name} cannot be read: {str(error).strip(chr(39))[:200]}.",
            "It may be damaged: fetch or copy the checkpoint again.",
        ) from error


def _arrays(file: Any, name: str) -> dict[str, Any]:
    """The datasets of an open file, each checked to be a plain array stored in it."""
    import h5py

    arrays: dict[str, Any] = {}

    def check(path: str, item: object) -> None:
        if not isinstance(path, str):
            raise FormatError(f"{name} has a name in it that is not UTF-8.", "It is damaged: fetch it again.")
        if not isinstance(item, h5py.Dataset):
            return
        if item.external or item.is_virtual:
            raise FormatError(f"{name} takes {path} from another file.", "Do not use it.")
        if item.dtype.kind != "f" or item.dtype.itemsize > 8 or not item.shape:
            shape = "nothing" if item.shape is None else "one number" if item.shape == () else "an array"
            raise FormatError(
                f"{name} holds {path} as {shape} of type {str(item.dtype)[:40]}, not as an array of floats.",
                "It is not a published ELMo, or it is damaged.",
            )
        plan = item.id.get_create_plist()
        if any(plan.get_filter(i)[0] not in FILTERS for i in range(plan.get_nfilters())):
            raise FormatError(f"{name} packs {path} in another way.", "Save it with gzip, or plain.")
        if item.nbytes > MOST_PACKED * item.id.get_storage_size():
            raise FormatError(
                f"{name} declares {path} as {item.shape} numbers, which it does not hold.",
                "It is damaged, or made to fill the memory: do not use it.",
            )
        arrays[path] = item

    file.visititems(check)
    return arrays
