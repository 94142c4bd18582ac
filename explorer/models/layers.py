"""Parts that several architectures share: attention, the key/value cache, the MLP, packed weights."""

import copy
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast, runtime_checkable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.trace import Edit

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu": F.gelu,
    "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_pytorch_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "relu": F.relu,
    "silu": F.silu,
    "swish": F.silu,  # the same, by its older name
    "tanh": torch.tanh,
}

Layer = TypeVar("Layer", bound=nn.Module, covariant=True)


@runtime_checkable
class Stack(Protocol[Layer]):
    """An `nn.ModuleList`, of which PyTorch's own annotations do not say what kind of module it holds."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Layer]: ...
    def __getitem__(self, index: int, /) -> Layer: ...


def stack(layers: Iterable[Layer]) -> Stack[Layer]:
    """Layers of one kind as an `nn.ModuleList` that knows their kind."""
    return cast(Stack[Layer], nn.ModuleList(layers))


@dataclass(frozen=True, eq=False)
class Heads:
    """What the heads of one layer computed, for a batch."""

    queries: Float[Tensor, "batch head query_pos d_head"]
    keys: Float[Tensor, "batch head key_pos d_head"]
    values: Float[Tensor, "batch head key_pos d_head"]
    pattern: Float[Tensor, "batch head query_pos key_pos"]


class Cache:
    """Keys and values of the positions already read, so that each new token costs one row.

    Holds up to `capacity` positions, keys and values side by side. Rows are written in place;
    `length` counts them. Memory that no row was written to yet costs nothing. `contents` is another
    object whenever rows that were there before are others. `shift` is what a row's number lacks to be
    its position in the text: the rows forgotten before it.
    """

    def __init__(
        self,
        layers: int,
        batch: int,
        heads: int,
        capacity: int,
        d_head: int,
        dtype: torch.dtype | None = None,
        device: torch.device | None = None,
    ) -> None:
        self.memory = torch.empty(layers, 2, batch, heads, capacity, d_head, dtype=dtype, device=device)
        self.length = self.shift = 0
        self.contents = object()

    def extend(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write the new rows of a layer and return all rows so far; `length` moves at the end."""
        end = self.length + keys.shape[2]
        known = self.memory[layer, ..., :end, :]
        known[0, ..., self.length :, :] = keys
        known[1, ..., self.length :, :] = values
        return known[0], known[1]

    def leave(self) -> None:
        """Nobody reads on for now; what goes ahead elsewhere may end."""

    def copy_from(self, other: "Cache", length: int) -> None:
        """Know the first `length` positions that another cache knows, and nothing else."""
        self.memory[..., :length, :] = other.memory[..., :length, :]
        self.length, self.shift, self.contents = length, other.shift, object()

    def forget(self, keep: int, first: int = 0) -> None:
        """Know the `first` positions and the last `keep` alone; the next one has its place as before."""
        gone = self.length - first - keep
        if gone > 0:
            # A copy first: where the two parts overlap, one would be written over before it is read.
            last = self.memory[..., first + gone : self.length, :].clone()
            self.memory[..., first : first + keep, :] = last
            self.length, self.shift, self.contents = first + keep, self.shift + gone, object()

    def take_last(self, other: "Cache") -> None:
        """Know the last position as another cache of the same length does."""
        at = self.length - 1
        self.memory[..., at, :] = other.memory[..., at, :]
        self.contents = object()


def attend(
    queries: Float[Tensor, "batch head query_pos d_head"],
    keys: Float[Tensor, "batch head key_pos d_head"],
    values: Float[Tensor, "batch head key_pos d_head"],
    allowed: Bool[Tensor, "#batch 1 #query_pos key_pos"] | None,
    edit: Edit | None,
    layer: int,
) -> tuple[Float[Tensor, "batch head query_pos d_head"], Float[Tensor, "batch head query_pos key_pos"]]:
    """Scaled dot-product attention that also gives its pattern.

    softmax(Q K^T / sqrt(d_head)) V   (Vaswani et al. 2017, equation 1)
    """
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])
    scores = edited(edit, "scores", layer, scores)
    if allowed is not None:
        # Added, not filled in: on a CPU that is several times faster, in both directions.
        scores = scores + scores.new_zeros(allowed.shape).masked_fill(~allowed, -torch.inf)
    pattern = edited(edit, "pattern", layer, scores.softmax(dim=-1))
    return pattern @ values, pattern


def edited(edit: Edit | None, site: str, layer: int, tensor: Tensor) -> Tensor:
    """The tensor as the caller's edit wants it; unchanged without an edit."""
    return tensor if edit is None else edit(site, layer, tensor)


def learning_on_cpu(x: Tensor) -> bool:
    """Whether plain products are faster than the fused kernel: its backward pass is slow on a CPU.

    A row of 16 texts of 128 tokens, 12 heads x 32, bfloat16, both passes: 15 ms against 36.
    """
    return torch.is_grad_enabled() and not x.is_cuda


