"""The pre-norm Transformer of GPT-2, Llama and similar families, mostly read left to right.

    ids -> tokens (+ learnt positions) -> N blocks -> final norm -> scores (tied to the embedding, or not)
    block:     x = x + attention(norm(x));  x = x + mlp(norm(x))
    parallel:  x = x + attention(norm(x)) + mlp(norm'(x)), or with one norm for both
    after:     x = x + norm'(attention(norm(x))), or without the norm before; the MLP in the same way

A family's choices are in its `Design`; its file has the sizes, the choices, and the hub's names.
Pre-norm: Xiong et al., "On Layer Normalization in the Transformer Architecture" (ICML 2020). RMSNorm:
Zhang, Sennrich, "Root Mean Square Layer Normalization" (NeurIPS 2019).
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.cache import Cache
from explorer.models.family import LM_HEAD, Pass, Start, run_blocks
from explorer.models.layers import MLP, Heads, SelfAttention, edited, layer_list, vocabulary_scores
from explorer.models.parameters import InputParameters, LayerParameters, of_block, of_norm
from explorer.models.rotary import Rotary, Rotation
from explorer.models.scoring import Scoring, alibi_slopes, capped
from explorer.models.sizes import Sizes
from explorer.models.stored import Embedding
from explorer.models.text_tree import Reading
from explorer.trace import Capture, Edit


@dataclass(frozen=True)
class Design:
    """The choices that make one pre-norm Transformer another. The defaults are GPT-2's.

    `rotary` rotates queries and keys, in the layers that `rotated` says (() for all); `alibi` lowers scores
    with the distance; without either, positions are a learnt table, whose first `position_offset` rows are
    not used. `windows` has, for each layer, how many positions a token reads, itself included (None: all
    before it); without causality, how far to either side. `local_rotary` is for the layers with a window, if
    theirs differs.

    Norms: `norm_first` before attention and MLP, `norm_after` on what they give, before it is added; with
    `shared_norm` the MLP of a `parallel` block reads what attention reads. Without `norm_gain` they have no
    parameters. `head_norm` normalises queries and keys, head by head, or with `wide_norm` all heads' at once.

    Numbers: scores are multiplied by `score_scale` (None: one over the square root of d_head), token vectors
    by `embedding_scale`, what a block adds by `residual_scale`, logits by `logit_scale`; `score_cap` and
    `logit_cap` bound scores and logits.
    """

    causal: bool = True
    rms: bool = False
    norm_bias: bool = True
    norm_gain: bool = True
    norm_first: bool = True
    norm_after: bool = False
    shared_norm: bool = False
    first_norm: bool = True  # whether the first layer's attention reads a normalised copy
    embedding_norm: bool = False
    embedding_scale: float = 1.0
    rotary: Rotary | None = None
    local_rotary: Rotary | None = None
    rotated: tuple[bool, ...] = ()
    alibi: bool = False
    position_offset: int = 0
    windows: tuple[int | None, ...] = ()
    qkv_bias: bool = True
    output_bias: bool = True
    mlp_bias: bool = True
    gated: bool = False
    head_norm: bool = False
    wide_norm: bool = False
    parallel: bool = False
    score_scale: float | None = None
    score_cap: float | None = None
    residual_scale: float = 1.0
    decoder_bias: bool = False
    logit_scale: float = 1.0
    logit_cap: float | None = None

    def window(self, layer: int) -> int | None:
        """How far back (or to either side) a layer reads; None: everything."""
        return self.windows[layer] if self.windows else None

    def rotary_of(self, layer: int) -> Rotary | None:
        """The rotary positions of a layer; None if it has none."""
        if self.rotated and not self.rotated[layer]:
            return None
        local = self.window(layer) is not None and self.local_rotary is not None
        return self.local_rotary if local else self.rotary


@dataclass(frozen=True)
class TransformerConfig(Sizes):
    """Sizes, named as everywhere in this project; `design` is the family's.

    `kv_heads` and `d_head` follow from `heads` and `d_model` unless they are given. A network that is not
    `causal` reads both sides although its family reads left to right (LLM2Vec).
    """

    positions: int = 1024
    activation: str = "gelu_new"
    kv_heads: int | None = None
    d_head: int | None = None
    causal: bool = True

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
    design = config.design
    return nn.LayerNorm(config.d_model, config.norm_eps, design.norm_gain, bias=design.norm_bias)


class Block(nn.Module):
    """One layer: attention and an MLP, whose results are added to the residual stream."""

    def __init__(self, config: TransformerConfig, layer: int) -> None:
        super().__init__()
        design, d_head = config.design, config.d_head or 1
        first = design.norm_first and (layer > 0 or design.first_norm)
        self.attention_norm = new_norm(config) if first else nn.Identity()
        self.attention_after = new_norm(config) if design.norm_after else None
        slopes = alibi_slopes(config.heads) if design.alibi else None
        self.attention = SelfAttention(
            config.d_model,
            config.heads,
            config.kv_heads,
            config.d_head,
            design.qkv_bias,
            design.output_bias,
            config.norm_eps if design.head_norm else None,
            1.0 if design.score_scale is None else design.score_scale * d_head**0.5,
            design.wide_norm,
            Scoring(design.score_cap, slopes),
        )
        own = design.norm_first and not design.shared_norm
        self.mlp_norm = new_norm(config) if own else nn.Identity()
        self.mlp = MLP(config.d_model, config.d_mlp, config.activation, design.gated, design.mlp_bias)
        self.mlp_after = new_norm(config) if design.norm_after else None
        self.parallel, self.shared_norm = design.parallel, design.shared_norm
        self.residual_scale = design.residual_scale

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
        after = x + self._scaled(attended, self.attention_after)
        source = read if self.shared_norm else self.mlp_norm(x if self.parallel else after)
        update = edited(edit, "mlp_output", layer, self.mlp(source))
        x = after + self._scaled(update, self.mlp_after)
        return edited(edit, "hidden", layer, x), heads

    def _scaled(self, update: Tensor, norm: nn.Module | None) -> Tensor:
        """What is added of a sub-layer's result."""
        update = update if norm is None else norm(update)
        return update if self.residual_scale == 1.0 else update * self.residual_scale


