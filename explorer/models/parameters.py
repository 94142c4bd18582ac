"""The parameters of one Transformer layer, and of the input embedding, under the papers' names.

A network returns them from `layer_parameters(layer)` and `input_parameters()`, for computing a layer step by
step. They are views of the network's weights, and of those stored as bfloat16 copies in float32.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.decoder import CrossAttention
from explorer.models.layers import MLP, SelfAttention, Stacked
from explorer.models.rotary import Rotary
from explorer.models.scoring import PLAIN, Scoring
from explorer.models.stored import as_computed


@dataclass(frozen=True, eq=False)
class Affine:
    """x -> x @ weight + bias, with a row for each input dimension: PyTorch stores the transpose.

    Without a bias (Llama) it is the product alone.
    """

    weight: Float[Tensor, "d_in d_out"]
    bias: Float[Tensor, "d_out"] | None


@dataclass(frozen=True, eq=False)
class Norm:
    """Layer normalisation (Ba, Kiros, Hinton 2016): (x - mean) / sqrt(variance + eps) * gain + shift.

    With `rms` (Zhang, Sennrich 2019) the mean is not subtracted: x / sqrt(mean(x^2) + eps) * gain. A `shift`
    of None is not added, a `gain` of None does not multiply (OLMo).
    """

    gain: Float[Tensor, "d_model"] | None
    shift: Float[Tensor, "d_model"] | None
    eps: float
    rms: bool = False


@dataclass(frozen=True, eq=False)
class CrossParameters:
    """Cross-attention: queries from the decoder's vectors, keys and values from the encoder's."""

    query: Affine
    key: Affine
    value: Affine
    output: Affine
    norm: Norm


@dataclass(frozen=True, eq=False)
class LayerParameters:
    """One layer: self-attention and an MLP, each with a residual connection and a normalisation.

    With `norm_first` (pre-norm: GPT-2) attention and MLP each read a normalised copy of their input; without
    it (post-norm: BERT, and Vaswani et al. 2017) the sum of input and output is normalised.
    With `causal`, a position reads only itself and those before it. `activation` is a key of
    `explorer.models.layers.ACTIVATIONS`. A decoder that reads an encoder has `cross` between the two.

    Newer variants have fewer `kv_heads` than heads, each serving a group; a `rotary` that rotates queries and
    keys; a `gate`, whose activation multiplies the output of `up`; a norm of each head's queries and keys; a
    `window` of positions that are read; attention and MLP side by side (`parallel`); queries multiplied
    by `query_factor` if scores are not divided by the square root of d_head; `scoring` between scores and
    softmax; norms of what attention and MLP give (`attention_after`, `mlp_after`), which `residual_scale`
    multiplies. `attention_norm` is None where attention reads its input unnormalised; `mlp_norm`, where the
    MLP does, or where it reads what attention reads (`shared_norm`). `wide_norm` says that the norms of
    queries and keys are of all heads together.
    """

    heads: int
    norm_first: bool
    causal: bool
    activation: str
    query: Affine
    key: Affine
    value: Affine
    output: Affine
    attention_norm: Norm | None
    up: Affine
    down: Affine
    mlp_norm: Norm | None
    kv_heads: int
    d_head: int
    cross: CrossParameters | None = None
    gate: Affine | None = None
    rotary: Rotary | None = None
    query_norm: Norm | None = None
    key_norm: Norm | None = None
    window: int | None = None
    parallel: bool = False
    query_factor: float = 1.0
    attention_after: Norm | None = None
    mlp_after: Norm | None = None
    shared_norm: bool = False
    wide_norm: bool = False
    scoring: Scoring = PLAIN
    residual_scale: float = 1.0


@dataclass(frozen=True, eq=False)
class InputParameters:
    """The tables whose rows sum to a token's first vector, with the norm and the projection after it, if any.

    `positions` is None for rotary positions. `scale` multiplies the rows of tokens.
    With `embedding_projection` the rows are narrower than a layer (`width` < `d_model`), and the normalised
    sum is mapped to its width.
    """

    tokens: Float[Tensor, "d_vocab width"]
    positions: Float[Tensor, "pos width"] | None
    segments: Float[Tensor, "segment width"] | None = None
    norm: Norm | None = None
    embedding_projection: Affine | None = None
    scale: float = 1.0


@runtime_checkable
class Unfolds(Protocol):
    """A network whose layers can be computed step by step."""

    def layer_parameters(self, layer: int) -> LayerParameters: ...
    def input_parameters(self) -> InputParameters: ...


if TYPE_CHECKING:

    class TransformerBlock(Protocol):
        """The attributes of a layer in the networks here."""

        @property
        def attention(self) -> SelfAttention: ...
        @property
        def attention_norm(self) -> nn.Module: ...
        @property
        def mlp(self) -> MLP: ...
        @property
        def mlp_norm(self) -> nn.Module: ...

else:  # a protocol cannot be checked at run time: since Python 3.12 it does not see a module's submodules
    TransformerBlock = nn.Module


def of_block(
    block: TransformerBlock,
    activation: str,
    norm_first: bool,
    causal: bool,
    rotary: Rotary | None = None,
    window: int | None = None,
) -> LayerParameters:
    """The parameters of one block, with its stacked matrices split."""
    attention, mlp = block.attention, block.mlp
    query, key, value = of_stacked(attention.qkv)
    gate, up = of_stacked(mlp.up) if isinstance(mlp.up, Stacked) else (None, of_linear(mlp.up))
    return LayerParameters(
        heads=attention.heads,
        norm_first=norm_first,
        causal=causal,
        activation=activation,
        query=query,
        key=key,
        value=value,
        output=of_linear(attention.output),
        attention_norm=_norm_or_none(block.attention_norm),
        up=up,
        down=of_linear(mlp.down),
        mlp_norm=_norm_or_none(block.mlp_norm),
        kv_heads=attention.kv_heads,
        d_head=attention.d_head,
        gate=gate,
        rotary=rotary,
        query_norm=_norm_or_none(attention.query_norm),
        key_norm=_norm_or_none(attention.key_norm),
        window=window,
        parallel=getattr(block, "parallel", False),
        query_factor=attention.query_factor,
        attention_after=_norm_or_none(getattr(block, "attention_after", None)),
        mlp_after=_norm_or_none(getattr(block, "mlp_after", None)),
        shared_norm=getattr(block, "shared_norm", False),
        wide_norm=attention.wide_norm,
        scoring=attention.scoring,
        residual_scale=getattr(block, "residual_scale", 1.0),
    )


def _norm_or_none(norm: nn.Module | None) -> Norm | None:
    return None if norm is None or isinstance(norm, nn.Identity) else of_norm(norm)


def of_crossing(cross: CrossAttention, norm: nn.LayerNorm) -> CrossParameters:
    """The parameters of cross-attention, with its stacked matrix of keys and values split."""
    key, value = of_stacked(cross.kv)
    return CrossParameters(of_linear(cross.queries), key, value, of_linear(cross.output), of_norm(norm))


def of_linear(linear: nn.Linear) -> Affine:
    """A linear map's parameters."""
    return Affine(as_computed(linear.weight).T, linear.bias)


def of_stacked(stacked: Stacked) -> list[Affine]:
    """The parameters of each of the stacked linear maps."""
    weights = as_computed(stacked.weight).split(stacked.widths)
    biases = [None] * len(weights) if stacked.bias is None else stacked.bias.split(stacked.widths)
    return [Affine(weight.T, bias) for weight, bias in zip(weights, biases, strict=True)]


def of_norm(norm: nn.Module) -> Norm:
    """A normalisation's parameters."""
    if isinstance(norm, nn.RMSNorm):
        assert norm.weight is not None and norm.eps is not None, "made with both"
        return Norm(norm.weight, None, norm.eps, rms=True)
    assert isinstance(norm, nn.LayerNorm)
    return Norm(norm.weight, norm.bias, norm.eps)
