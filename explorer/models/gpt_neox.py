"""GPT-NeoX: GPT-2 whose attention and MLP read the residual stream side by side. Pythia is one.

Papers: Black, Biderman, Hallahan et al., "GPT-NeoX-20B: An Open-Source Autoregressive Language Model"
(2022), section 2.1; Biderman et al., "Pythia" (ICML 2023). Reference code: EleutherAI/gpt-neox,
megatron/model/transformer.py.

What differs from GPT-2: attention and MLP read the same input and are added together (`parallel`);
positions by rotating a quarter of each query and key; and a separate output matrix.
Its files have queries, keys and values in one matrix, head by head.
"""

from dataclasses import dataclass

from explorer.models.decoder_files import decoder_rules, with_rows
from explorer.models.fused import group_by_group
from explorer.models.llama import LlamaConfig, read_rotary, register_variant
from explorer.models.naming import ONE_TEXT
from explorer.models.transformer import Design

KEYS = ONE_TEXT | {"parallel": "use_parallel_residual", "qkv_bias": "attention_bias"}
TABLES = {"tokens": "embed_in", "norm": "final_layer_norm", "decoder": "embed_out"}
PARTS = {
    "attention.qkv": "attention.query_key_value",
    "attention.output": "attention.dense",
    "attention_norm": "input_layernorm",
    "mlp.up": "mlp.dense_h_to_4h",
    "mlp.down": "mlp.dense_4h_to_h",
    "mlp_norm": "post_attention_layernorm",
}


@dataclass(frozen=True)
class GptNeoxConfig(LlamaConfig):
    """Sizes and choices; the biases of attention are there together or not at all."""

    activation: str = "gelu"
    norm_eps: float = 1e-5
    parallel: bool = True
    qkv_bias: bool = True
    rotary_share: float = 0.25

    @property
    def design(self) -> Design:
        """Rotary positions, attention and MLP side by side."""
        return Design(
            rotary=self.rotary, qkv_bias=self.qkv_bias, output_bias=self.qkv_bias, parallel=self.parallel
        )


register_variant(
    "gpt_neox",
    "GPTNeoXForCausalLM",
    GptNeoxConfig,
    KEYS,
    read_more=lambda raw: read_rotary(raw, raw.get("rotary_pct", 0.25)),
    rules=with_rows(decoder_rules(TABLES, "layers.{i}.", PARTS), group_by_group),
    prefix="gpt_neox.",
    renames=(("lm_head.weight", "embed_out.weight"),),  # as transformers 5 writes it
)
