"""Marian: the Transformer of "Attention Is All You Need", an encoder and a decoder, for translation.

Paper: Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin, "Attention Is All You
Need" (NeurIPS 2017). Reference code: Marian NMT (Junczys-Dowmunt et al., ACL 2018), as the checkpoints
of OPUS-MT have it in `transformers`, models/marian.

    source ids -> tokens x sqrt(d_model) + sinusoids -> N encoder blocks -> source states
    target ids -> tokens x sqrt(d_model) + sinusoids -> M decoder blocks, reading the source states too
    encoder block:  x = LayerNorm(x + attention(x));  x = LayerNorm(x + mlp(x))           (as BERT's)
    decoder block:  the same, and between the two     x = LayerNorm(x + attention(x, source states))
    head:           states -> scores, by the one embedding of source, target and output, plus a bias
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.cache import Cache
from explorer.models.decoder import DecoderBlock, DecoderCache
from explorer.models.encoder import Block, EncoderConfig
from explorer.models.family import Pass, run_blocks
from explorer.models.layers import Heads, edited, layer_list, vocabulary_scores
from explorer.models.parameters import InputParameters, LayerParameters, of_block, of_crossing
from explorer.trace import Capture, Edit


@dataclass(frozen=True)
class MarianConfig:
    """Sizes and choices, named as everywhere in this project; those without `decoder` are the encoder's.

    `padding` is the token that no translation may contain, and `start` the one before each translation.
    """

    d_vocab: int
    padding: int
    start: int
    d_model: int = 512
    layers: int = 6
    heads: int = 8
    d_mlp: int = 2048
    decoder_layers: int = 6
    decoder_heads: int = 8
    d_decoder_mlp: int = 2048
    positions: int = 512
    activation: str = "swish"
    norm_eps: float = 1e-5
    scaled: bool = True


@dataclass(frozen=True, eq=False)
class DecoderPass(Pass):
    """A pass of the decoder: `heads` are those of its self-attention, `cross` those that read the source."""

    cross: list[Heads] | None = None


class Marian(nn.Module):
    """The encoder, which is what a call runs, and the decoder."""

    bias: Tensor
    causal = False  # of the encoder, which is what a call runs

    def __init__(self, config: MarianConfig, heads: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.config = c = config
        self.tokens = nn.Embedding(config.d_vocab, config.d_model)
        as_bert = EncoderConfig(
            c.d_vocab, c.d_model, c.layers, c.heads, c.d_mlp, activation=c.activation, norm_eps=c.norm_eps
        )
        self.blocks = layer_list(Block(as_bert) for _ in range(c.layers))
        self.decoder = layer_list(
            DecoderBlock(c.d_model, c.decoder_heads, c.d_decoder_mlp, c.activation, c.norm_eps)
            for _ in range(c.decoder_layers)
        )
        self.register_buffer("bias", torch.zeros(1, config.d_vocab))

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
    ) -> Pass:
        """Run the encoder; `mask` is False at padding. `segments` are BERT's, and must be all 0 here."""
        keep = Capture.ATTENTION in capture
        allowed = None if mask is None else mask[:, None, None, :]
        x = edited(edit, "embedding", 0, self.embedded(ids))
        return run_blocks(
            x, self.blocks, lambda block, layer, x: block(x, allowed, layer, keep, edit), capture
        )

    def decode(
        self,
        ids: Int[Tensor, "batch pos"],
        source: Float[Tensor, "batch source_pos d_model"] | None = None,
        mask: Bool[Tensor, "batch source_pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
        cache: DecoderCache | None = None,
    ) -> DecoderPass:
        """Run the decoder on target tokens, given the encoder's states; `mask` is False at their padding.

        With a `cache` (see `new_cache`) the source is known, and `ids` are only the tokens not read yet.
        Padding is at the end of a row, where the causal mask hides it. The sites of `edit` are the
        encoder's, and those of cross-attention have `cross_` before their names.
        """
        keep = Capture.ATTENTION in capture
        if cache is None:
            assert source is not None, "a pass without a cache reads the source"
            across, own = self._across(source), None
        else:
            across, own, mask = cache.across, cache.own, cache.mask
        past, length = own.length if own else 0, ids.shape[1]
        readable = None if mask is None else mask[:, None, None, :]
        causal = torch.ones(length, past + length, dtype=torch.bool, device=ids.device).tril(diagonal=past)
        allowed = causal[None, None] if length > 1 else None
        x = edited(edit, "embedding", 0, self.embedded(ids, past))
        hidden_states, heads, cross = [x], [], []
        for layer, block in enumerate(self.decoder):
            x, own_heads, crossed = block(x, across[layer], allowed, readable, layer, keep, edit, own)
            hidden_states.append(x)
            heads.append(own_heads)
            cross.append(crossed)
        if own is not None:
            own.length += length
        return DecoderPass(
            last=x,
            hidden_states=hidden_states if Capture.HIDDEN in capture else None,
            heads=heads if keep else None,
            cross=cross if keep else None,
            logits=self.unembed(x) if Capture.LOGITS in capture else None,
        )

    def embedded(self, ids: Int[Tensor, "batch pos"], before: int = 0) -> Float[Tensor, "batch pos d_model"]:
        """The sum of token and position vectors; `before` positions come before these."""
        x: Tensor = self.tokens(ids)
        if self.config.scaled:
            x = x * math.sqrt(self.config.d_model)
        positions = sinusoids(self.config.positions, self.config.d_model)[before : before + ids.shape[1]]
        return x + positions.to(x)

    def layer_parameters(self, layer: int) -> LayerParameters:
        """The parameters of one layer of the encoder, by name."""
        return of_block(self.blocks[layer], self.config.activation, norm_first=False, causal=False)

    def decoder_parameters(self, layer: int) -> LayerParameters:
        """The parameters of one layer of the decoder, by name."""
        block = self.decoder[layer]
        assert isinstance(block, DecoderBlock)
        own = of_block(block, self.config.activation, norm_first=False, causal=True)
        return replace(own, cross=of_crossing(block.cross, block.cross_norm))

    def input_parameters(self) -> InputParameters:
        """The table of tokens, scaled if the model does that, and the computed one of positions."""
        scale = math.sqrt(self.config.d_model) if self.config.scaled else 1.0
        positions = sinusoids(self.config.positions, self.config.d_model)
        return InputParameters(self.tokens.weight * scale, positions)

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary for the target token that comes next."""
        return vocabulary_scores(hidden, self.tokens.weight, self.bias[0])

    def new_cache(
        self,
        source: Float[Tensor, "batch source_pos d_model"],
        mask: Bool[Tensor, "batch source_pos"] | None = None,
        capacity: int | None = None,
    ) -> DecoderCache:
        """A cache with a source and no target tokens yet, and room for `capacity` of them."""
        c = self.config
        room, d_head = capacity or c.positions, c.d_model // c.decoder_heads
        own = Cache(c.decoder_layers, len(source), c.decoder_heads, room, d_head, source.dtype)
        return DecoderCache(self._across(source), own, mask)

    def _across(self, source: Tensor) -> list[tuple[Tensor, Tensor]]:
        return [block.cross.read(source) for block in self.decoder]


@lru_cache(maxsize=4)
def sinusoids(length: int, d_model: int) -> Float[Tensor, "length d_model"]:
    """The positions' vectors: all sines, then all cosines, of pos / 10000^(2i / d_model).

    The paper interleaves the two, Marian does not. The order of dimensions makes no difference to
    attention.
    """
    position = torch.arange(length, dtype=torch.float64)[:, None]
    half = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = position / torch.pow(torch.tensor(10000.0, dtype=torch.float64), half / d_model)
    return torch.cat([angles.sin(), angles[:, : d_model // 2].cos()], dim=1).float()
