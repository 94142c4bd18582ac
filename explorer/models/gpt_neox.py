"""GPT-NeoX: GPT-2 whose attention and MLP read the residual stream side by side. Pythia is one.

Papers: Black, Biderman, Hallahan et al., "GPT-NeoX-20B: An Open-Source Autoregressive Language Model"
(2022), section 2.1; Biderman et al., "Pythia" (ICML 2023). Reference code: EleutherAI/gpt-neox,
megatron/model/transformer.py.

What differs from GPT-2: attention and MLP read the same input and are added together (`parallel`);
positions by rotating a quarter of each query and key; and a separate output matrix.
Its files have queries, keys and values in one matrix, head by head.
"""

from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from explorer.errors import FormatError
from explorer.models.family import Family, Rule, register
from explorer.models.llama import ABILITIES
from explorer.models.naming import ONE_TEXT, affine
from explorer.models.rotary import PLAIN_BASE, RopeScaling, Rotary, read_rope, write_rope
from explorer.models.transformer import Design, Transformer, TransformerConfig

KEYS = ONE_TEXT | {
    "parallel": "use_parallel_residual",
    "bias": "attention_bias",
}


@dataclass(frozen=True)
class GptNeoxConfig(TransformerConfig):
    """Sizes and choices; `rotary_share` is the share of each head that is rotated."""

    positions: int = 2048
    activation: str = "gelu"
    tied: bool = False
    parallel: bool = True
    bias: bool = True
    rotary_share: float = 0.25
    rope_base: float = PLAIN_BASE
    rope_scaling: RopeScaling | None = None

    @property
    def design(self) -> Design:
        """Rotary positions, attention and MLP side by side."""
        assert self.d_head, "settled by the configuration"
        return Design(
            rotary=Rotary(int(self.d_head * self.rotary_share), self.rope_base, self.rope_scaling),
            qkv_bias=self.bias,
            output_bias=self.bias,
            parallel=self.parallel,
        )


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    base, scaling = read_rope(raw)
    parameters = raw.get("rope_parameters") or {}
    share = float(parameters.get("partial_rotary_factor", raw.get("rotary_pct", 0.25)))
    if not 0 < share <= 1:
        raise FormatError(
            f"Its config.json rotates a share of {share:g} of each head, not one between 0 and 1.",
            "It may be damaged: fetch or copy the checkpoint again.",
        )
    return {"rotary_share": share, "rope_base": base, "rope_scaling": scaling}


def _write_more(config: GptNeoxConfig) -> dict[str, Any]:
    rope = write_rope(config.rope_base, config.rope_scaling)
    return rope | {"rotary_emb_base": config.rope_base, "rotary_pct": config.rotary_share}


def head_by_head(config: GptNeoxConfig) -> Int[Tensor, "row"]:
    """The rows of our queries, keys and values in the file's matrix, which is ordered head by head.

    >>> head_by_head(GptNeoxConfig(d_vocab=3, d_model=4, heads=2)).tolist()
    [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]
    """
    rows = torch.arange(3 * config.d_model).view(config.heads, 3, -1)
    return rows.transpose(0, 1).flatten()


def _rules() -> tuple[Rule, ...]:
    ours, theirs = "blocks.{i}.", "layers.{i}."
    return (
        Rule("tokens.weight", ("embed_in.weight",)),
        Rule("decoder", ("embed_out.weight",), by_column=True),
        *affine("norm", "final_layer_norm"),
        *(
            replace(rule, rows=head_by_head)
            for rule in affine(ours + "attention.qkv", theirs + "attention.query_key_value")
        ),
        *affine(ours + "attention.output", theirs + "attention.dense"),
        *affine(ours + "attention_norm", theirs + "input_layernorm"),
        *affine(ours + "mlp.up", theirs + "mlp.dense_h_to_4h"),
        *affine(ours + "mlp.down", theirs + "mlp.dense_4h_to_h"),
        *affine(ours + "mlp_norm", theirs + "post_attention_layernorm"),
    )


register(
    Family(
        model_type="gpt_neox",
        architecture="GPTNeoXForCausalLM",
        config=GptNeoxConfig,
        read_more=_read_more,
        write_more=_write_more,
        network=Transformer,
        rules=_rules(),
        abilities=lambda heads: ABILITIES,
        prefixes=("gpt_neox.",),
        renames=(("lm_head.weight", "embed_out.weight"),),  # as transformers 5 writes it
        ignored=(r"layers\.\d+\.attention\.(bias|masked_bias|rotary_emb\.inv_freq)",),
        other_heads=(r"(score|classifier|qa_outputs)\.(weight|bias)",),
        tied=("embed_out.weight", "embed_in.weight"),
        keys=KEYS,
    )
)
