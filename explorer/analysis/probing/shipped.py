"""The probes that ship with the bundled models, and the figures measured with them.

`assets/probes` has a safetensors file for each model (float16), `config.json` with the labels and the sources
of the probes, and `figures.json`. `python -m measuring.probes` makes them all.
"""

from collections.abc import Iterable
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
from explorer.locale import _
from explorer.models.base import Model

TASKS = ("tag", "relation", "entity")
ARCS = "arcs"


@dataclass(frozen=True, eq=False)
class Probes:
    """The probes of a model: for each task a probe per layer, and for arcs a projection per layer."""

    labelling: dict[str, list[LinearProbe]]
    projections: list[Float[Tensor, "rank d_model"]]

    @property
    def depth(self) -> int:
        """The number of layers, with the embedding."""
        return len(self.projections)


def config(folder: Path = assets.PROBES) -> dict[str, Any]:
    """Labels, rank, and sources of the probes. Raises ExplorerError if the file is damaged."""
    content: dict[str, Any] = assets.data(folder / "config.json")
    return content


@cache
def figures(folder: Path = assets.PROBES) -> dict[str, Any]:
    """The measured figures by model and task; see `measuring.probes.__main__`.

    >>> sorted(figures())[:2]
    ['baselines', 'models']
    """
    content: dict[str, Any] = assets.data(folder / "figures.json")
    return content


def _no_probes(name: str, others: Iterable[str]) -> ExplorerError:
    return ExplorerError(
        _("There are no probes for {model}.", model=name),
        _("Choose {models} in the picker.", models=", ".join(others)),
    )


@cache
def probes(name: str, folder: Path = assets.PROBES) -> Probes:
    """The probes of a bundled model. Raises ExplorerError if there are none, or a file is damaged.

    >>> probes("bert").depth
    7
    """
    content = config(folder)
    if name not in content["models"]:
        raise _no_probes(name, content["models"])
    path = folder / f"{name}.safetensors"
    try:
        return read(load_file(path), content["labels"], content["models"][name])
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise assets.damaged(path) from error


def read(tensors: dict[str, Tensor], labels: dict[str, list[str]], sizes: dict[str, Any]) -> Probes:
    """Probes from named tensors, in float32. Raises KeyError or ValueError if they do not fit.

    3/tag/weight   label feature        3/tag/bias   label        3/arcs/projection   rank d_model
    """
    depth, d_model, rank = sizes["depth"], sizes["d_model"], sizes["rank"]
    shapes: dict[str, tuple[int, ...]] = {}
    for layer in range(depth):
        for task in TASKS:
            features = 2 * d_model if task == "relation" else d_model
            shapes[f"{layer}/{task}/weight"] = (len(labels[task]), features)
            shapes[f"{layer}/{task}/bias"] = (len(labels[task]),)
        shapes[f"{layer}/{ARCS}/projection"] = (rank, d_model)
    if different := shapes.keys() ^ tensors.keys():
        raise KeyError(f"missing or unexpected: {sorted(different)[0]}")
    for name, shape in shapes.items():
        if tuple(tensors[name].shape) != shape:
            raise ValueError(f"{name} has the shape {tuple(tensors[name].shape)} instead of {shape}")
        if not tensors[name].isfinite().all():
            raise ValueError(f"{name} has values that are not finite")
    full = {name: tensor.float() for name, tensor in tensors.items()}
    return Probes(
        {
            task: [
                LinearProbe(tuple(labels[task]), full[f"{layer}/{task}/weight"], full[f"{layer}/{task}/bias"])
                for layer in range(depth)
            ]
            for task in TASKS
        },
        [full[f"{layer}/{ARCS}/projection"] for layer in range(depth)],
    )


def probes_of(model: Model) -> Probes:
    """The probes of a loaded model. Raises ExplorerError for a model without probes.

    >>> len(probes_of(explorer.load("elmo")).labelling["tag"])  # the character layer and two more
    3
    """
    return probes(str(model.checkpoint))
