"""Qwen3: Qwen2 whose queries and keys are normalised head by head, without its biases.

Paper: Yang et al., "Qwen3 Technical Report" (2025), section 2: the norm keeps scores small, so that
training is stable without biases. Reference code: `Qwen3Attention` of Hugging Face's transformers, whose
authors the Qwen team are.

A head is as wide as config.json says: more than d_model / heads in the small ones.
"""

from dataclasses import dataclass, replace

from explorer.models.llama import register_variant
from explorer.models.qwen2 import FIXED, Qwen2Config, read_windows
from explorer.models.transformer import Design

D_HEAD = 128  # where config.json does not say it


@dataclass(frozen=True)
class Qwen3Config(Qwen2Config):
    """Qwen2's sizes; with `qkv_bias` the output of attention has a bias too."""

    qkv_bias: bool = False

    @property
    def design(self) -> Design:
        """Qwen2's, with a norm of each head's queries and keys."""
        return replace(super().design, output_bias=self.qkv_bias, head_norm=True)


register_variant(
    "qwen3",
    "Qwen3ForCausalLM",
    Qwen3Config,
    read_more=lambda raw: read_windows(raw) | {"d_head": raw.get("head_dim", D_HEAD)},
    fixed=FIXED,
)