class SelfAttention(nn.Module):
    """Multi-head self-attention; queries, keys and values come from one matrix product."""

    def __init__(self, d_model: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(
        self,
        x: Float[Tensor, "batch pos d_model"],
        allowed: Bool[Tensor, "#batch 1 #query_pos key_pos"] | None,
        layer: int,
        keep: bool,
        edit: Edit | None = None,
        cache: Cache | None = None,
    ) -> tuple[Float[Tensor, "batch pos d_model"], Heads | None]:
        """Mix the positions; with `keep`, the second result holds what every head computed."""
        batch, length, d_model = x.shape
        projected = self.qkv(x).view(batch, length, 3, self.heads, d_model // self.heads)
        queries, keys, values = projected.permute(2, 0, 3, 1, 4).unbind(0)
        if edit is not None:
            queries = edit("queries", layer, queries)
            keys = edit("keys", layer, keys)
            values = edit("values", layer, values)
        if cache is not None:
            keys, values = cache.extend(layer, keys, values)
        heads = None
        if keep or edit is not None or learning_on_cpu(x):
            mixed, pattern = attend(queries, keys, values, allowed, edit, layer)
            mixed = edited(edit, "head_output", layer, mixed)
            heads = Heads(queries, keys, values, pattern) if keep else None
        else:  # nobody looks at the pattern: the fused kernel never writes it out
            mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed)
        merged = mixed.transpose(1, 2).reshape(batch, length, d_model)
        return edited(edit, "attention_output", layer, self.output(merged)), heads

    def at(
        self,
        here: Float[Tensor, "batch place d_model"],
        x: Float[Tensor, "batch pos d_model"],
        allowed: Bool[Tensor, "#batch 1 1 key_pos"] | None,
    ) -> Float[Tensor, "batch place d_model"]:
        """What some places read from all positions; no query is made for the others."""
        d_model = x.shape[-1]
        ask, read = self.qkv.weight.split([d_model, 2 * d_model])
        ask_bias, read_bias = self.qkv.bias.split([d_model, 2 * d_model])

        def by_head(projected: Tensor, parts: int) -> tuple[Tensor, ...]:
            batch, length, _ = projected.shape
            shaped = projected.view(batch, length, parts, self.heads, d_model // self.heads)
            return shaped.permute(2, 0, 3, 1, 4).unbind(0)

        (queries,) = by_head(F.linear(here, ask, ask_bias), 1)
        keys, values = by_head(F.linear(x, read, read_bias), 2)
        mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed)
        attended: Tensor = self.output(mixed.transpose(1, 2).reshape(here.shape))
        return attended


def picked(
    x: Float[Tensor, "batch pos d_model"], places: Int[Tensor, "batch place"]
) -> Float[Tensor, "batch place d_model"]:
    """The vectors at some places of each row."""
    return x.gather(1, places[..., None].expand(-1, -1, x.shape[-1]))


# Rows of the vocabulary per product: together with the states they fit the processor's cache.
SLICE = 1024


def vocabulary_scores(
    state: Float[Tensor, "*pos d_model"],
    vocabulary: Float[Tensor, "d_vocab d_model"],
    bias: Float[Tensor, "d_vocab"] | None = None,
) -> Float[Tensor, "*pos d_vocab"]:
    """The product of every state with every token's vector, plus the bias.

    Made in slices, since one product over a whole vocabulary takes half as long again
    (768 dimensions, one thread). A single state gains nothing by it, nor does training, nor a table
    that lies in memory by column.
    """
    if state.numel() == state.shape[-1] or torch.is_grad_enabled() or not vocabulary.is_contiguous():
        return F.linear(state, vocabulary, bias)
    biases = [None] * len(vocabulary) if bias is None else bias.split(SLICE)
    pieces = zip(vocabulary.split(SLICE), biases)
    return torch.cat([F.linear(state, rows, some) for rows, some in pieces], dim=-1)


class MLP(nn.Module):
    """Two linear maps with an activation between them."""

    def __init__(self, d_model: int, d_mlp: int, activation: str) -> None:
        super().__init__()
        self.up = nn.Linear(d_model, d_mlp)
        self.down = nn.Linear(d_mlp, d_model)
        self.activation = ACTIVATIONS[activation]

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Widen, bend, narrow."""
        back: Tensor = self.down(self.activation(self.up(x)))
        return back


# Reading many texts: weights laid out for oneDNN. That takes as long as reading a few sentences, and
# a copy's memory: it is done for a long list of texts, and forgotten after it.
PACKED_ROWS = 32  # of a product, for which the weight is laid out


class PackedLinear(nn.Module):
    """x W^T + b, as `nn.Linear`, by a packed weight. Without oneDNN it is the plain product."""

    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.weight, self.bias = plain.weight, plain.bias
        self.packed = _packed(plain.weight.detach())

    def forward(self, x: Tensor) -> Tensor:
        """The product of every row."""
        if self.packed is None:
            return F.linear(x, self.weight, self.bias)
        product = torch.ops.mkldnn._linear_pointwise.default
        found: Tensor = product(x.flatten(0, -2), self.packed, self.bias.detach(), "none", [], "")
        return found.view(*x.shape[:-1], -1)


def packed(module: nn.Module) -> nn.Module:
    """A twin of a network that shares all its parameters and packs the weights of its linear maps."""
    if isinstance(module, nn.Linear):
        return PackedLinear(module)
    twin = copy.copy(module)
    twin._modules = {name: None if m is None else packed(m) for name, m in module._modules.items()}
    return twin


def _packed(weight: Tensor) -> Tensor | None:
    """The weight in oneDNN's layout, a copy; None where PyTorch was built without it."""
    if weight.device.type != "cpu" or not torch.backends.mkldnn.is_available():
        return None
    if weight.dtype is torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return None
    found: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), PACKED_ROWS)
    return found
