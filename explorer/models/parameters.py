"""The parameters of one Transformer layer, and of what comes before the first, under the papers' names.

A network gives them by `layer_parameters(layer)` and `input_parameters()`, for those who compute a layer
once more by hand and show how. They are views of the network's own weights: nothing is copied.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.decoder import CrossAttention
from explorer.models.layers import MLP, SelfAttention


@dataclass(frozen=True, eq=False)
class Affine:
    """x -> x @ weight + bias, with a row for each number that goes in: PyTorch stores the transpose."""

    weight: Float[Tensor, "d_in d_out"]
    bias: Float[Tensor, "d_out"]


@dataclass(frozen=True, eq=False)
class Norm:
    """Layer normalisation (Ba, Kiros, Hinton 2016): (x - mean) / sqrt(variance + eps) * gain + shift."""

    gain: Float[Tensor, "d_model"]
    shift: Float[Tensor, "d_model"]
    eps: float


@dataclass(frozen=True, eq=False)
class CrossParameters:
    """Attention of a decoder to an encoder: queries from its own vectors, keys and values from those."""

    query: Affine
    key: Affine
    value: Affine
    output: Affine
    norm: Norm


@dataclass(frozen=True, eq=False)
class LayerParameters:
    """One layer: self-attention and an MLP, each with a residual connection and a normalisation.

    With `norm_first` (pre-norm: GPT-2) each part reads a normalised copy of its input; without it
    (post-norm: BERT, and Vaswani et al. 2017) the sum of its input and its output is normalised.
    With `causal`, a position reads itself and those before it only. `activation` is a key of
    `explorer.models.layers.ACTIVATIONS`. A decoder that reads an encoder has `cross` between the two.
    """

    heads: int
    norm_first: bool
    causal: bool
    activation: str
    query: Affine
    key: Affine
    value: Affine
    output: Affine
    attention_norm: Norm
    up: Affine
    down: Affine
    mlp_norm: Norm
    cross: CrossParameters | None = None


@dataclass(frozen=True, eq=False)
class InputParameters:
    """The tables whose rows are added up into a token's first vector, and what follows, if anything does.

    With `widen` the rows are narrower than a layer (`width` < `d_model`), and the normalised sum is mapped.
    """

    tokens: Float[Tensor, "d_vocab width"]
    positions: Float[Tensor, "pos width"]
    segments: Float[Tensor, "segment width"] | None = None
    norm: Norm | None = None
    widen: Affine | None = None


@runtime_checkable
class Unfolds(Protocol):
    """A network whose layers can be computed once more by hand."""

    def layer_parameters(self, layer: int) -> LayerParameters: ...
    def input_parameters(self) -> InputParameters: ...


@runtime_checkable
class TransformerBlock(Protocol):
    """A layer as the networks here keep it."""

    attention: SelfAttention
    attention_norm: nn.LayerNorm
    mlp: MLP
    mlp_norm: nn.LayerNorm


def of_block(block: TransformerBlock, activation: str, norm_first: bool, causal: bool) -> LayerParameters:
    """The parameters of one block, its packed matrix of queries, keys and values taken apart."""
    attention = block.attention
    weights, biases = attention.qkv.weight.chunk(3), attention.qkv.bias.chunk(3)
    query, key, value = (Affine(weight.T, bias) for weight, bias in zip(weights, biases))
    return LayerParameters(
        heads=attention.heads,
        norm_first=norm_first,
        causal=causal,
        activation=activation,
        query=query,
        key=key,
        value=value,
        output=of_linear(attention.output),
        attention_norm=of_norm(block.attention_norm),
        up=of_linear(block.mlp.up),
        down=of_linear(block.mlp.down),
        mlp_norm=of_norm(block.mlp_norm),
    )


def of_crossing(cross: CrossAttention, norm: nn.LayerNorm) -> CrossParameters:
    """The parameters of attention across, its packed matrix of keys and values taken apart."""
    weights, biases = cross.kv.weight.chunk(2), cross.kv.bias.chunk(2)
    key, value = (Affine(weight.T, bias) for weight, bias in zip(weights, biases))
    return CrossParameters(of_linear(cross.queries), key, value, of_linear(cross.output), of_norm(norm))


def of_linear(linear: nn.Linear) -> Affine:
    """A linear map's parameters."""
    return Affine(linear.weight.T, linear.bias)


def of_norm(norm: nn.LayerNorm) -> Norm:
    """A layer normalisation's parameters."""
    return Norm(norm.weight, norm.bias, norm.eps)
