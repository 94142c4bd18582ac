"""Granite: Llama with four multipliers.

Paper: Granite Team, IBM, "Granite 3.0 Language Models" (2024), section 2, after Yang et al., "Tensor Programs
V: Tuning Large Neural Networks via Zero-Shot Hyperparameter Transfer" (2022). Reference code:
`GraniteDecoderLayer` of Hugging Face's transformers, written at IBM.

What differs from Llama: token vectors, scores, and what each part adds are multiplied by a number of their
own, and logits are divided by one.
"""

from dataclasses import dataclass, replace

from explorer.models.llama import KEYS, LlamaConfig, register_variant
from explorer.models.transformer import Design


@dataclass(frozen=True)
class GraniteConfig(LlamaConfig):
    """Llama's sizes, and the multipliers."""

    embedding_scale: float = 1.0
    residual_scale: float = 1.0
    score_scale: float = 1.0
    logit_divisor: float = 1.0

    @property
    def design(self) -> Design:
        """Llama's, with multipliers."""
        return replace(
            super().design,
            embedding_scale=self.embedding_scale,
            residual_scale=self.residual_scale,
            score_scale=self.score_scale,
            logit_scale=1 / self.logit_divisor,
        )


register_variant(
    "granite",
    "GraniteForCausalLM",
    GraniteConfig,
    KEYS
    | {
        "embedding_scale": "embedding_multiplier",
        "residual_scale": "residual_multiplier",
        "score_scale": "attention_multiplier",
        "logit_divisor": "logits_scaling",
    },
)
