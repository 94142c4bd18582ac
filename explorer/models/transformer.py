"""The pre-norm Transformer of GPT-2, Llama and similar families, mostly read left to right.

    ids -> tokens (+ learnt positions) -> N blocks -> final norm -> scores (tied to the embedding, or not)
    block:     x = x + attention(norm(x));  x = x + mlp(norm(x))
    parallel:  x = x + attention(norm(x)) + mlp(norm'(x))

A family's choices are in its `Design`; its file has the sizes, the choices, and the hub's names.
Pre-norm: Xiong et al., "On Layer Normalization in the Transformer Architecture" (ICML 2020). RMSNorm:
Zhang, Sennrich, "Root Mean Square Layer Normalization" (NeurIPS 2019).
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.cache import Cache
from explorer.models.family import Pass, Start, run_blocks
from explorer.models.layers import MLP, Heads, SelfAttention, edited, layer_list, vocabulary_scores
from explorer.models.parameters import InputParameters, LayerParameters, of_block
from explorer.models.rotary import Rotary, Rotation
from explorer.models.sizes import Sizes
from explorer.models.stepping import Step
from explorer.trace import Capture, Edit


@dataclass(frozen=True)
class Design:
    """The choices that make one pre-norm Transformer another. The defaults are GPT-2's.

    `rotary` rotates queries and keys; without it positions are a learnt table. `windows` has, for each
    layer, how many positions a token reads, itself included (None: all before it); without causality, how
    far to either side. `local_rotary` is for the layers with a window, if theirs differs.
    `divided` says whether scores are divided by the square root of d_head.
    """

    causal: bool = True
    rms: bool = False
    norm_bias: bool = True
    first_norm: bool = True  # whether the first layer's attention reads a normalised copy
    rotary: Rotary | None = None
    local_rotary: Rotary | None = None
    windows: tuple[int | None, ...] = ()
    qkv_bias: bool = True
    output_bias: bool = True
    mlp_bias: bool = True
    gated: bool = False
    head_norm: bool = False
    parallel: bool = False
    divided: bool = True

    def window(self, layer: int) -> int | None:
        """How far back (or to either side) a layer reads; None: everything."""
        return self.windows[layer] if self.windows else None

    def rotary_of(self, layer: int) -> Rotary | None:
        """The rotary positions of a layer; None if it has none."""
        local = self.window(layer) is not None and self.local_rotary is not None
        return self.local_rotary if local else self.rotary


@dataclass(frozen=True)
class TransformerConfig(Sizes):
    """Sizes, named as everywhere in this project; `design` is the family's.

    `kv_heads` and `d_head` follow from `heads` and `d_model` unless they are given.
    """

    positions: int = 1024
    activation: str = "gelu_new"
    kv_heads: int | None = None
    d_head: int | None = None

    def __post_init__(self) -> None:
        """Compute the sizes that follow from others."""
        if self.kv_heads is None:
            object.__setattr__(self, "kv_heads", self.heads)
        if self.d_head is None:
            object.__setattr__(self, "d_head", self.d_model // max(self.heads, 1))

    @property
    def design(self) -> Design:
        """The family's choices."""
        return Design()


def new_norm(config: TransformerConfig) -> nn.LayerNorm | nn.RMSNorm:
    """A normalisation of vectors of the model's width, of the design's kind."""
    if config.design.rms:
        return nn.RMSNorm(config.d_model, config.norm_eps)
    return nn.LayerNorm(config.d_model, config.norm_eps, bias=config.design.norm_bias)


class Block(nn.Module):
    """One layer: attention and an MLP, each reading the normalised residual stream (pre-norm)."""

    def __init__(self, config: TransformerConfig, layer: int) -> None:
        super().__init__()
        design = config.design
        self.attention_norm = new_norm(config) if layer or design.first_norm else nn.Identity()
        self.attention = SelfAttention(
            config.d_model,
            config.heads,
            config.kv_heads,
            config.d_head,
            design.qkv_bias,
            design.output_bias,
            config.norm_eps if design.head_norm else None,
            1.0 if design.divided else (config.d_head or 1) ** 0.5,
        )
        self.mlp_norm = new_norm(config)
        self.mlp = MLP(config.d_model, config.d_mlp, config.activation, design.gated, design.mlp_bias)
        self.parallel = design.parallel

    def forward(
        self,
        x: Tensor,
        allowed: Tensor | None,
        layer: int,
        keep: bool,
        edit: Edit | None,
        cache: Cache | None,
        rotation: Rotation | None,
    ) -> tuple[Tensor, Heads | None]:
        read = self.attention_norm(x)
        attended, heads = self.attention(read, allowed, layer, keep, edit, cache, rotation)
        after = x + attended
        update = self.mlp(self.mlp_norm(x if self.parallel else after))
        x = after + edited(edit, "mlp_output", layer, update)
        return edited(edit, "hidden", layer, x), heads


