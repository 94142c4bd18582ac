"""Phi-3 and Phi-4-mini: Llama whose files stack its matrices; a part of each head may be rotated.

Paper: Abdin et al., "Phi-3 Technical Report: A Highly Capable Language Model Locally on Your Phone" (2024),
section 2. Reference code: microsoft/Phi-3-mini-4k-instruct, modeling_phi3.py.
"""

from dataclasses import dataclass

from explorer.models.decoder_files import decoder_rules
from explorer.models.llama import PARTS, RMS_KEYS, TABLES, register_variant
from explorer.models.mistral import MistralConfig

RULES = decoder_rules(
    TABLES, "layers.{i}.", PARTS | {"attention.qkv": "self_attn.qkv_proj", "mlp.up": "mlp.gate_up_proj"}
)


@dataclass(frozen=True)
class Phi3Config(MistralConfig):
    """Mistral's sizes."""

    positions: int = 4096
    norm_eps: float = 1e-5


register_variant("phi3", "Phi3ForCausalLM", Phi3Config, RMS_KEYS | {"window": "sliding_window"}, rules=RULES)
