"""StarCoder2: GPT-2 with rotary positions and several queries to a key; written for code.

Paper: Lozhkov, Li, Ben Allal et al., "StarCoder 2 and The Stack v2: The Next Generation" (2024), section 5.
Reference code: `Starcoder2Attention` of Hugging Face's transformers, written by members of BigCode.
"""

from dataclasses import dataclass, replace

from explorer.models.decoder_files import decoder_rules
from explorer.models.llama import PARTS, ROTARY_KEYS, TABLES, register_variant
from explorer.models.mistral import MistralConfig
from explorer.models.transformer import Design

KEYS = ROTARY_KEYS | {"norm_eps": "norm_epsilon", "qkv_bias": "use_bias", "window": "sliding_window"}


@dataclass(frozen=True)
class StarCoder2Config(MistralConfig):
    """Mistral's sizes; biases are everywhere or nowhere."""

    activation: str = "gelu_pytorch_tanh"
    norm_eps: float = 1e-5
    qkv_bias: bool = True

    @property
    def design(self) -> Design:
        """Mistral's, with LayerNorm and without a gate."""
        return replace(super().design, rms=False, gated=False, mlp_bias=self.qkv_bias)


register_variant(
    "starcoder2",
    "Starcoder2ForCausalLM",
    StarCoder2Config,
    KEYS,
    rules=decoder_rules(TABLES, "layers.{i}.", PARTS | {"mlp.up": "mlp.c_fc", "mlp.down": "mlp.c_proj"}),
)