class Transformer(nn.Module):
    """The network; its head is the embedding matrix, unless the checkpoint has its own."""

    def __init__(self, config: TransformerConfig, heads: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.config, self.design = config, config.design
        self.causal = self.design.causal
        self.tokens = nn.Embedding(config.d_vocab, config.d_model)
        learnt = self.design.rotary is None
        self.positions = nn.Embedding(config.positions, config.d_model) if learnt else None
        self.blocks = layer_list(Block(config, layer) for layer in range(config.layers))
        self.norm = new_norm(config)
        if not config.tied:
            self.decoder = nn.Parameter(torch.zeros(config.d_vocab, config.d_model))

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
        cache: Cache | None = None,
        start: Start | None = None,
    ) -> Pass:
        """Run the network; with a `cache`, `ids` are only the positions not read yet.

        With a `start` only the layers from there on are run.

        `segments` are BERT's, and must be all 0 here; `mask` is False at padding, which is at the
        end of a row: there a causal network hides it from every real token in any case.
        """
        keep = Capture.ATTENTION in capture
        read = 0 if cache is None else cache.length
        first = 0 if cache is None else cache.length + cache.shift
        position_ids = torch.arange(first, first + ids.shape[1], device=ids.device)
        x = edited(edit, "embedding", 0, self.embed(ids, first, edit))
        rotaries = {self.design.rotary_of(layer) for layer in range(len(self.blocks))}
        rotations = {rotary: rotary and rotary.rotation(position_ids) for rotary in rotaries}
        windows = {self.design.window(layer) for layer in range(len(self.blocks))}
        allowed = {window: self.allowed(ids.shape[1], read, mask, window, ids.device) for window in windows}

        def run(block: Block, layer: int, x: Tensor) -> tuple[Tensor, Heads | None]:
            rotation, readable = rotations[self.design.rotary_of(layer)], allowed[self.design.window(layer)]
            output: tuple[Tensor, Heads | None] = block(x, readable, layer, keep, edit, cache, rotation)
            return output

        result = run_blocks(x, self.blocks, run, capture, self.unembed, start)
        if cache is not None:
            cache.length += ids.shape[1]
        return result

    def embed(
        self, ids: Int[Tensor, "batch pos"], first: int = 0, edit: Edit | None = None
    ) -> Float[Tensor, "batch pos d_model"]:
        """The input of the first layer, for tokens from position `first` of their texts on."""
        x: Tensor = self.tokens(ids)
        return x if self.positions is None else x + self.positions.weight[first : first + ids.shape[1]]

    def allowed(
        self,
        new: int,
        read: int,
        mask: Bool[Tensor, "batch pos"] | None,
        window: int | None,
        device: torch.device,
    ) -> Bool[Tensor, "#batch 1 #query_pos key_pos"] | None:
        """Which positions each of the `new` ones reads; `read` positions came before them. None: all."""
        if not self.causal:
            near = None
            if window is not None:
                position = torch.arange(new, device=device)
                near = ((position[:, None] - position).abs() <= window)[None, None]
            if mask is None:
                return near
            real = mask[:, None, None, :]
            # A padding position may have no real token in its window: it reads padding, since a row of the
            # pattern must not be empty.
            return real if near is None else (real | ~mask[:, None, :, None]) & near
        if new == 1 and (window is None or read < window):
            return None
        # Row r may look at everything read before, and at positions 0..r of the new ones.
        causal = torch.ones(new, read + new, dtype=torch.bool, device=device).tril(read)
        return (causal if window is None else causal.triu(read - window + 1))[None, None]

    def layer_parameters(self, layer: int) -> LayerParameters:
        """The parameters of one layer, by name."""
        return of_block(
            self.blocks[layer],
            self.config.activation,
            norm_first=True,
            causal=self.causal,
            rotary=self.design.rotary_of(layer),
            window=self.design.window(layer),
        )

    def input_parameters(self) -> InputParameters:
        """The tables; their sum is the input of the first layer."""
        return InputParameters(self.tokens.weight, None if self.positions is None else self.positions.weight)

    def final_norm(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_model"]:
        """The last layer's states as the head reads them."""
        normed: Tensor = self.norm(hidden)
        return normed

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary for the token that comes next."""
        return self.scores(self.norm(hidden))

    def scores(self, normed: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """The same from states that the final norm has read."""
        return vocabulary_scores(normed, self.output_matrix)

    @property
    def output_matrix(self) -> Float[Tensor, "d_vocab d_model"]:
        """The output vectors of the vocabulary, one per token."""
        matrix: Tensor = getattr(self, "decoder", self.tokens.weight)
        return matrix

    def new_cache(self, batch: int = 1, capacity: int | None = None) -> Cache:
        """An empty key/value cache for `batch` rows of up to `capacity` positions."""
        c, like = self.config, self.tokens.weight
        assert c.kv_heads and c.d_head, "settled by the configuration"
        return Cache(c.layers, batch, c.kv_heads, capacity or c.positions, c.d_head, like.dtype, like.device)

    def new_step(self) -> Step:
        """A fast way to read one more token of each of many texts (see `stepping`)."""
        return Step(self)
