"""Edits of a forward pass as data, which can be sent to a model on another machine.

    loud = Intervention("hidden", 3, "add", vector)                        after block 3, everywhere
    off = Intervention("head_output", 2, "set", torch.zeros(()), heads=[9])
    model.trace(text, edit=Interventions([loud, off]))

Sites are those of `explorer.trace.Edit`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

import torch
from torch import Tensor

from explorer.errors import FormatError

SITES = frozenset(
    "embedding_sum embedding queries keys values scores pattern head_output attention_output mlp_output "
    "hidden".split()
)
OPERATIONS = ("set", "add", "scale", "mean")


@dataclass(frozen=True, eq=False)
class Intervention:
    """One change of what a network computes at a site, in one layer or (None) in every one.

        set      values                      add      what is there + values
        scale    what is there * values      mean     the mean over the positions

    It concerns some rows of the batch, heads and positions (of queries), counted from 0; None means all.
    Lists belong together element by element, as indices do in PyTorch; a list of one goes with all of
    another. `values` are repeated where they have fewer dimensions than what they meet.
    """

    site: str
    layer: int | None
    operation: str
    values: Tensor = field(default_factory=lambda: torch.zeros(()))
    rows: Sequence[int] | None = None
    heads: Sequence[int] | None = None
    positions: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if self.site not in SITES or self.operation not in OPERATIONS:
            raise FormatError(f"There is no “{self.operation:.40}” at “{self.site:.40}” in a pass.")

    def apply(self, tensor: Tensor) -> Tensor:
        """The activation after the change. Raises FormatError if the change does not fit it."""
        if tensor.ndim == 3 and self.heads is not None:
            raise FormatError(f"“{self.site}” is not divided into heads.")
        axes = [self.rows, self.heads, self.positions] if tensor.ndim == 4 else [self.rows, self.positions]
        index: list[slice | list[int]] = []
        for name, size, chosen in zip(("row", "place", "place"), tensor.shape, axes):
            if chosen is not None and not all(0 <= i < size for i in chosen):
                raise FormatError(
                    f"“{self.site}” has {size} of what is counted, not {max(chosen):,} ({name})."
                )
            index.append(slice(None) if chosen is None else list(chosen))
        count = max((len(one) for one in axes if one is not None), default=1)
        whole = prod(size for size, one in zip(tensor.shape, axes) if one is None)
        if count * whole > tensor.shape[:-1].numel():
            raise FormatError(f"More is changed at “{self.site}” than there is.")
        try:
            there = tensor[tuple(index)]
            values = self.values.to(tensor).expand(there.shape)
        except (IndexError, RuntimeError) as error:
            raise FormatError(
                f"Values of the shape {list(self.values.shape)} do not fit what is changed at “{self.site}”."
            ) from error
        if self.operation == "add":
            values = there + values
        elif self.operation == "scale":
            values = there * values
        elif self.operation == "mean":
            values = there.mean(-2, keepdim=True).expand(there.shape)
        if not any(isinstance(one, list) for one in index):
            return values
        changed = tensor.clone()
        changed[tuple(index)] = values
        return changed


@dataclass(eq=False)
class Interventions:
    """Changes, one after another, as the edit of a pass; what it then has at the sites of `keep` is kept."""

    changes: Sequence[Intervention] = ()
    keep: Sequence[str] = ()
    kept: dict[tuple[str, int], Tensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not SITES.issuperset(self.keep):
            raise FormatError(f"Of a pass can be kept: {', '.join(sorted(SITES))}.")

    def __call__(self, site: str, layer: int, tensor: Tensor) -> Tensor:
        """An activation after the changes that concern it."""
        for change in self.changes:
            if change.site == site and change.layer in (None, layer):
                tensor = change.apply(tensor)
        if site in self.keep:
            self.kept[site, layer] = tensor
        return tensor


def after_layer(layer: int, vector: Tensor, rows: Sequence[int] | None = None) -> Intervention:
    """The change that adds a vector to every state after a layer; 0 is the embedding."""
    site, at = ("hidden", layer - 1) if layer else ("embedding", 0)
    return Intervention(site, at, "add", vector, rows)