class Transformer(nn.Module):
    """The network; its head is the embedding matrix, unless the checkpoint has its own or none."""

    def __init__(self, config: TransformerConfig, heads: frozenset[str] = frozenset({LM_HEAD})) -> None:
        super().__init__()
        self.config, self.design = config, config.design
        self.causal = self.design.causal and config.causal
        # ALiBi would take distances in a tree's row for those in a text.
        self.reads_trees = self.causal and not self.design.alibi
        self.tokens = Embedding(config.d_vocab, config.d_model)
        learnt, rows = self.design.rotary is None, config.positions + self.design.position_offset
        self.positions = Embedding(rows, config.d_model) if learnt and not self.design.alibi else None
        self.embedding_norm = new_norm(config) if self.design.embedding_norm else None
        self.blocks = layer_list(Block(config, layer) for layer in range(config.layers))
        self.norm = new_norm(config)
        self.decoder_bias: nn.Parameter | None = None
        if LM_HEAD in heads and not config.tied:
            self.decoder = nn.Parameter(torch.zeros(config.d_vocab, config.d_model))
        if LM_HEAD in heads and self.design.decoder_bias:
            self.decoder_bias = nn.Parameter(torch.zeros(config.d_vocab))

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
        cache: Cache | None = None,
        start: Start | None = None,
        tree: Reading | None = None,
    ) -> Pass:
        """Run the network; with a `cache`, `ids` are only the positions not read yet.

        With a `start` only the layers from there on are run. With a `tree`, `ids` are its row
        (of a network that `reads_trees`).

        `segments` are BERT's, and must be all 0 here; `mask` is False at padding, which is at the
        end of a row: there a causal network hides it from every real token in any case.
        """
        keep = Capture.ATTENTION in capture
        read = 0 if cache is None else cache.length
        first = 0 if cache is None else cache.length + cache.shift
        windows = {self.design.window(layer) for layer in range(len(self.blocks))}
        if tree is None:
            position_ids = torch.arange(first, first + ids.shape[1], device=ids.device)
            allowed = {
                window: self.allowed(ids.shape[1], read, mask, window, ids.device) for window in windows
            }
        else:
            position_ids, allowed = tree.positions, {window: tree.allowed(window) for window in windows}
        x = edited(edit, "embedding", 0, self.embed(ids, position_ids, edit))
        rotaries = {self.design.rotary_of(layer) for layer in range(len(self.blocks))}
        rotations = {rotary: rotary and rotary.rotation(position_ids) for rotary in rotaries}

        def run(block: Block, layer: int, x: Tensor) -> tuple[Tensor, Heads | None]:
            rotation, readable = rotations[self.design.rotary_of(layer)], allowed[self.design.window(layer)]
            output: tuple[Tensor, Heads | None] = block(x, readable, layer, keep, edit, cache, rotation)
            return output

        result = run_blocks(x, self.blocks, run, capture, self.unembed, start)
        if cache is not None:
            cache.length += ids.shape[1]
        return result

    def embed(
        self, ids: Int[Tensor, "batch pos"], position_ids: Int[Tensor, "pos"], edit: Edit | None = None
    ) -> Float[Tensor, "batch pos d_model"]:
        """The input of the first layer, for tokens at some positions of their texts."""
        x: Tensor = self.tokens(ids)
        if self.design.embedding_scale != 1.0:
            x = x * self.design.embedding_scale
        if self.positions is not None:
            x = x + self.positions.weight[position_ids + self.design.position_offset]
        if self.embedding_norm is None:
            return x
        normed: Tensor = self.embedding_norm(edited(edit, "embedding_sum", 0, x))
        return normed

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
        return InputParameters(
            self.tokens.weight,
            None if self.positions is None else self.positions.weight[self.design.position_offset :],
            norm=None if self.embedding_norm is None else of_norm(self.embedding_norm),
            scale=self.design.embedding_scale,
        )

    def final_norm(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_model"]:
        """The last layer's states as the head reads them."""
        normed: Tensor = self.norm(hidden)
        return normed

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary for the token that comes next."""
        return self.scores(self.norm(hidden))

    def scores(self, normed: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """The same from states that the final norm has read."""
        return self.bounded(vocabulary_scores(normed, self.output_matrix, self.decoder_bias))

    def bounded(self, logits: Float[Tensor, "*pos d_vocab"]) -> Float[Tensor, "*pos d_vocab"]:
        """Logits with the design's scale and cap."""
        scale = self.design.logit_scale
        return capped(logits if scale == 1.0 else logits * scale, self.design.logit_cap)

    @property
    def output_matrix(self) -> Float[Tensor, "d_vocab d_model"]:
        """The output vectors of the vocabulary, one per token."""
        matrix: Tensor = getattr(self, "decoder", self.tokens.weight)
        return matrix

    def new_cache(self, batch: int = 1, capacity: int | None = None) -> Cache:
        """An empty key/value cache for `batch` rows of up to `capacity` positions."""
        c, like = self.config, self.tokens.weight
        assert c.kv_heads and c.d_head, "settled by the configuration"
        dtype = torch.promote_types(like.dtype, torch.float32)
        return Cache(c.layers, batch, c.kv_heads, capacity or c.positions, c.d_head, dtype, like.device)
