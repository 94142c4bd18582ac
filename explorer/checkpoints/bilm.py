"""The layout in which ELMo was published: `options.json` and `weights.hdf5`, as bilm-tf writes them.

The published files carry a name in front (`elmo_2x4096_512_2048cnn_2xhighway_options.json`); both
spellings are known. HDF5 holds arrays and runs nothing when it is opened.
"""

from pathlib import Path

import torch
from torch import Tensor

from explorer.errors import FormatError

OPTIONS, WEIGHTS, SUFFIX = "options.json", "weights.hdf5", ".hdf5"


def options(folder: Path) -> Path | None:
    """The options of a folder in this layout, else None. Raises FormatError for two of a kind."""
    found = {kind: [*folder.glob(kind), *folder.glob(f"*_{kind}")] for kind in (OPTIONS, WEIGHTS)}
    if not all(found.values()):
        return None
    for kind, paths in found.items():
        if len(paths) > 1:
            names = ", ".join(sorted(path.name for path in paths))
            raise FormatError(
                f"{folder.name} holds more than one {kind}: {names}.", "Keep one model a folder."
            )
    return found[OPTIONS][0]


def weights(folder: Path) -> Path:
    """The weights that stand beside the options."""
    return next(iter([*folder.glob(WEIGHTS), *folder.glob(f"*_{WEIGHTS}")]))


def read_hdf5(path: Path) -> dict[str, Tensor]:
    """Every array of an HDF5 file under its path in it (`CNN/W_cnn_0`).

    Raises OSError or RuntimeError for a damaged file, FormatError for one that points to other files.
    """
    import h5py  # needed for this layout alone

    tensors: dict[str, Tensor] = {}

    def keep(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset):
            if item.external or item.is_virtual:
                raise FormatError(f"{path.name} takes {name} from another file.", "Do not use it.")
            tensors[name] = torch.from_numpy(item[()])

    with h5py.File(path, "r") as file:
        file.visititems(keep)
    return tensors
