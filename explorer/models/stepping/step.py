"""One step of a left-to-right Transformer: the next tokens of many texts, in one pass over the weights.

All rows share the products with the weights, which take most of the time; each row attends over its
own text (`cached_attention`): selective batching (Yu et al., "Orca", OSDI 2022). The order of summation
depends on the number of rows: a text read among others differs from the same text read alone by
rounding, about one part in a million.

It computes what `Transformer.forward` computes, with fewer and plainer calls: for a single row of a small
model the calls take as long as the computation.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.cache import Cache
from explorer.models.layers import ACTIVATIONS
from explorer.models.rotary import Rotation, rotate
from explorer.models.scoring import PLAIN
from explorer.models.stepping.cached_attention import BatchCache, Sequential, SingleToken
from explorer.models.stepping.product import Product, use_grids
from explorer.models.stored import as_computed
from explorer.models.transformer import Transformer

Function = Callable[[Tensor], Tensor]
Addition = tuple[int, Tensor]  # a layer (0: the embedding), and what is added to the states after it


class LayerStep(NamedTuple):
    """A layer's modules, looked up once: for a single row the look-up takes as long as the computation."""

    attention_norm: Function
    qkv: Product
    head_norms: tuple[Function, Function] | None
    output: Product
    attention_after: Function | None
    mlp_norm: Function
    up: Product
    down: Product
    mlp_after: Function | None


class Step:
    """Reads the next tokens of texts with one network, whose weights may change in place."""

    def __init__(self, network: Transformer) -> None:
        self.network, self.design = network, network.design
        self._layers = [
            LayerStep(
                _norm(block.attention_norm),
                Product(block.attention.qkv.weight, block.attention.qkv.bias),
                _head_norms(block.attention.query_norm, block.attention.key_norm),
                Product(block.attention.output.weight, block.attention.output.bias),
                block.attention_after and _norm(block.attention_after),
                _norm(block.mlp_norm),
                Product(block.mlp.up.weight, block.mlp.up.bias),
                Product(block.mlp.down.weight, block.mlp.down.bias),
                block.mlp_after and _norm(block.mlp_after),
            )
            for block in network.blocks
        ]
        self._last_norm = _norm(network.norm)
        self._scores = Product(network.output_matrix, network.decoder_bias)
        self._scoring = network.blocks[0].attention.scoring if len(network.blocks) else PLAIN
        self._batch = BatchCache(self.design.windows, self._scoring)
        self._activation = ACTIVATIONS[network.config.activation]
        self._rotaries = {self.design.rotary_of(layer) for layer in range(len(self._layers))}

    def __call__(
        self,
        pieces: Sequence[Sequence[int]],
        caches: Sequence[Cache],
        additions: Sequence[Sequence[Addition]] = (),
    ) -> Float[Tensor, "token d_model"]:
        """Read the next tokens of each text; the last layer's states, normalised, text after text.

        `additions` are those of each text, at all of its tokens. The caches hold the new rows, but the caller
        must advance their `length`. Raises IndexError if a cache has no room, before anything is written.
        """
        counts = [len(piece) for piece in pieces]
        for cache, count in zip(caches, counts, strict=True):
            if cache.length + count > cache.memory.shape[-2]:
                raise IndexError(f"A cache has no room for position {cache.length + count - 1}.")
        windows, scoring, order = self.design.windows, self._scoring, []
        if counts == [1]:
            attention: SingleToken | Sequential | BatchCache = SingleToken(caches[0], windows, scoring)
        elif max(counts) == 1 and BatchCache.can_batch(caches):
            attention = self._batch
            order = self._batch.arrange(caches)
            pieces, caches = [pieces[i] for i in order], [caches[i] for i in order]
            additions = [additions[i] for i in order] if additions else ()
        else:
            attention = Sequential(caches, counts, windows, scoring)
        ids = [id for piece in pieces for id in piece]
        position_ids = [
            cache.length + cache.shift + i for cache, piece in zip(caches, pieces) for i in range(len(piece))
        ]
        states = self._read(ids, position_ids, attention, _by_layer(pieces, additions))
        if order:
            self._batch.write_back()
            states = states[sorted(range(len(order)), key=order.__getitem__)]  # in the caller's order
        return states

    def scores(self, states: Float[Tensor, "batch d_model"]) -> Float[Tensor, "batch d_vocab"]:
        """The scores of normalised states."""
        return self.network.bounded(self._scores(states)).float()

    @property
    def packing(self) -> tuple[list[int], int, int] | None:
        """If grids are used: the bits of a weight, and the bytes that a token reads with them and without."""
        grids = [product.grid for product in self._products if product.grid]
        packed = sum(array.nbytes for grid in grids for array in grid[2:])
        complete = len(grids) == len(self._products)
        return (sorted({grid.bits for grid in grids}), packed, self.weight_bytes) if complete else None

    @property
    def weight_bytes(self) -> int:
        """The bytes of all weights that a token reads, as they are stored."""
        return sum(product.weight.nbytes for product in self._products)

    def use_grids(self) -> None:
        """Make steps of a few texts faster, if the weights lie on grids; takes a few seconds."""
        use_grids(self._products)

    @property
    def _products(self) -> list[Product]:
        layers = [[part.up, part.down, part.qkv, part.output] for part in self._layers]
        return [product for layer in layers for product in layer] + [self._scores]

    def _read(
        self,
        ids: list[int],
        position_ids: list[int],
        attention: SingleToken | Sequential | BatchCache,
        additions: dict[int, list[tuple[slice, Tensor]]],
    ) -> Float[Tensor, "token d_model"]:
        network, design, gated, parallel = self.network, self.design, self.design.gated, self.design.parallel
        heads, kv_heads, d_head = network.config.heads, network.config.kv_heads, network.config.d_head
        assert kv_heads and d_head, "settled by the configuration"
        factor = 1.0 if design.score_scale is None else design.score_scale * d_head**0.5
        scale, wide = design.residual_scale, design.wide_norm
        asking, n, activation = heads * d_head, len(ids), self._activation
        rows = torch.tensor([ids, position_ids], device=network.tokens.weight.device)
        x = as_computed(torch.embedding(network.tokens.weight, rows[0]))
        if design.embedding_scale != 1.0:
            x *= design.embedding_scale
        if network.positions is not None:
            x += torch.embedding(network.positions.weight, rows[1] + design.position_offset)
        if network.embedding_norm is not None:
            x = network.embedding_norm(x)
        for own, vector in additions.get(0, ()):
            x[own] += vector
        turns = {rotary: rotary and _by_row(rotary.rotation(rows[1])) for rotary in self._rotaries}
        for layer, part in enumerate(self._layers):
            normed = part.attention_norm(x)
            projected = part.qkv(normed)
            rotation = turns[design.rotary_of(layer)]
            if part.head_norms or rotation:
                compared = projected[:, : asking + kv_heads * d_head]
                if part.head_norms and wide:
                    query_norm, key_norm = part.head_norms
                    compared = torch.cat(
                        [query_norm(compared[:, :asking]), key_norm(compared[:, asking:])], 1
                    )
                compared = compared.view(n, heads + kv_heads, d_head)
                if part.head_norms and not wide:
                    query_norm, key_norm = part.head_norms
                    compared = torch.cat([query_norm(compared[:, :heads]), key_norm(compared[:, heads:])], 1)
                if rotation:
                    compared = rotate(compared, rotation)
                projected[:, : asking + kv_heads * d_head] = compared.view(n, -1)
            queries = projected[:, :asking].view(n, heads, d_head)
            if factor != 1.0:
                queries = queries * factor
            keys_values = projected[:, asking:].view(n, 2, kv_heads, d_head)
            read = None
            if parallel:
                read = normed if design.shared_norm else part.mlp_norm(x)
            attended = part.output(attention.attend(layer, queries, keys_values))
            if part.attention_after:
                attended = part.attention_after(attended)
            x.add_(attended, alpha=scale)
            hidden = part.up(part.mlp_norm(x) if read is None else read)
            if gated:
                gate, hidden = hidden.chunk(2, -1)
                hidden = activation(gate).mul_(hidden)
            else:
                hidden = activation(hidden)
            update = part.down(hidden)
            if part.mlp_after:
                update = part.mlp_after(update)
            x.add_(update, alpha=scale)
            for own, vector in additions.get(layer + 1, ()):
                x[own] += vector
        return self._last_norm(x)


