"""The probes that ship with the bundled models, and the figures that were measured with them.

`assets/probes` has one safetensors file a model (float16), `config.json` with the labels and with what
the probes were made from, and `figures.json`. `python -m training.probes` makes them all.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jaxtyping import Float
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from explorer import assets
from explorer.analysis.probing.classifier import LinearProbe
from explorer.errors import ExplorerError
from explorer.models.base import Model

TASKS = ("tag", "relation", "entity")
ARCS = "arcs"


@dataclass(frozen=True, eq=False)
class Probes:
    """All probes of one model: for each task a probe a layer, and for the arcs a projection a layer."""

    labelling: dict[str, list[LinearProbe]]
    projections: list[Float[Tensor, "rank d_model"]]

    @property
    def depth(self) -> int:
        """How many layers they read, the embedding among them."""
        return len(self.projections)


def config(folder: Path = assets.PROBES) -> dict[str, Any]:
    """Labels, rank, and what the probes were made from. Raises ExplorerError where it is damaged."""
    found: dict[str, Any] = assets.data(folder / "config.json")
    return found


@cache
def figures(folder: Path = assets.PROBES) -> dict[str, Any]:
    """What was measured: by model, then by task; see `training.probes.writing`.

    >>> sorted(figures())[:2]
    ['baselines', 'models']
    """
    found: dict[str, Any] = assets.data(folder / "figures.json")
    return found


@cache
def probes(name: str, folder: Path = assets.PROBES) -> Probes:
    """The probes of a bundled model. Raises ExplorerError where there are none, or a file is damaged.

    >>> probes("bert").depth
    7
    """
    known = config(folder)
    if name not in known["models"]:
        raise ExplorerError(
            f"There are no probes for {name}.", f"Choose {', '.join(known['models'])} in the picker."
        )
    path = folder / f"{name}.safetensors"
    try:
        return read(load_file(path), known["labels"], known["models"][name])
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise assets.damaged(path) from error


def read(tensors: dict[str, Tensor], labels: dict[str, list[str]], sizes: dict[str, Any]) -> Probes:
    """Tensors by their names as `Probes`, float32. Raises KeyError or ValueError where they do not fit.

    3/tag/weight   label feature        3/tag/bias   label        3/arcs/projection   rank d_model
    """
    depth, d_model, rank = sizes["depth"], sizes["d_model"], sizes["rank"]
    wanted: dict[str, tuple[int, ...]] = {}
    for layer in range(depth):
        for task in TASKS:
            features = 2 * d_model if task == "relation" else d_model
            wanted[f"{layer}/{task}/weight"] = (len(labels[task]), features)
            wanted[f"{layer}/{task}/bias"] = (len(labels[task]),)
        wanted[f"{layer}/{ARCS}/projection"] = (rank, d_model)
    if odd := wanted.keys() ^ tensors.keys():
        raise KeyError(f"missing, or not wanted: {sorted(odd)[0]}")
    for name, shape in wanted.items():
        if tuple(tensors[name].shape) != shape:
            raise ValueError(f"{name} has the shape {tuple(tensors[name].shape)} instead of {shape}")
        if not tensors[name].isfinite().all():
            raise ValueError(f"{name} has numbers that are none")
    whole = {name: tensor.float() for name, tensor in tensors.items()}
    return Probes(
        {
            task: [
                LinearProbe(
                    tuple(labels[task]), whole[f"{layer}/{task}/weight"], whole[f"{layer}/{task}/bias"]
                )
                for layer in range(depth)
            ]
            for task in TASKS
        },
        [whole[f"{layer}/{ARCS}/projection"] for layer in range(depth)],
    )


def probes_of(model: Model) -> Probes:
    """The probes of a loaded model. Raises ExplorerError for one that has none.

    >>> import explorer
    >>> len(probes_of(explorer.load("elmo")).labelling["tag"])  # the characters' layer and two more
    3
    """
    return probes(str(model.checkpoint))
