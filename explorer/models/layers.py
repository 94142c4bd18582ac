"""Parts that several architectures share: attention, the MLP, and scores over a vocabulary."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast, runtime_checkable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.cache import Cache
from explorer.models.rotary import Rotation, rotate
from explorer.models.scoring import PLAIN, Scoring, capped
from explorer.models.stored import Linear, product
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
class LayerList(Protocol[Layer]):
    """An `nn.ModuleList` with the type of its modules, which PyTorch's own annotations lack."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Layer]: ...
    def __getitem__(self, index: int, /) -> Layer: ...


def layer_list(layers: Iterable[Layer]) -> LayerList[Layer]:
    """Layers of one type as an `nn.ModuleList` annotated with it."""
    return cast(LayerList[Layer], nn.ModuleList(layers))


@dataclass(frozen=True, eq=False)
class Heads:
    """The activations of one layer's heads, for a batch."""

    queries: Float[Tensor, "batch head query_pos d_head"]
    keys: Float[Tensor, "batch head key_pos d_head"]
    values: Float[Tensor, "batch head key_pos d_head"]
    pattern: Float[Tensor, "batch head query_pos key_pos"]


def attend(
    queries: Float[Tensor, "batch head query_pos d_head"],
    keys: Float[Tensor, "batch head key_pos d_head"],
    values: Float[Tensor, "batch head key_pos d_head"],
    allowed: Bool[Tensor, "#batch 1 #query_pos key_pos"] | None,
    edit: Edit | None,
    layer: int,
    scoring: Scoring = PLAIN,
) -> tuple[Float[Tensor, "batch head query_pos d_head"], Float[Tensor, "batch head query_pos key_pos"]]:
    """Scaled dot-product attention that also gives its pattern.

    softmax(Q K^T / sqrt(d_head)) V   (Vaswani et al. 2017, equation 1)
    """
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])
    scores = capped(edited(edit, "scores", layer, scores), scoring.cap)
    if (bias := scoring.bias(scores.shape[-2], scores.shape[-1], scores)) is not None:
        scores = scores + bias
    if allowed is not None:
        # Adding is several times faster than filling in on a CPU, in both directions.
        scores = scores + scores.new_zeros(allowed.shape).masked_fill(~allowed, -torch.inf)
    pattern = edited(edit, "pattern", layer, scores.softmax(dim=-1))
    return pattern @ values, pattern


def edited(edit: Edit | None, site: str, layer: int, tensor: Tensor) -> Tensor:
    """The tensor after the caller's edit; unchanged without one."""
    return tensor if edit is None else edit(site, layer, tensor)


def learning_on_cpu(x: Tensor) -> bool:
    """Whether plain products are faster than the fused kernel: its backward pass is slow on a CPU.

    A row of 16 texts of 128 tokens, 12 heads x 32, bfloat16, both passes: 15 ms against 36.
    """
    return torch.is_grad_enabled() and not x.is_cuda


class Stacked(Linear):
    """Several linear maps of the same input as one product, their matrices stacked by rows.

    `widths` are the output sizes; they differ if several heads share a key.
    """

    def __init__(self, d_in: int, widths: Sequence[int], bias: bool = True) -> None:
        super().__init__(d_in, sum(widths), bias)
        self.widths = list(widths)


