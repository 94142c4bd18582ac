"""GPT-2 at its quickest: one token of each of many texts, read in one pass over the weights.

The rows of a batch share every product with the weights, and those are what costs time: weights
come through memory once, for one row or for twenty. Each row attends over its own cache, so texts
of any lengths stand together and none is padded.

A text must not change with those it happens to share a pass with. A sum of floats depends on its
order, and libraries order the sums of a product by its number of rows. So `products` are made for
few rows, with the weights laid out once, and each row comes out the same, bit by bit, in any company.
"""

import threading
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.models.gpt import Gpt
from explorer.models.layers import Cache
from explorer.models.products import product

PIECE = 128  # tokens of a prompt read in one pass
ALIGNMENT = 64  # bytes at which PyTorch lets a tensor begin


class Decoder:
    """A GPT made ready to write: read pieces of prompts, then rows of one token each.

    Holds a small network's weights once more, in the layout of `Product`; a large one's are moved.
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
        network = self.network
        size = sum(p.nbytes for p in network.parameters())
        with torch.inference_mode():
            layers = [_Layer(block, network.config.activation, size) for block in network.blocks]
            unembed = product(getattr(network, "decoder", network.tokens.weight), None, size)
        self.layers, self._unembed, self._norm = layers, unembed, _arguments(network.norm)
        self._fewest = max(p.fewest for layer in layers for p in layer.products)

    def read(self, ids: Int[Tensor, "pos"], cache: Cache) -> Float[Tensor, "pos d_model"]:
        """Read a piece of one text, after what its cache knows; the last layer's states, normalised."""
        with torch.inference_mode():
            return self.network.norm(self.network(ids[None], cache=cache).last[0])

    @property
    def fewest(self) -> int:
        """How many rows are read at least: with fewer, the others are empty."""
        return self._fewest

    def step(
        self, ids: Sequence[int], caches: Sequence[Cache], ahead: Sequence[int] | None = None
    ) -> Float[Tensor, "batch d_model"]:
        """Read one token of each text, and return the last layer's states, normalised.

        A row may stand `ahead` of its text's end by so many tokens, which are rows before it: a guess
        that costs nothing where rows would be empty. The caches then know the tokens at 0 alone.
        """
        network, rows = self.network, len(ids)
        heads, d_model = network.config.heads, network.config.d_model
        shape = (-1, 3, heads, d_model // heads)
        empty = max(self._fewest - rows, 0)  # rows of nothing, where the products want more
        with torch.inference_mode():
            ahead = ahead or [0] * rows
            at = [c.length + a for c, a in zip(caches, ahead, strict=True)]
            places = torch.tensor([[*ids, *[0] * empty], at + [0] * empty])
            x = torch.embedding(network.tokens.weight, places[0])
            x += torch.embedding(network.positions.weight, places[1])
            # Views on every row's and layer's cache, made once: fewer calls in the loops below.
            known = [c.memory.narrow(4, 0, a + 1).unbind(1) for c, a in zip(caches, at)]
            known = [(keys.unbind(), values.unbind()) for keys, values in known]
            new = [c.memory.select(4, a).squeeze(2).unbind() for c, a in zip(caches, at)]
            nothing = [x.new_zeros(1, heads, 1, d_model // heads)] * empty
            aligned = 3 * d_model * x.element_size() % ALIGNMENT == 0
            for i, layer in enumerate(self.layers):
                qkv = layer.qkv.of(torch.layer_norm(x, *layer.attention_norm)).view(shape)
                torch._foreach_copy_([row[i] for row in new], qkv[:rows, 1:].unbind())
                queries = qkv[:rows, 0, None, :, None].unbind()
                if not aligned:
                    queries = [q.clone() for q in queries]  # the kernel's order depends on the address, too
                mixed = [
                    F.scaled_dot_product_attention(q, keys[i], values[i])
                    for q, (keys, values) in zip(queries, known)
                ]
                x = layer.output.of(torch.cat(mixed + nothing).view(-1, d_model), x)
                x = layer.down.of(layer.up.of(torch.layer_norm(x, *layer.mlp_norm)), x)
            for cache, a in zip(caches, ahead):
                cache.length += a == 0
            return torch.layer_norm(x[:rows], *self._norm)

    def scores(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The logits of normalised states, in float32."""
        with torch.inference_mode():
            return self._unembed(states).float()


class _Layer:
    """One block's products, and its norms as arguments: a module's call takes as long as the norm."""

    def __init__(self, block: nn.Module, activation: str, size: int) -> None:
        attention, mlp = block.attention, block.mlp
        self.attention_norm, self.mlp_norm = _arguments(block.attention_norm), _arguments(block.mlp_norm)
        self.qkv = product(attention.qkv.weight, attention.qkv.bias, size)
        self.output = product(attention.output.weight, attention.output.bias, size)
        self.up = product(mlp.up.weight, mlp.up.bias, size, activation)
        self.down = product(mlp.down.weight, mlp.down.bias, size)
        self.products = (self.qkv, self.output, self.up, self.down)


def _arguments(norm: nn.LayerNorm) -> tuple:
    return norm.normalized_shape, norm.weight, norm.bias, norm.eps, False
