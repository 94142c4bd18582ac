"""The encoder of BERT and similar models; each family adds its own names and what differs.

    ids -> tokens + positions (+ segments) -> LayerNorm (-> dense) -> N blocks -> hidden states
    block:  x = LayerNorm(x + attention(x));  x = LayerNorm(x + mlp(x))
    mlm_head:  hidden -> dense, activation, LayerNorm -> scores over the vocabulary

The dense map is there if a token's vector is narrower than a layer (ALBERT, small ELECTRAs).
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.family import Pass, Start, run_blocks
from explorer.models.layers import (
    ACTIVATIONS,
    MLP,
    Heads,
    SelfAttention,
    edited,
    layer_list,
    vectors_at,
    vocabulary_scores,
)
from explorer.models.parameters import InputParameters, LayerParameters, of_block, of_linear, of_norm
from explorer.models.sizes import Sizes
from explorer.models.stored import Embedding
from explorer.models.transformer import TransformerConfig
from explorer.trace import Capture, Edit


@dataclass(frozen=True)
class EncoderConfig(Sizes):
    """Sizes and choices, named as everywhere in this project."""

    norm_eps: float = 1e-12

    @property
    def width(self) -> int:
        """How many numbers a token's vector has: as many as a layer's, unless the family says otherwise."""
        return self.d_model


class Block(nn.Module):
    """One layer: attention, then the MLP, each added to its input and then normalised (post-norm)."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.attention = SelfAttention(config.d_model, config.heads)
        self.attention_norm = nn.LayerNorm(config.d_model, config.norm_eps)
        self.mlp = MLP(config.d_model, config.d_mlp, config.activation)
        self.mlp_norm = nn.LayerNorm(config.d_model, config.norm_eps)

    def forward(
        self, x: Tensor, allowed: Tensor | None, layer: int, keep: bool, edit: Edit | None
    ) -> tuple[Tensor, Heads | None]:
        attended, heads = self.attention(x, allowed, layer, keep, edit)
        x = self.attention_norm(x + attended)
        x = self.mlp_norm(x + edited(edit, "mlp_output", layer, self.mlp(x)))
        return edited(edit, "hidden", layer, x), heads

    def at(
        self,
        x: Float[Tensor, "batch pos d_model"],
        allowed: Tensor | None,
        positions: Int[Tensor, "batch query_pos"],
    ) -> Float[Tensor, "batch query_pos d_model"]:
        """The layer's output at some positions only, which read from all positions."""
        here = vectors_at(x, positions)
        here = self.attention_norm(here + self.attention.at(here, x, allowed))
        output: Tensor = self.mlp_norm(here + self.mlp(here))
        return output


class MlmHead(nn.Module):
    """The masked-word head; its decoder is the embedding matrix, unless the checkpoint has its own."""

    def __init__(
        self, config: EncoderConfig | TransformerConfig, activation: str, biases: bool = True
    ) -> None:
        super().__init__()
        width = config.width if isinstance(config, EncoderConfig) else config.d_model
        self.dense = nn.Linear(config.d_model, width, biases)
        self.norm = nn.LayerNorm(width, config.norm_eps, bias=biases)
        self.bias = nn.Parameter(torch.zeros(config.d_vocab))
        self.activation = ACTIVATIONS[activation]
        if not config.tied:
            self.decoder = nn.Parameter(torch.zeros(config.d_vocab, width))

    def state(self, hidden: Tensor) -> Tensor:
        """The vector that is compared with every token's."""
        state: Tensor = self.norm(self.activation(self.dense(hidden)))
        return state

    def vectors(self, embedding: Tensor) -> Tensor:
        """Every token's vector: those of the embedding, or the checkpoint's own."""
        return getattr(self, "decoder", embedding)

    def forward(self, hidden: Tensor, embedding: Tensor) -> Tensor:
        return vocabulary_scores(self.state(hidden), self.vectors(embedding), self.bias)


