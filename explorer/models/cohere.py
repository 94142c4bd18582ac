"""Cohere's Command R and Aya 23: Llama's parts side by side after one norm.

Paper: Aryabumi et al., "Aya 23: Open Weight Releases to Further Multilingual Progress" (2024). Reference
code: `CohereDecoderLayer` of Hugging Face's transformers, written at Cohere.

What differs from Llama: one LayerNorm without shift, whose result attention and MLP both read; logits are
multiplied by a number. Its files rotate neighbouring numbers of a head.
"""

from dataclasses import dataclass, replace

from explorer.models.decoder_files import with_rows
from explorer.models.fused import pairs_apart
from explorer.models.llama import ROTARY_KEYS, RULES, LlamaConfig, read_rotary, register_variant
from explorer.models.transformer import Design


@dataclass(frozen=True)
class CohereConfig(LlamaConfig):
    """Llama's sizes, and the number that multiplies logits."""

    positions: int = 8192
    norm_eps: float = 1e-5
    tied: bool = True
    rope_base: float = 500_000.0
    logit_scale: float = 0.0625

    @property
    def design(self) -> Design:
        """Llama's, with attention and MLP side by side."""
        return replace(
            super().design,
            rms=False,
            norm_bias=False,
            parallel=True,
            shared_norm=True,
            logit_scale=self.logit_scale,
        )


register_variant(
    "cohere",
    "CohereForCausalLM",
    CohereConfig,
    ROTARY_KEYS | {"qkv_bias": "attention_bias", "logit_scale": "logit_scale"},
    read_more=lambda raw: read_rotary({"rope_theta": CohereConfig.rope_base} | raw),
    rules=with_rows(RULES, pairs_apart),
    fixed=(("use_qk_norm", False),),
)
