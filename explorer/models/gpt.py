"""GPT-2: a left-to-right Transformer decoder that predicts the next token.

Paper: Radford, Wu, Child, Luan, Amodei, Sutskever, "Language Models are Unsupervised Multitask
Learners" (2019). Reference code: openai/gpt-2, src/model.py.

    ids -> tokens + learned positions -> N blocks -> LayerNorm -> scores (tied to the embedding)
    block:  x = x + attention(LayerNorm(x));  x = x + mlp(LayerNorm(x))
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.family import Family, Pass, Rule, register
from explorer.models.layers import MLP, Cache, Heads, SelfAttention, edited, stack, vocabulary_scores
from explorer.models.parameters import InputParameters, LayerParameters, of_block
from explorer.trace import Ability, Capture, Edit


@dataclass(frozen=True)
class GptConfig:
    """Sizes and choices, named as everywhere in this project."""

    d_vocab: int
    d_model: int = 768
    layers: int = 12
    heads: int = 12
    d_mlp: int = 3072
    positions: int = 1024
    activation: str = "gelu_new"
    norm_eps: float = 1e-5
    tied: bool = True


class Block(nn.Module):
    """One layer: attention, then the MLP, each reading a normalised copy of the stream (pre-norm)."""

    def __init__(self, config: GptConfig) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.d_model, config.norm_eps)
        self.attention = SelfAttention(config.d_model, config.heads)
        self.mlp_norm = nn.LayerNorm(config.d_model, config.norm_eps)
        self.mlp = MLP(config.d_model, config.d_mlp, config.activation)

    def forward(
        self,
        x: Tensor,
        allowed: Tensor | None,
        layer: int,
        keep: bool,
        edit: Edit | None,
        cache: Cache | None,
    ) -> tuple[Tensor, Heads | None]:
        attended, heads = self.attention(self.attention_norm(x), allowed, layer, keep, edit, cache)
        x = x + attended
        x = x + edited(edit, "mlp_output", layer, self.mlp(self.mlp_norm(x)))
        return edited(edit, "hidden", layer, x), heads


class Gpt(nn.Module):
    """The decoder; its head is the embedding matrix, unless the checkpoint has its own."""

    def __init__(self, config: GptConfig, parts: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.d_vocab, config.d_model)
        self.positions = nn.Embedding(config.positions, config.d_model)
        self.blocks = stack(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.d_model, config.norm_eps)
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
    ) -> Pass:
        """Run the decoder; with a `cache`, `ids` are only the positions not read yet.

        `segments` exist for BERT's sake and must be all 0; padding stands at the end of a row,
        where the causal mask already hides it from every real token.
        """
        keep = Capture.ATTENTION in capture
        read = 0 if cache is None else cache.length
        first = 0 if cache is None else cache.length + cache.shift
        length = ids.shape[1]
        x = self.tokens(ids) + self.positions.weight[first : first + length]
        x = edited(edit, "embedding", 0, x)
        # Row r may look at everything read before, and at positions 0..r of the new ones.
        seen = torch.ones(length, read + length, dtype=torch.bool, device=ids.device)
        allowed = seen.tril(diagonal=read)[None, None] if length > 1 else None
        hidden_states, all_heads = [x], []
        for layer, block in enumerate(self.blocks):
            x, heads = block(x, allowed, layer, keep, edit, cache)
            hidden_states.append(x)
            all_heads.append(heads)
        if cache is not None:
            cache.length += length
        return Pass(
            last=x,
            hidden_states=hidden_states if Capture.HIDDEN in capture else None,
            heads=all_heads if keep else None,
            logits=self.unembed(x) if Capture.LOGITS in capture else None,
        )

    def layer_parameters(self, layer: int) -> LayerParameters:
        """What one layer learnt, by name."""
        return of_block(self.blocks[layer], self.config.activation, norm_first=True, causal=True)

    def input_parameters(self) -> InputParameters:
        """The two tables; their sum goes into the first layer as it is."""
        return InputParameters(self.tokens.weight, self.positions.weight)

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary for the token that comes next."""
        return vocabulary_scores(self.norm(hidden), getattr(self, "decoder", self.tokens.weight))

    def new_cache(self, batch: int = 1, capacity: int | None = None) -> Cache:
        """An empty key/value cache for `batch` rows of up to `capacity` positions."""
        c = self.config
        like = self.tokens.weight
        size = capacity or c.positions
        return Cache(c.layers, batch, c.heads, size, c.d_model // c.heads, like.dtype, like.device)


def _read_config(raw: dict[str, Any]) -> GptConfig:
    return GptConfig(
        d_vocab=raw["vocab_size"],
        d_model=raw["n_embd"],
        layers=raw["n_layer"],
        heads=raw["n_head"],
        d_mlp=raw.get("n_inner") or 4 * raw["n_embd"],
        positions=raw.get("n_positions") or raw.get("n_ctx", 1024),
        activation=raw.get("activation_function", "gelu_new"),
        norm_eps=raw.get("layer_norm_epsilon", 1e-5),
        tied=raw.get("tie_word_embeddings", True),
    )


def _write_config(config: GptConfig) -> dict[str, Any]:
    return {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "vocab_size": config.d_vocab,
        "n_embd": config.d_model,
        "n_layer": config.layers,
        "n_head": config.heads,
        "n_inner": config.d_mlp,
        "n_positions": config.positions,
        "n_ctx": config.positions,
        "activation_function": config.activation,
        "layer_norm_epsilon": config.norm_eps,
        "tie_word_embeddings": config.tied,
        "bos_token_id": 0,
        "eos_token_id": 0,
    }


def _rules() -> tuple[Rule, ...]:
    rules = [
        Rule("tokens.weight", ("wte.weight",), by_column=True),  # scores the vocabulary for many visitors
        Rule("positions.weight", ("wpe.weight",)),
        Rule("decoder", ("lm_head.weight",), by_column=True),
    ]
    conv = {
        "attention.qkv": "attn.c_attn",
        "attention.output": "attn.c_proj",
        "mlp.up": "mlp.c_fc",
        "mlp.down": "mlp.c_proj",
    }
    for kind in ("weight", "bias"):
        rules.append(Rule(f"norm.{kind}", (f"ln_f.{kind}",)))
        for ours, theirs in (("attention_norm", "ln_1"), ("mlp_norm", "ln_2")):
            rules.append(Rule(f"blocks.{{i}}.{ours}.{kind}", (f"h.{{i}}.{theirs}.{kind}",)))
        for ours, theirs in conv.items():
            name = f"h.{{i}}.{theirs}.{kind}"
            rules.append(Rule(f"blocks.{{i}}.{ours}.{kind}", (name,), transpose=kind == "weight"))
    return tuple(rules)


register(
    Family(
        model_type="gpt2",
        config=GptConfig,
        read_config=_read_config,
        write_config=_write_config,
        network=Gpt,
        rules=_rules(),
        abilities=lambda parts: Ability.CONTEXT | Ability.ATTENTION | Ability.GENERATE,
        prefixes=("transformer.",),
        ignored=(r"h\.\d+\.attn\.(bias|masked_bias)",),
        other_heads=(
            r"score\.weight",
            r"(classifier|qa_outputs|multiple_choice_head\.summary)\.(weight|bias)",
        ),
        fixed=(
            ("scale_attn_weights", True),
            ("scale_attn_by_inverse_layer_idx", False),
            ("reorder_and_upcast_attn", False),
            ("add_cross_attention", False),
        ),
        tied=("lm_head.weight", "wte.weight"),
        keys={
            "d_vocab": "vocab_size",
            "d_model": "n_embd",
            "layers": "n_layer",
            "heads": "n_head",
            "d_mlp": "n_inner",
            "positions": "n_positions",
            "activation": "activation_function",
            "norm_eps": "layer_norm_epsilon",
            "tied": "tie_word_embeddings",
        },
    )
)
