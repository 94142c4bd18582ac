"""OPT: GPT-2 with ReLU, made to be like GPT-3 and open.

Paper: Zhang, Roller, Goyal et al., "OPT: Open Pre-trained Transformer Language Models" (2022), section 2.1.
Reference code: facebookresearch/metaseq, metaseq/models/transformer_decoder.py.

What differs from GPT-2: the first position is row 2 of its table. OPT-350m, which normalises after adding and
has narrower token vectors, is another network, which is not read.
"""

from dataclasses import dataclass

from explorer.models.decoder_files import decoder_rules, register_decoder
from explorer.models.naming import ONE_TEXT
from explorer.models.transformer import Design, TransformerConfig

KEYS = {ours: theirs for ours, theirs in ONE_TEXT.items() if ours != "norm_eps"}
KEYS |= {"d_mlp": "ffn_dim", "activation": "activation_function", "bias": "enable_bias"}
TABLES = {
    "tokens": "decoder.embed_tokens",
    "positions": "decoder.embed_positions",
    "norm": "decoder.final_layer_norm",
}
PARTS = {
    "attention.qkv": "self_attn.q_proj self_attn.k_proj self_attn.v_proj",
    "attention.output": "self_attn.out_proj",
    "attention_norm": "self_attn_layer_norm",
    "mlp.up": "fc1",
    "mlp.down": "fc2",
    "mlp_norm": "final_layer_norm",
}


@dataclass(frozen=True)
class OptConfig(TransformerConfig):
    """GPT-2's sizes."""

    positions: int = 2048
    activation: str = "relu"
    bias: bool = True

    @property
    def design(self) -> Design:
        """GPT-2's, with positions that begin later in their table."""
        return Design(position_offset=2, qkv_bias=self.bias, output_bias=self.bias, mlp_bias=self.bias)


register_decoder(
    "opt",
    "OPTForCausalLM",
    OptConfig,
    KEYS,
    decoder_rules(TABLES, "decoder.layers.{i}.", PARTS),
    prefix="model.",
    fixed=(
        ("do_layer_norm_before", True),
        ("_remove_final_layer_norm", False),
        ("layer_norm_elementwise_affine", True),
    ),
)
