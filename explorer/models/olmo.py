"""OLMo: Llama whose norms have no parameters.

Paper: Groeneveld et al., "OLMo: Accelerating the Science of Language Models" (ACL 2024), section 2.1.
Reference code: allenai/OLMo, olmo/model.py.

What differs from Llama: LayerNorm, without gain and shift.
"""

from dataclasses import dataclass, replace

from explorer.models.llama import ROTARY_KEYS, LlamaConfig, register_variant
from explorer.models.transformer import Design

KEYS = {ours: theirs for ours, theirs in ROTARY_KEYS.items() if ours != "norm_eps"}


@dataclass(frozen=True)
class OlmoConfig(LlamaConfig):
    """Llama's sizes."""

    norm_eps: float = 1e-5  # its files do not say it

    @property
    def design(self) -> Design:
        """Llama's, with other norms."""
        return replace(super().design, rms=False, norm_bias=False, norm_gain=False)


register_variant(
    "olmo", "OlmoForCausalLM", OlmoConfig, KEYS | {"qkv_bias": "attention_bias"}, fixed=(("clip_qkv", None),)
)
