"""Phi-1, Phi-1.5 and Phi-2: one norm before attention and MLP side by side, and a part of each head rotated.

Papers: Gunasekar et al., "Textbooks Are All You Need" (2023), section 2.3; Li et al., "Textbooks Are All You
Need II: phi-1.5 technical report" (2023). Reference code: microsoft/phi-2, modeling_phi.py.

What differs from GPT-NeoX: one norm for both parts, and an output matrix with a bias.
"""

from dataclasses import dataclass

from explorer.models.decoder_files import decoder_rules
from explorer.models.llama import PARTS, ROTARY_KEYS, LlamaConfig, read_rotary, register_variant
from explorer.models.transformer import Design

TABLES = {"tokens": "embed_tokens", "norm": "final_layernorm"}
OWN = {"attention.output": "self_attn.dense", "mlp.up": "mlp.fc1", "mlp.down": "mlp.fc2"}
SHARE = 0.5


@dataclass(frozen=True)
class PhiConfig(LlamaConfig):
    """Sizes and choices."""

    activation: str = "gelu_new"
    norm_eps: float = 1e-5
    rotary_share: float = SHARE

    @property
    def design(self) -> Design:
        """Attention and MLP side by side after one norm, biases everywhere."""
        return Design(rotary=self.rotary, parallel=True, shared_norm=True, decoder_bias=True)


register_variant(
    "phi",
    "PhiForCausalLM",
    PhiConfig,
    ROTARY_KEYS,
    read_more=lambda raw: read_rotary(raw, SHARE),
    rules=decoder_rules(TABLES, "layers.{i}.", PARTS | OWN),
    fixed=(("qk_layernorm", False),),
)
