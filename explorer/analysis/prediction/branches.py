"""Texts that share a beginning and part at one token: what they share is in one key/value cache, once.

beginning -> a -> x y      each token reads the beginning, the tokens of its own text, and itself
          -> b -> x y
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.prediction.likelihood import log_probabilities_of
from explorer.models.base import Model
from explorer.models.transformer import Transformer
from explorer.system.interruption import check

AT_ONCE = 512  # tokens in one pass: each is compared with all others


class Prefix:
    """A beginning as a model has read it; `last` is the last layer's state at its end."""

    last: Float[Tensor, "d_model"]

    def __init__(self, model: Model, ids: Int[Tensor, "pos"]) -> None:
        self.model, self.ids = model, ids
        network: Any = getattr(model, "network", None)
        # A network on another machine keeps nothing, and one with ALiBi reads no trees: there, the beginning
        # is read again with every text.
        self.network: Any = network if isinstance(network, Transformer) and network.reads_trees else None
        self.cache = self.network and self.network.new_cache(capacity=len(ids))
        check()
        with torch.no_grad():
            result = self.network and self.network(ids[None].to(model.device), cache=self.cache)
        self.last = (result or model.run(ids[None])).last[0, -1]


@dataclass(frozen=True, eq=False)
class Nodes:
    """The places of all tokens in their texts, and what the new ones, which are the last, may read."""

    places: Int[Tensor, "all"]
    reads: Bool[Tensor, "new all"]

    @property
    def positions(self) -> Int[Tensor, "new"]:
        """The places of the new tokens."""
        return self.places[-len(self.reads) :]

    def allowed(self, window: int | None) -> Bool[Tensor, "1 1 new all"]:
        """What each new token reads where a layer has a window (None: it has none)."""
        near = self.positions[:, None] - self.places < (window or len(self.places))
        return (self.reads & near)[None, None]


class Branches:
    """Texts that go on from one beginning with a token each; `passes` counts how often they were read on."""

    def __init__(self, prefix: Prefix, ids: Int[Tensor, "row"]) -> None:
        self.prefix, self.passes = prefix, 0
        self._texts = ids[:, None]  # the last token of each is not yet read
        self._nodes = torch.zeros(len(ids), 0, dtype=torch.long)  # where the others are in the cache
        self._places, self._cache = torch.arange(len(prefix.ids)), prefix.cache

    def score(
        self, rows: Int[Tensor, "row"], after: Int[Tensor, "pos"], keep: bool = False
    ) -> Float[Tensor, "row pos"]:
        """log P of each of some tokens, after the texts of these numbers.

        With `keep`, which is for all texts in their order, they go on after these tokens.
        """
        if not len(after):
            return torch.zeros(len(rows), 0)
        self.passes += 1
        scores = []
        check()
        for some in rows.split(len(rows) if keep else max(1, AT_ONCE // len(after))):
            ids = torch.cat([self._texts[some, -1:], after[:-1].expand(len(some), -1)], 1)
            states, targets = self._states(some, ids, keep), after.repeat(len(some))
            scores.append(log_probabilities_of(self.prefix.model, states, targets).view(len(some), -1).cpu())
        if keep:
            self._texts = torch.cat([self._texts, after.expand(len(rows), -1)], 1)
        return torch.cat(scores)

    def _states(
        self, rows: Int[Tensor, "row"], ids: Int[Tensor, "row pos"], keep: bool
    ) -> Float[Tensor, "token d_model"]:
        """The last layer's states at further tokens of some texts."""
        prefix, (count, new), read = self.prefix, ids.shape, len(self._places)
        if prefix.network is None:
            whole = torch.cat([prefix.ids.expand(count, -1), self._texts[rows, :-1], ids], 1)
            return prefix.model.run(whole).last[:, -new:].flatten(0, 1)
        earlier = torch.zeros(count, read, dtype=torch.bool)
        earlier[:, : len(prefix.ids)] = True
        earlier.scatter_(1, self._nodes[rows], True)
        own = torch.kron(torch.eye(count), torch.ones(new, new).tril()).bool()
        begun = len(prefix.ids) + self._nodes.shape[1]
        places = torch.cat([self._places, torch.arange(begun, begun + new).repeat(count)])
        reads, device = torch.cat([earlier.repeat_interleave(new, 0), own], 1), prefix.model.device
        cache = prefix.network.new_cache(capacity=len(places))
        cache.copy_from(self._cache, read)
        nodes = Nodes(places.to(device), reads.to(device))
        with torch.no_grad():
            states: Tensor = prefix.network(ids.view(1, -1).to(device), cache=cache, tree=nodes).last[0]
        if keep:
            grown = torch.arange(read, len(places)).view(count, new)
            self._nodes, self._places, self._cache = torch.cat([self._nodes, grown], 1), places, cache
        return states
