"""GPT-2: a left-to-right Transformer decoder that predicts the next token.

Paper: Radford, Wu, Child, Luan, Amodei, Sutskever, "Language Models are Unsupervised Multitask
Learners" (2019). Reference code: openai/gpt-2, src/model.py.

    ids -> tokens + learned positions -> N blocks -> LayerNorm -> scores (tied to the embedding)
    block:  x = x + attention(LayerNorm(x));  x = x + mlp(LayerNorm(x))
"""

from dataclasses import dataclass
from typing import Any

from explorer.models.family import Family, Rule, register
from explorer.models.transformer import Transformer, TransformerConfig
from explorer.trace import Ability

KEYS = {
    "d_vocab": "vocab_size",
    "d_model": "n_embd",
    "layers": "n_layer",
    "heads": "n_head",
    "d_mlp": "n_inner",
    "positions": "n_positions",
    "activation": "activation_function",
    "norm_eps": "layer_norm_epsilon",
    "tied": "tie_word_embeddings",
}


@dataclass(frozen=True)
class GptConfig(TransformerConfig):
    """Sizes and choices: those of the plain pre-norm Transformer are GPT-2's."""


class Gpt(Transformer):
    """The decoder; its head is the embedding matrix, unless the checkpoint has its own."""


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    positions = raw.get("n_positions") or raw.get("n_ctx", 1024)
    return {"d_mlp": raw.get("n_inner") or 4 * raw["n_embd"], "positions": positions}


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
        architecture="GPT2LMHeadModel",
        config=GptConfig,
        read_more=_read_more,
        write_more=lambda config: {"n_ctx": config.positions, "bos_token_id": 0, "eos_token_id": 0},
        network=Gpt,
        rules=_rules(),
        abilities=lambda heads: Ability.CONTEXT | Ability.ATTENTION | Ability.GENERATE,
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
        keys=KEYS,
    )
)
