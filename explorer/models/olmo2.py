"""OLMo 2: Llama with norms after attention and MLP alone, and norms of queries and keys.

Paper: OLMo Team, "2 OLMo 2 Furious" (2024), section 3.1. Reference code: allenai/OLMo-core,
src/olmo_core/nn/transformer/block.py.

What differs from Llama: attention and MLP read the residual stream as it is, and what they give is normalised
before it is added; queries, and keys, of all heads are normalised together.
"""

from dataclasses import dataclass, replace

from explorer.models.decoder_files import decoder_rules
from explorer.models.llama import KEYS, PARTS, TABLES, LlamaConfig, register_variant
from explorer.models.transformer import Design

AFTER = {"attention_after": "post_attention_layernorm", "mlp_after": "post_feedforward_layernorm"}


@dataclass(frozen=True)
class Olmo2Config(LlamaConfig):
    """Llama's sizes."""

    norm_eps: float = 1e-5

    @property
    def design(self) -> Design:
        """Llama's, with norms after its parts."""
        return replace(super().design, norm_first=False, norm_after=True, head_norm=True, wide_norm=True)


register_variant(
    "olmo2",
    "Olmo2ForCausalLM",
    Olmo2Config,
    {ours: theirs for ours, theirs in KEYS.items() if ours != "mlp_bias"},
    rules=decoder_rules(TABLES, "layers.{i}.", PARTS | AFTER),
)
