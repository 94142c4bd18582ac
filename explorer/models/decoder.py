"""The decoder layer that reads an encoder: cross-attention, the block, and the cache for generation."""

import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.cache import Cache
from explorer.models.layers import MLP, Heads, SelfAttention, Stacked, attend, edited, learning_on_cpu
from explorer.trace import Edit

PREFIX = "cross_"  # of site names, to tell them from those of self-attention


class CrossAttention(nn.Module):
    """Multi-head attention of a decoder to an encoder's states (Vaswani et al. 2017, section 3.2.3)."""

    def __init__(self, d_model: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(d_model, d_model)
        self.kv = Stacked(d_model, [d_model, d_model])
        self.output = nn.Linear(d_model, d_model)

    def read(
        self, source: Float[Tensor, "batch source_pos d_model"]
    ) -> tuple[Float[Tensor, "batch head source_pos d_head"], Float[Tensor, "batch head source_pos d_head"]]:
        """The keys and values of a source, computed once for all tokens that are then written."""
        batch, length, d_model = source.shape
        projected = self.kv(source).view(batch, length, 2, self.heads, d_model // self.heads)
        keys, values = projected.permute(2, 0, 3, 1, 4).unbind(0)
        return keys, values

    def forward(
        self,
        x: Float[Tensor, "batch pos d_model"],
        keys: Float[Tensor, "batch head source_pos d_head"],
        values: Float[Tensor, "batch head source_pos d_head"],
        allowed: Bool[Tensor, "#batch 1 1 source_pos"] | None,
        layer: int,
        keep: bool,
        edit: Edit | None = None,
    ) -> tuple[Float[Tensor, "batch pos d_model"], Heads | None]:
        """Attention to the source; with `keep`, also the activations of every head."""
        batch, length, d_model = x.shape
        queries = self.queries(x).view(batch, length, self.heads, -1).transpose(1, 2)
        edit = None if edit is None else _across(edit)
        queries, keys, values = (
            edited(edit, site, layer, tensor)
            for site, tensor in (("queries", queries), ("keys", keys), ("values", values))
        )
        heads = None
        if keep or edit is not None or learning_on_cpu(x):
            mixed, pattern = attend(queries, keys, values, allowed, edit, layer)
            mixed = edited(edit, "head_output", layer, mixed)
            heads = Heads(queries, keys, values, pattern) if keep else None
        else:
            mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed)
        merged = mixed.transpose(1, 2).reshape(batch, length, d_model)
        return edited(edit, "attention_output", layer, self.output(merged)), heads


class DecoderBlock(nn.Module):
    """One layer: self-attention, attention to the source, the MLP; each added, then normalised."""

    def __init__(self, d_model: int, heads: int, d_mlp: int, activation: str, norm_eps: float) -> None:
        super().__init__()
        self.attention = SelfAttention(d_model, heads)
        self.attention_norm = nn.LayerNorm(d_model, norm_eps)
        self.cross = CrossAttention(d_model, heads)
        self.cross_norm = nn.LayerNorm(d_model, norm_eps)
        self.mlp = MLP(d_model, d_mlp, activation)
        self.mlp_norm = nn.LayerNorm(d_model, norm_eps)

    def forward(
        self,
        x: Tensor,
        across: tuple[Tensor, Tensor],
        allowed: Tensor | None,
        readable: Tensor | None,
        layer: int,
        keep: bool,
        edit: Edit | None,
        cache: Cache | None,
    ) -> tuple[Tensor, Heads | None, Heads | None]:
        attended, own = self.attention(x, allowed, layer, keep, edit, cache)
        x = self.attention_norm(x + attended)
        read, crossed = self.cross(x, *across, readable, layer, keep, edit)
        x = self.cross_norm(x + read)
        x = self.mlp_norm(x + edited(edit, "mlp_output", layer, self.mlp(x)))
        return edited(edit, "hidden", layer, x), own, crossed


class DecoderCache:
    """Keys and values of a source and of the target tokens written so far, for some rows.

    `across` holds those of the source for each layer, `own` those of the target.
    """

    def __init__(self, across: list[tuple[Tensor, Tensor]], own: Cache, mask: Tensor | None) -> None:
        self.across, self.own, self.mask = across, own, mask

    def keep(self, rows: Int[Tensor, "row"]) -> None:
        """Select rows, in this order: some hypotheses continue twice, others not at all."""
        self.across = [(keys[rows], values[rows]) for keys, values in self.across]
        self.mask = None if self.mask is None else self.mask[rows]
        self.own.memory = self.own.memory[:, :, rows]
        self.own.contents = object()


def _across(edit: Edit) -> Edit:
    """The same edit, called with the sites of cross-attention."""
    return lambda site, layer, tensor: edit(PREFIX + site, layer, tensor)
