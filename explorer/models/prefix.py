"""The beginning of a text, read once, from which a left-to-right model reads several continuations."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.models.base import Model
from explorer.models.transformer import Transformer


class Prefix:
    """A beginning as a model has read it; `last` is the last layer's state at its end."""

    last: Float[Tensor, "d_model"]

    def __init__(self, model: Model, ids: Int[Tensor, "pos"]) -> None:
        self.model, self.ids = model, ids
        network: Any = getattr(model, "network", None)
        # A network on another machine keeps nothing: there, the beginning is read again with every row.
        self._network: Any = network if isinstance(network, Transformer) else None
        self._cache = self._network and self._network.new_cache(capacity=len(ids))
        self.last = self._run(ids[None], self._cache)[0, -1]

    def read_on(self, rows: Int[Tensor, "row pos"]) -> Float[Tensor, "row pos d_model"]:
        """The last layer's states at the tokens of each row, which follows the beginning."""
        if self._network is None:
            whole = torch.cat([self.ids.expand(len(rows), -1), rows], 1)
            return self._run(whole)[:, len(self.ids) :]
        cache = self._network.new_cache(len(rows), len(self.ids) + rows.shape[1])
        cache.copy_from(self._cache, len(self.ids))
        return self._run(rows, cache)

    def _run(self, ids: Tensor, cache: Any = None) -> Float[Tensor, "row pos d_model"]:
        if self._network is None:
            return self.model.run(ids).last
        with torch.no_grad():
            states: Tensor = self._network(ids.to(self.model.device), cache=cache).last
        return states
