"""GPT-2 at its quickest: one token of each of many texts, read in one pass over the weights.

The rows of a batch share every product with the weights, and those are what costs time: weights
come through memory once, for one row or for twenty. Each row attends over its own cache, so texts
of any lengths stand together and none is padded.

A text must not change with those it happens to share a pass with. A sum of floats depends on its
order, and libraries order the sums of a product by its number of rows. So the whole pass is compiled
here (`kernels`), and each row comes out the same, bit by bit, in any company.
"""

import threading
from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.models import layout
from explorer.models.gpt import Gpt
from explorer.models.layers import Cache

PIECE = 128  # tokens of a prompt read in one pass
ROWS = 32  # of a pass, at most
FREE = 4  # rows that take little longer than one, where products have several rows at all


class Decoder:
    """A GPT made ready to write: read pieces of prompts, then rows of one token each.

    Holds a small network's weights once more, laid out for several rows; a large one's are moved.
    Follows the network when its weights change.
    """

    def __init__(self, network: Gpt) -> None:
        self.network = network
        self._lock = threading.Lock()
        self._made_of: list[tuple[int, int]] = []
        self.refresh()

    def refresh(self) -> None:
        """Lay the weights out anew, if they are others than before: a network may be in training."""
        with self._lock:
            if self._weights() != self._made_of:
                self._prepare()
                self._made_of = self._weights()  # some of them have moved

    def _weights(self) -> list[tuple[int, int]]:
        """Where the network's weights lie, and how often each was changed."""
        return [(p.data_ptr(), 0 if p.is_inference() else p._version) for p in self.network.parameters()]

    def _prepare(self) -> None:
        from explorer.models import kernels

        network, blocks = self.network, self.network.blocks
        large = sum(p.nbytes for p in network.parameters()) > layout.LARGE
        products = [
            [block.attention.qkv for block in blocks],
            [block.attention.output for block in blocks],
            [block.mlp.up for block in blocks],
            [block.mlp.down for block in blocks],
        ]
        with torch.inference_mode():
            weights = tuple(layout.laid_out([p.weight for p in kind], large) for kind in products)
            biases = tuple(
                layout.padded([p.bias for p in kind], layout.width(weight))
                for kind, weight in zip(products, weights, strict=True)
            )
            vocabulary = layout.laid_out([getattr(network, "decoder", network.tokens.weight)], large)
            norms = [_numbers(block.attention_norm) + _numbers(block.mlp_norm) for block in blocks]
            like = layout.numbers(network.tokens.weight.detach()[0, :1])
        self._read, self._score = kernels.read_tokens, kernels.score
        self._parts = (
            network.config.heads, network.config.norm_eps, kernels.CODES[network.config.activation],
            weights, biases, np.array(norms), np.array(_numbers(network.norm)), like,
        )  # fmt: skip
        self._vocabulary = vocabulary[0], np.zeros(layout.width(vocabulary), np.float32)
        self.free = 1 if large else FREE

    def read(self, ids: Int[Tensor, "pos"], cache: Cache) -> Float[Tensor, "pos d_model"]:
        """Read a piece of one text, after what its cache knows; the last layer's states, normalised."""
        with torch.inference_mode():
            return self.network.norm(self.network(ids[None], cache=cache).last[0]).float()

    def step(
        self, ids: Sequence[int], caches: Sequence[Cache], ahead: Sequence[int] | None = None
    ) -> Float[Tensor, "batch d_model"]:
        """Read one token of each text, and return the last layer's states, normalised.

        A row may stand `ahead` of its text's end by so many tokens, which are rows before it: a guess
        that costs little. The caches then know the tokens at 0 alone.
        """
        network = self.network
        ahead = ahead or [0] * len(ids)
        at = [cache.length + a for cache, a in zip(caches, ahead, strict=True)]
        with torch.inference_mode():
            rooms = [cache.memory.shape[4] for cache in caches]
            if any(a >= room for a, room in zip(at, rooms)):  # compiled code would write beyond its end
                raise IndexError(f"A cache has no room for position {max(at)}.")
            places = torch.tensor([ids, at])
            x = torch.embedding(network.tokens.weight, places[0]).float()
            x += torch.embedding(network.positions.weight, places[1])
            addresses = np.array([cache.memory.data_ptr() for cache in caches])
            states = self._read(x.numpy(), addresses, np.array(rooms), np.array(at), *self._parts)
            for cache, a in zip(caches, ahead):
                cache.length += a == 0
            return torch.from_numpy(states)

    def scores(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The logits of normalised states, in float32."""
        with torch.inference_mode():
            logits = self._score(states.contiguous().numpy(), *self._vocabulary)
            return torch.from_numpy(logits)[:, : self.network.config.d_vocab]


def _numbers(norm: torch.nn.LayerNorm) -> list[np.ndarray]:
    return [p.detach().float().numpy() for p in (norm.weight, norm.bias)]
