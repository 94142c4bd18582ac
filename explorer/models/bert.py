"""BERT: a bidirectional Transformer encoder that predicts masked words and next sentences.

Paper: Devlin, Chang, Lee, Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for
Language Understanding" (NAACL 2019). Reference code: google-research/bert, modeling.py.

    ids -> tokens + positions + segments -> LayerNorm -> N blocks -> hidden states
    block:  x = LayerNorm(x + attention(x));  x = LayerNorm(x + mlp(x))
    heads:  fill           hidden -> dense, activation, LayerNorm -> scores over the vocabulary
            pooler         the [CLS] state -> tanh(dense)
            next_sentence  pooled -> 2 scores (0: follows, 1: does not)
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.family import Family, Pass, Rule, register
from explorer.models.layers import (
    ACTIVATIONS,
    MLP,
    Heads,
    SelfAttention,
    edited,
    picked,
    stack,
    vocabulary_scores,
)
from explorer.models.parameters import InputParameters, LayerParameters, of_block, of_norm
from explorer.trace import Ability, Capture, Edit

PARTS = frozenset({"pooler", "fill", "next_sentence"})


@dataclass(frozen=True)
class BertConfig:
    """Sizes and choices, named as everywhere in this project."""

    d_vocab: int
    d_model: int = 768
    layers: int = 12
    heads: int = 12
    d_mlp: int = 3072
    positions: int = 512
    segments: int = 2
    activation: str = "gelu"
    norm_eps: float = 1e-12
    tied: bool = True


class Block(nn.Module):
    """One layer: attention, then the MLP, each added to its input and then normalised (post-norm)."""

    def __init__(self, config: BertConfig) -> None:
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
        places: Int[Tensor, "batch place"],
    ) -> Float[Tensor, "batch place d_model"]:
        """The layer's result at some places alone, which read from all positions."""
        here = picked(x, places)
        here = self.attention_norm(here + self.attention.at(here, x, allowed))
        return self.mlp_norm(here + self.mlp(here))


class FillHead(nn.Module):
    """The masked-word head; its decoder is the embedding matrix, unless the checkpoint has its own."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.d_model)
        self.norm = nn.LayerNorm(config.d_model, config.norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.d_vocab))
        self.activation = ACTIVATIONS[config.activation]
        if not config.tied:
            self.decoder = nn.Parameter(torch.zeros(config.d_vocab, config.d_model))

    def state(self, hidden: Tensor) -> Tensor:
        """What is compared with every token's vector."""
        return self.norm(self.activation(self.dense(hidden)))

    def vectors(self, embedding: Tensor) -> Tensor:
        """Every token's vector: those of the embedding, or the checkpoint's own."""
        return getattr(self, "decoder", embedding)

    def forward(self, hidden: Tensor, embedding: Tensor) -> Tensor:
        return vocabulary_scores(self.state(hidden), self.vectors(embedding), self.bias)


class Bert(nn.Module):
    """The encoder and those of its heads (`parts`) that the checkpoint has."""

    thrifty = True  # it takes `at`

    def __init__(self, config: BertConfig, parts: frozenset[str] = PARTS) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.d_vocab, config.d_model)
        self.positions = nn.Embedding(config.positions, config.d_model)
        self.segments = nn.Embedding(config.segments, config.d_model)
        self.norm = nn.LayerNorm(config.d_model, config.norm_eps)
        self.blocks = stack(Block(config) for _ in range(config.layers))
        self.fill = FillHead(config) if "fill" in parts else None
        self.pooler = nn.Linear(config.d_model, config.d_model) if "pooler" in parts else None
        self.next = nn.Linear(config.d_model, 2) if "next_sentence" in parts else None

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
        at: Int[Tensor, "batch place"] | None = None,
    ) -> Pass:
        """Run the encoder; `mask` is False where a row is padding.

        With `at`, hidden states are of these places alone, and the last layer is not computed elsewhere.
        """
        keep = Capture.ATTENTION in capture
        allowed = None if mask is None else mask[:, None, None, :]
        x = self.tokens(ids) + self.positions.weight[: ids.shape[1]]
        x = x + self.segments(torch.zeros_like(ids) if segments is None else segments)
        x = edited(edit, "embedding", 0, self.norm(edited(edit, "embedding_sum", 0, x)))
        if at is not None:
            return self._at(x, allowed, at)
        hidden_states, all_heads = [x], []
        for layer, block in enumerate(self.blocks):
            x, heads = block(x, allowed, layer, keep, edit)
            hidden_states.append(x)
            all_heads.append(heads)
        return Pass(
            last=x,
            hidden_states=hidden_states if Capture.HIDDEN in capture else None,
            heads=all_heads if keep else None,
            logits=self.unembed(x) if Capture.LOGITS in capture else None,
        )

    def _at(self, x: Tensor, allowed: Tensor | None, places: Int[Tensor, "batch place"]) -> Pass:
        """The hidden states at some places, given the embedding's."""
        states = [picked(x, places)]
        *lower, last = self.blocks
        for layer, block in enumerate(lower):
            x, _ = block(x, allowed, layer, False, None)
            states.append(picked(x, places))
        states.append(last.at(x, allowed, places))
        return Pass(last=states[-1], hidden_states=states)

    def layer_parameters(self, layer: int) -> LayerParameters:
        """What one layer learnt, by name."""
        return of_block(self.blocks[layer], self.config.activation, norm_first=False, causal=False)

    def input_parameters(self) -> InputParameters:
        """The three tables, and the norm of their sum."""
        tables = (self.tokens.weight, self.positions.weight, self.segments.weight)
        return InputParameters(*tables, norm=of_norm(self.norm))

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary for the word that stood at each position."""
        assert self.fill is not None, "a model with the ability has the weights"
        return self.fill(hidden, self.tokens.weight)

    def next_sentence(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for "the second sentence follows the first" (0) and "it does not" (1)."""
        assert self.next is not None and self.pooler is not None, "a model with the ability has the weights"
        return self.next(torch.tanh(self.pooler(hidden[:, 0])))