class SelfAttention(nn.Module):
    """Multi-head self-attention; queries, keys and values come from one matrix product.

    With fewer `kv_heads` than heads, each key and value serves a group of queries (grouped-query
    attention: Ainslie et al., EMNLP 2023). With `head_norm_eps` queries and keys are normalised head by head
    (Qwen3), or all heads' together with `wide_norm` (OLMo 2). Scores are always q k / sqrt(d_head): if an
    architecture scales otherwise (GPT-Neo, Gemma 2), `query_factor` multiplies its queries. `scoring` is what
    is done to the scores after that.
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        kv_heads: int | None = None,
        d_head: int | None = None,
        bias: bool = True,
        output_bias: bool = True,
        head_norm_eps: float | None = None,
        query_factor: float = 1.0,
        wide_norm: bool = False,
        scoring: Scoring = PLAIN,
    ) -> None:
        super().__init__()
        self.heads, self.kv_heads = heads, kv_heads or heads
        self.d_head = d_head or d_model // heads
        kv_width = self.kv_heads * self.d_head
        self.widths = [heads * self.d_head, kv_width, kv_width]
        self.qkv = Stacked(d_model, self.widths, bias)
        self.output = Linear(heads * self.d_head, d_model, output_bias)
        self.query_factor, self.wide_norm, self.scoring = query_factor, wide_norm, scoring
        self.query_norm = self.key_norm = None
        if head_norm_eps is not None:
            query_width, key_width, _ = self.widths if wide_norm else [self.d_head] * 3
            self.query_norm = nn.RMSNorm(query_width, head_norm_eps)
            self.key_norm = nn.RMSNorm(key_width, head_norm_eps)

    def project(
        self, x: Float[Tensor, "batch pos d_model"], rotation: Rotation | None = None
    ) -> tuple[
        Float[Tensor, "batch head pos d_head"],
        Float[Tensor, "batch kv_head pos d_head"],
        Float[Tensor, "batch kv_head pos d_head"],
    ]:
        """Queries, keys and values, normalised and rotated if the architecture does that."""
        projections = self.qkv(x).split(self.widths, dim=-1)
        norms = self.query_norm, self.key_norm, None
        if self.wide_norm:
            projections = [p if norm is None else norm(p) for p, norm in zip(projections, norms)]
        queries, keys, values = (p.unflatten(-1, (-1, self.d_head)).transpose(1, 2) for p in projections)
        if self.query_norm is not None and self.key_norm is not None and not self.wide_norm:
            queries, keys = self.query_norm(queries), self.key_norm(keys)
        if rotation is not None:
            queries, keys = rotate(queries, rotation), rotate(keys, rotation)
        if self.query_factor != 1.0:
            queries = queries * self.query_factor
        return queries, keys, values

    def forward(
        self,
        x: Float[Tensor, "batch pos d_model"],
        allowed: Bool[Tensor, "#batch 1 #query_pos key_pos"] | None,
        layer: int,
        keep: bool,
        edit: Edit | None = None,
        cache: Cache | None = None,
        rotation: Rotation | None = None,
    ) -> tuple[Float[Tensor, "batch pos d_model"], Heads | None]:
        """Attention's output; with `keep`, the second result holds every head's activations."""
        queries, keys, values = self.project(x, rotation)
        if edit is not None:
            queries = edit("queries", layer, queries)
            keys = edit("keys", layer, keys)
            values = edit("values", layer, values)
        if cache is not None:
            keys, values = cache.extend(layer, keys, values)
        keys, values = self.for_each_head(keys), self.for_each_head(values)
        heads = None
        if keep or edit is not None or learning_on_cpu(x) or self.scoring != PLAIN:
            mixed, pattern = attend(queries, keys, values, allowed, edit, layer, self.scoring)
            mixed = edited(edit, "head_output", layer, mixed)
            heads = Heads(queries, keys, values, pattern) if keep else None
        else:  # the pattern is not needed: the fused kernel never writes it out
            mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed)
        merged = mixed.transpose(1, 2).flatten(2)
        return edited(edit, "attention_output", layer, self.output(merged)), heads

    def for_each_head(
        self, shared: Float[Tensor, "batch kv_head pos d_head"]
    ) -> Float[Tensor, "batch head pos d_head"]:
        """Keys or values repeated for each head of a group."""
        group = self.heads // self.kv_heads
        return shared if group == 1 else shared.repeat_interleave(group, dim=1)

    def at(
        self,
        here: Float[Tensor, "batch query_pos d_model"],
        x: Float[Tensor, "batch pos d_model"],
        allowed: Bool[Tensor, "#batch 1 1 key_pos"] | None,
    ) -> Float[Tensor, "batch query_pos d_model"]:
        """Attention of some positions, `here`, to all; without rotation, and with a key for each head."""
        queries, _, _ = self.project(here)
        _, keys, values = self.project(x)
        mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed)
        attended: Tensor = self.output(mixed.transpose(1, 2).flatten(2))
        return attended


def vectors_at(
    x: Float[Tensor, "batch pos d_model"], positions: Int[Tensor, "batch query_pos"]
) -> Float[Tensor, "batch query_pos d_model"]:
    """The vectors at some positions of each row."""
    return x.gather(1, positions[..., None].expand(-1, -1, x.shape[-1]))


# Rows of the vocabulary per product: together with the states they fit the processor's cache.
SLICE = 1024


def vocabulary_scores(
    state: Float[Tensor, "*pos d_model"],
    vocabulary: Float[Tensor, "d_vocab d_model"],
    bias: Float[Tensor, "d_vocab"] | None = None,
) -> Float[Tensor, "*pos d_vocab"]:
    """The product of every state with every token's vector, plus the bias.

    Computed in slices, since one product over a whole vocabulary takes 1.5 times as long
    (768 dimensions, one thread). Slices do not help a single state, training, or a table
    stored by column.
    """
    if state.numel() == state.shape[-1] or torch.is_grad_enabled() or not vocabulary.is_contiguous():
        return product(state, vocabulary, bias)
    biases = [None] * len(vocabulary) if bias is None else bias.split(SLICE)
    pieces = zip(vocabulary.split(SLICE), biases)
    return torch.cat([product(state, rows, some) for rows, some in pieces], dim=-1)


class MLP(nn.Module):
    """The up-projection, an activation, and the down-projection back to the width of the model.

    A gated MLP (Shazeer, "GLU Variants Improve Transformer", 2020) projects up twice, and multiplies one
    result by the activation of the other: `up` holds the gate's matrix above that of the values.
    """

    def __init__(
        self, d_model: int, d_mlp: int, activation: str, gated: bool = False, bias: bool = True
    ) -> None:
        super().__init__()
        self.gated = gated
        self.up: Linear = Stacked(d_model, [d_mlp, d_mlp], bias) if gated else Linear(d_model, d_mlp, bias)
        self.down = Linear(d_mlp, d_model, bias)
        self.activation = ACTIVATIONS[activation]

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The MLP's output for each vector."""
        hidden = self.up(x)
        if self.gated:
            gate, hidden = hidden.chunk(2, dim=-1)
            hidden = self.activation(gate) * hidden
        else:
            hidden = self.activation(hidden)
        output: Tensor = self.down(hidden)
        return output