def _by_layer(
    pieces: Sequence[Sequence[int]], additions: Sequence[Sequence[Addition]]
) -> dict[int, list[tuple[slice, Tensor]]]:
    """What is added after each layer, with the rows of its text."""
    layers: dict[int, list[tuple[slice, Tensor]]] = {}
    start = 0
    for piece, own in zip(pieces, additions):
        for layer, vector in own:
            layers.setdefault(layer, []).append((slice(start, start + len(piece)), vector))
        start += len(piece)
    return layers


def _by_row(rotation: Rotation) -> Rotation:
    """Angles for rows that hold several heads each."""
    return Rotation(rotation.cos[:, None], rotation.sin[:, None])


def _norm(norm: nn.Module) -> Function:
    """A normalisation as one plain call: calling the module takes twice as long for a single row."""
    if isinstance(norm, nn.LayerNorm):
        shape, weight, bias, eps = norm.normalized_shape, norm.weight, norm.bias, norm.eps
        return lambda x: torch.layer_norm(x, shape, weight, bias, eps)
    if isinstance(norm, nn.RMSNorm):
        size, gain, least = list(norm.normalized_shape), norm.weight, norm.eps
        return lambda x: torch.rms_norm(x, size, gain, least)
    return norm


def _head_norms(query: nn.Module | None, key: nn.Module | None) -> tuple[Function, Function] | None:
    return None if query is None or key is None else (_norm(query), _norm(key))