def _read_config(raw: dict[str, Any]) -> BertConfig:
    return BertConfig(
        d_vocab=raw["vocab_size"],
        d_model=raw["hidden_size"],
        layers=raw["num_hidden_layers"],
        heads=raw["num_attention_heads"],
        d_mlp=raw["intermediate_size"],
        positions=raw.get("max_position_embeddings", 512),
        segments=raw.get("type_vocab_size", 2),
        activation=raw.get("hidden_act", "gelu"),
        norm_eps=raw.get("layer_norm_eps", 1e-12),
        tied=raw.get("tie_word_embeddings", True),
    )


def _write_config(config: BertConfig) -> dict[str, Any]:
    return {
        "model_type": "bert",
        "architectures": ["BertForPreTraining"],
        "vocab_size": config.d_vocab,
        "hidden_size": config.d_model,
        "num_hidden_layers": config.layers,
        "num_attention_heads": config.heads,
        "intermediate_size": config.d_mlp,
        "max_position_embeddings": config.positions,
        "type_vocab_size": config.segments,
        "hidden_act": config.activation,
        "layer_norm_eps": config.norm_eps,
        "tie_word_embeddings": config.tied,
        "pad_token_id": 0,
    }


def _abilities(parts: frozenset[str]) -> Ability:
    abilities = Ability.CONTEXT | Ability.ATTENTION
    if "fill" in parts:
        abilities |= Ability.FILL
    if {"next_sentence", "pooler"} <= parts:
        abilities |= Ability.NEXT_SENTENCE
    return abilities


def _rules() -> tuple[Rule, ...]:
    theirs = "encoder.layer.{i}."
    linear = {
        "attention.qkv": tuple(theirs + f"attention.self.{n}" for n in ("query", "key", "value")),
        "attention.output": (theirs + "attention.output.dense",),
        "attention_norm": (theirs + "attention.output.LayerNorm",),
        "mlp.up": (theirs + "intermediate.dense",),
        "mlp.down": (theirs + "output.dense",),
        "mlp_norm": (theirs + "output.LayerNorm",),
    }
    rules = [
        Rule("tokens.weight", ("embeddings.word_embeddings.weight",)),
        Rule("positions.weight", ("embeddings.position_embeddings.weight",)),
        Rule("segments.weight", ("embeddings.token_type_embeddings.weight",)),
        Rule("fill.bias", ("cls.predictions.bias",), part="fill"),
        Rule("fill.decoder", ("cls.predictions.decoder.weight",), part="fill"),
    ]
    for kind in ("weight", "bias"):
        rules += [
            Rule(f"norm.{kind}", (f"embeddings.LayerNorm.{kind}",)),
            Rule(f"fill.dense.{kind}", (f"cls.predictions.transform.dense.{kind}",), part="fill"),
            Rule(f"fill.norm.{kind}", (f"cls.predictions.transform.LayerNorm.{kind}",), part="fill"),
            Rule(f"pooler.{kind}", (f"pooler.dense.{kind}",), part="pooler"),
            Rule(f"next.{kind}", (f"cls.seq_relationship.{kind}",), part="next_sentence"),
        ]
        for ours, names in linear.items():
            rules.append(Rule(f"blocks.{{i}}.{ours}.{kind}", tuple(f"{n}.{kind}" for n in names)))
    return tuple(rules)


register(
    Family(
        model_type="bert",
        config=BertConfig,
        read_config=_read_config,
        write_config=_write_config,
        network=Bert,
        rules=_rules(),
        abilities=_abilities,
        prefixes=("bert.",),
        renames=(
            (".gamma", ".weight"),
            (".beta", ".bias"),
            ("cls.predictions.decoder.bias", "cls.predictions.bias"),
        ),
        ignored=(r"embeddings\.(position_ids|token_type_ids)",),
        # Classifiers put on top by fine-tuning: the encoder below is as good a BERT as any.
        other_heads=(r"(classifier|qa_outputs)\.(weight|bias)",),
        fixed=(
            ("position_embedding_type", "absolute"),
            ("is_decoder", False),
            ("add_cross_attention", False),
        ),
        tied=("cls.predictions.decoder.weight", "embeddings.word_embeddings.weight"),
        keys={
            "d_vocab": "vocab_size",
            "d_model": "hidden_size",
            "layers": "num_hidden_layers",
            "heads": "num_attention_heads",
            "d_mlp": "intermediate_size",
            "positions": "max_position_embeddings",
            "segments": "type_vocab_size",
            "activation": "hidden_act",
            "norm_eps": "layer_norm_eps",
            "tied": "tie_word_embeddings",
        },
    )
)
