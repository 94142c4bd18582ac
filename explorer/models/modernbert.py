"""ModernBERT: BERT's task with newer components and longer texts.

Paper: Warner, Chaffin, Clavié et al., "Smarter, Better, Faster, Longer: A Modern Bidirectional Encoder"
(2024), section 2.1. Reference code: AnswerDotAI/ModernBERT, src/bert_layers.

    ids -> tokens -> LayerNorm -> N pre-norm blocks -> LayerNorm -> mlm_head

What differs from BERT: attention and MLP read normalised input (pre-norm), except the first attention, since
the embedding is normalised already; no biases; rotary positions; an MLP with a gate (GeGLU). Every third
layer reads the whole text, the others a window on either side, with a smaller rotary base; one segment.
"""

from dataclasses import dataclass, replace
from typing import Any

from jaxtyping import Float
from torch import Tensor

from explorer.errors import FormatError
from explorer.models.bert import abilities
from explorer.models.encoder import MlmHead
from explorer.models.family import Family, Rule, register
from explorer.models.naming import ONE_TEXT
from explorer.models.rope_scaling import read_rope
from explorer.models.rotary import Rotary
from explorer.models.transformer import Design, Transformer, TransformerConfig
from explorer.models.windows import local_layers, windows_of

HEADS = frozenset({"mlm_head"})
KEYS = ONE_TEXT | {"activation": "hidden_activation", "norm_eps": "norm_eps", "reach": "local_attention"}
# Settings with the only value that the network supports.
FIXED: tuple[tuple[str, Any], ...] = (
    ("norm_bias", False),
    ("attention_bias", False),
    ("mlp_bias", False),
    ("classifier_bias", False),
    ("decoder_bias", True),
    ("classifier_activation", "gelu"),
    ("rope_scaling", None),
)


@dataclass(frozen=True)
class ModernBertConfig(TransformerConfig):
    """Sizes; the layers that are `local` read `reach` positions to either side (None: no layer is)."""

    positions: int = 8192
    activation: str = "gelu"
    reach: int = 64
    local: tuple[bool, ...] | None = None
    rope_base: float = 160_000.0
    local_base: float = 10_000.0

    @property
    def design(self) -> Design:
        """Bidirectional, no biases, rotary positions, a gate, windows in some layers."""
        assert self.d_head, "settled by the configuration"
        return Design(
            causal=False,
            norm_bias=False,
            first_norm=False,
            embedding_norm=True,
            rotary=Rotary(self.d_head, self.rope_base),
            local_rotary=Rotary(self.d_head, self.local_base),
            windows=windows_of(self.local, self.reach),
            qkv_bias=False,
            output_bias=False,
            mlp_bias=False,
            gated=True,
        )


class ModernBert(Transformer):
    """The encoder, and the masked-word head if it is among the `heads`."""

    def __init__(self, config: ModernBertConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(replace(config, tied=True))  # the matrix of an untied one is the head's
        self.config = config
        self.mlm_head = MlmHead(config, "gelu", biases=False) if "mlm_head" in heads else None

    def scores(self, normed: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary for the word that stood at each position."""
        assert self.mlm_head is not None, "a model with the ability has the weights"
        scores: Tensor = self.mlm_head(normed, self.tokens.weight)
        return scores


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    layers, every = raw["num_hidden_layers"], raw.get("global_attn_every_n_layers", 3)
    kinds = raw.get("layer_types") or ("local" if layer % every else "global" for layer in range(layers))
    own, reach = ModernBertConfig, raw.get("sliding_window")  # half of the window, under its other name
    return {
        "reach": raw.get("local_attention", 2 * own.reach) // 2 if reach is None else reach,
        "local": local_layers(kinds, layers),
        "rope_base": _base(raw, "full_attention", raw.get("global_rope_theta", own.rope_base)),
        "local_base": _base(raw, "sliding_attention", raw.get("local_rope_theta", own.local_base)),
    }


def _base(raw: dict[str, Any], kind: str, plain: float) -> float:
    """The rotary base of a kind of layers, in either spelling. Raises FormatError for scaled positions."""
    parameters = (raw.get("rope_parameters") or {}).get(kind) or {}
    base, scaling = read_rope({"rope_parameters": {"rope_theta": plain} | parameters})
    if scaling is not None:
        raise FormatError(
            "Its rotary positions are scaled, which Riverbank does not compute for ModernBERT.",
            "Choose a checkpoint whose config.json has rope scaling default.",
        )
    return base


def _rules() -> tuple[Rule, ...]:
    layers = {
        "attention.qkv": "attn.Wqkv",
        "attention.output": "attn.Wo",
        "attention_norm": "attn_norm",
        "mlp.up": "mlp.Wi",
        "mlp.down": "mlp.Wo",
        "mlp_norm": "mlp_norm",
    }
    names = {"tokens": "embeddings.tok_embeddings", "embedding_norm": "embeddings.norm", "norm": "final_norm"}
    names |= {f"blocks.{{i}}.{ours}": f"layers.{{i}}.{theirs}" for ours, theirs in layers.items()}
    return (
        *(Rule(f"{ours}.weight", (f"{theirs}.weight",)) for ours, theirs in names.items()),
        # A classifier has these two as well: they alone are no head for masked words.
        Rule("mlm_head.dense.weight", ("head.dense.weight",)),
        Rule("mlm_head.norm.weight", ("head.norm.weight",)),
        Rule("mlm_head.bias", ("decoder.bias",), head="mlm_head"),
        Rule("mlm_head.decoder", ("decoder.weight",), head="mlm_head"),
    )


register(
    Family(
        model_type="modernbert",
        architecture="ModernBertForMaskedLM",
        config=ModernBertConfig,
        read_more=_read_more,
        network=ModernBert,
        rules=_rules(),
        abilities=abilities,
        prefixes=("model.",),
        other_heads=(r"(classifier|head\.dense|head\.norm)\.(weight|bias)",),
        fixed=FIXED,
        tied=("decoder.weight", "embeddings.tok_embeddings.weight"),
        keys=KEYS,
    )
)