class Encoder(nn.Module):
    """Embedding, blocks, and those of the masked-word head and the pooler that are among `heads`."""

    memory_efficient = True  # `forward` takes `at`
    causal = False
    mlm_activation: str | None = None  # None: that of the layers

    def __init__(self, config: EncoderConfig, heads: frozenset[str]) -> None:
        super().__init__()
        self.config = config
        self.tokens = Embedding(config.d_vocab, config.width)
        self.positions = nn.Embedding(config.positions, config.width)
        segments = getattr(config, "segments", 0)
        self.segments = nn.Embedding(segments, config.width) if segments else None
        self.norm = nn.LayerNorm(config.width, config.norm_eps)
        has_projection = config.width != config.d_model
        self.embedding_projection = nn.Linear(config.width, config.d_model) if has_projection else None
        self.blocks = layer_list(Block(config) for _ in range(config.layers))
        activation = self.mlm_activation or config.activation
        self.mlm_head = MlmHead(config, activation) if "mlm_head" in heads else None
        self.pooler = nn.Linear(config.d_model, config.d_model) if "pooler" in heads else None

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
        at: Int[Tensor, "batch query_pos"] | None = None,
        start: Start | None = None,
    ) -> Pass:
        """Run the encoder; `mask` is False at padding. With a `start` only the layers from there on are run.

        With `at`, hidden states are those of these positions, and the last layer is computed there only.
        """
        keep = Capture.ATTENTION in capture
        allowed = self.allowed(ids, mask)
        x = self.tokens(ids) + self.position_vectors()[: ids.shape[1]]
        if self.segments is not None:
            x = x + self.segments(torch.zeros_like(ids) if segments is None else segments)
        x = self.norm(edited(edit, "embedding_sum", 0, x))
        x = x if self.embedding_projection is None else self.embedding_projection(x)
        x = edited(edit, "embedding", 0, x)
        if at is not None:
            return self._at(x, allowed, at)

        return run_blocks(
            x,
            self.blocks,
            lambda block, layer, x: block(x, allowed, layer, keep, edit),
            capture,
            self.unembed,
            start,
        )

    def allowed(
        self, ids: Int[Tensor, "batch pos"], mask: Bool[Tensor, "batch pos"] | None
    ) -> Bool[Tensor, "#batch 1 #query_pos pos"] | None:
        """Which positions each one reads: all except padding. None: all."""
        return None if mask is None else mask[:, None, None, :]

    def _at(self, x: Tensor, allowed: Tensor | None, positions: Int[Tensor, "batch query_pos"]) -> Pass:
        """The hidden states at some positions, given the embedding's."""
        states = [vectors_at(x, positions)]
        *lower, last = self.blocks
        for layer, block in enumerate(lower):
            x, _ = block(x, allowed, layer, False, None)
            states.append(vectors_at(x, positions))
        states.append(last.at(x, allowed, positions))
        return Pass(last=states[-1], hidden_states=states)

    def position_vectors(self) -> Float[Tensor, "pos width"]:
        """The vectors of the first, the second, ... position of a text."""
        return self.positions.weight

    def pair_scores(
        self, head: nn.Linear | None, hidden: Float[Tensor, "batch pos d_model"]
    ) -> Float[Tensor, "batch 2"]:
        """A head's two scores for a pair of texts, from the pooled state of the first token."""
        assert head is not None and self.pooler is not None, "a model with the ability has the weights"
        scores: Tensor = head(torch.tanh(self.pooler(hidden[:, 0])))
        return scores

    def layer_parameters(self, layer: int) -> LayerParameters:
        """The parameters of one layer, by name."""
        return of_block(self.blocks[layer], self.config.activation, norm_first=False, causal=False)

    def input_parameters(self) -> InputParameters:
        """The tables, the norm of their sum, and the map to the width of a layer, if there is one."""
        projection = self.embedding_projection
        return InputParameters(
            self.tokens.weight,
            self.position_vectors(),
            None if self.segments is None else self.segments.weight,
            norm=of_norm(self.norm),
            embedding_projection=None if projection is None else of_linear(projection),
        )

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary for the word that stood at each position."""
        return self.scores(hidden)

    def scores(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """The same: there is no norm between the last layer and the head."""
        assert self.mlm_head is not None, "a model with the ability has the weights"
        scores: Tensor = self.mlm_head(hidden, self.tokens.weight)
        return scores
