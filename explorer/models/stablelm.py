"""StableLM: Llama with LayerNorm, and a quarter of each head rotated.

Paper: Bellagente et al., "Stable LM 2 1.6B Technical Report" (2024), section 3.1. Reference code:
stabilityai/stablelm-2-1_6b, modeling_stablelm.py.
"""

from dataclasses import dataclass, replace

from explorer.models.llama import ROTARY_KEYS, LlamaConfig, read_rotary, register_variant
from explorer.models.transformer import Design

SHARE = 0.25


@dataclass(frozen=True)
class StableLmConfig(LlamaConfig):
    """Llama's sizes; with `parallel` attention and MLP read the same normalised input side by side."""

    norm_eps: float = 1e-5
    rotary_share: float = SHARE
    parallel: bool = False

    @property
    def design(self) -> Design:
        """Llama's, with LayerNorm."""
        return replace(
            super().design, rms=False, output_bias=False, parallel=self.parallel, shared_norm=self.parallel
        )


register_variant(
    "stablelm",
    "StableLmForCausalLM",
    StableLmConfig,
    ROTARY_KEYS | {"qkv_bias": "use_qkv_bias", "parallel": "use_parallel_residual"},
    read_more=lambda raw: read_rotary(raw, SHARE),
    fixed=(("qk_layernorm", False),),
)
