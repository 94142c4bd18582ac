"""GPT-2 at its quickest: one token of each of many texts, read in one pass over the weights.

The rows of a batch share every product with the weights, and those are what costs time: weights
come through memory once, for one row or for twenty. Each row attends over its own cache, so texts
of any lengths stand together and none is padded.

A text must not change with those it happens to share a pass with. A sum of floats depends on its
order, and libraries order the sums of a product by its number of rows. So the weights are laid out
once, for kernels that go by the weights' shape; where some do not, rows are filled up (`Product`).
"""

import threading
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.models.gpt import Gpt
from explorer.models.layers import ACTIVATIONS, Cache

PIECE = 128  # tokens of a prompt read in one pass
ROWS = 32  # of a batch, at most
COMPARED = (1, 2, 3, 4, 7, 8, 12, 16, 20, 31)  # row counts, around the sizes of kernels' tiles
# What the packed product can do to its result before it is written: a name, and a way to compute it.
FUSED = {
    "": ("none", ""),
    "gelu": ("gelu", "none"),
    "gelu_new": ("gelu", "tanh"),
    "gelu_pytorch_tanh": ("gelu", "tanh"),
    "relu": ("relu", ""),
}
ALIGNMENT = 64  # bytes at which PyTorch lets a tensor begin
_fewest: dict[tuple, int] = {}


class Product:
    """act(x W^T + b) for few rows; a row's result does not depend on the rows beside it, to the last bit.

    `fewest` is the number of rows from which that holds: found by comparison, since it depends on
    the processor, and made up for by empty rows.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None, activation: str = "") -> None:
        self.weight, self.bias, self.activation = weight, bias, activation
        self.packed = _packed(weight) if activation in FUSED else None
        self.fewest = self._find_fewest()

    def __call__(
        self, x: Float[Tensor, "batch d_in"], plus: Float[Tensor, "batch d_out"] | None = None
    ) -> Float[Tensor, "batch d_out"]:
        """The product, added to `plus` where that is given (then without an activation)."""
        if (missing := self.fewest - len(x)) > 0:
            filled = [None if t is None else F.pad(t, (0, 0, 0, missing)) for t in (x, plus)]
            return self._product(*filled)[: len(x)]
        return self._product(x, plus)

    def _product(self, x: Tensor, plus: Tensor | None) -> Tensor:
        if self.packed is None:
            y = F.linear(x, self.weight, self.bias)
            y = ACTIVATIONS[self.activation](y) if self.activation else y
            return y if plus is None else y + plus
        if plus is not None:
            return torch.ops.mkldnn._linear_pointwise.binary(x, plus, self.packed, self.bias, "add")
        kind, algorithm = FUSED[self.activation]
        return torch.ops.mkldnn._linear_pointwise(x, self.packed, self.bias, kind, [], algorithm)

    def _find_fewest(self) -> int:
        (d_out, d_in), dtype = self.weight.shape, self.weight.dtype
        key = (d_out, d_in, dtype, self.activation, self.packed is None, torch.get_num_threads())
        if key not in _fewest:
            generator = torch.Generator().manual_seed(0)
            x, plus = (torch.randn(ROWS, d, generator=generator).to(dtype) for d in (d_in, d_out))
            additions = (None,) if self.activation else (None, plus)
            wanted = [self._product(x, p) for p in additions]
            fewest = ROWS
            for rows in reversed(COMPARED):
                found = [self._product(x[:rows], None if p is None else p[:rows]) for p in additions]
                if not all(torch.equal(f, w[:rows]) for f, w in zip(found, wanted, strict=True)):
                    break
                fewest = rows
            _fewest[key] = fewest
        return _fewest[key]


def _packed(weight: Tensor) -> Tensor | None:
    """The weight laid out for oneDNN's kernels, a copy; None where PyTorch was built without them."""
    if weight.device.type != "cpu" or not torch.backends.mkldnn.is_available():
        return None
    if weight.dtype is torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return None
    return torch.ops.mkldnn._reorder_linear_weight(weight.detach().contiguous(), ROWS)


class Decoder:
    """A GPT made ready to write: read pieces of prompts, then rows of one token each.

    Holds the weights once more, in the layout of `Product`, and follows the network when its
    weights change.
    """

    def __init__(self, network: Gpt) -> None:
        self.network = network
        self._lock = threading.Lock()
        self._made_of: list[tuple[int, int]] = []
        self.refresh()

    def refresh(self) -> None:
        """Lay the weights out anew, if they are others than before: a network may be in training."""
        with self._lock:
            now = [(p.data_ptr(), 0 if p.is_inference() else p._version) for p in self.network.parameters()]
            if now != self._made_of:
                self._prepare()
                self._made_of = now

    def _prepare(self) -> None:
        network = self.network
        with torch.inference_mode():
            self.layers = [_Layer(block, network.config.activation) for block in network.blocks]
            self._unembed = Product(getattr(network, "decoder", network.tokens.weight).detach())

    def read(self, ids: Int[Tensor, "pos"], cache: Cache) -> Float[Tensor, "pos d_model"]:
        """Read a piece of one text, after what its cache knows; the last layer's states, normalised."""
        with torch.inference_mode():
            return self.network.norm(self.network(ids[None], cache=cache).last[0])

    def step(self, ids: Sequence[int], caches: Sequence[Cache]) -> Float[Tensor, "batch d_model"]:
        """Read one token of each text, and return the last layer's states, normalised."""
        network = self.network
        heads, d_model = network.config.heads, network.config.d_model
        with torch.inference_mode():
            places = torch.tensor([list(ids), [cache.length for cache in caches]])
            x = F.embedding(places[0], network.tokens.weight) + F.embedding(
                places[1], network.positions.weight
            )
            # Views on every row's and layer's cache, made once: a call less in the loops below.
            known = [c.memory.narrow(4, 0, c.length + 1).unbind(1) for c in caches]
            known = [(keys.unbind(0), values.unbind(0)) for keys, values in known]
            new = [c.memory.select(4, c.length).squeeze(2).unbind(0) for c in caches]
            for i, layer in enumerate(self.layers):
                rows = layer.qkv(layer.attention_norm(x)).view(len(x), 3, heads, -1)
                torch._foreach_copy_([row[i] for row in new], list(rows[:, 1:].unbind(0)))
                queries = rows[:, 0, None, :, None].unbind(0)
                if rows.stride(0) * rows.element_size() % ALIGNMENT:
                    queries = [q.clone() for q in queries]  # the kernel's order depends on the address, too
                mixed = [
                    F.scaled_dot_product_attention(q, keys[i], values[i])
                    for q, (keys, values) in zip(queries, known)
                ]
                merged = (mixed[0] if len(mixed) == 1 else torch.cat(mixed)).view(len(x), d_model)
                x = layer.output(merged, x)
                x = layer.down(layer.up(layer.mlp_norm(x)), x)
            for cache in caches:
                cache.length += 1
            return network.norm(x)

    def scores(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The logits of normalised states, in float32."""
        with torch.inference_mode():
            return self._unembed(states).float()


class _Layer:
    """One block's products and norms."""

    def __init__(self, block: nn.Module, activation: str) -> None:
        attention, mlp = block.attention, block.mlp
        self.attention_norm, self.mlp_norm = block.attention_norm, block.mlp_norm
        self.qkv = Product(attention.qkv.weight.detach(), attention.qkv.bias.detach())
        self.output = Product(attention.output.weight.detach(), attention.output.bias.detach())
        self.up = Product(mlp.up.weight.detach(), mlp.up.bias.detach(), activation)
        self.down = Product(mlp.down.weight.detach(), mlp.down.bias.detach())
