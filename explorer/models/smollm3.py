"""SmolLM3: Llama with every fourth layer without positions.

Paper: Bakouch, Ben Allal, Lozhkov et al., "SmolLM3: smol, multilingual, long-context reasoner" (2025), after
Yang et al., "RoPE to NoPE and Back Again: A New Hybrid Attention Strategy" (2025). Reference code:
`SmolLM3Attention` of Hugging Face's transformers, whose authors the SmolLM team are.

A layer without positions tells earlier from later by its causal mask alone.
"""

from dataclasses import dataclass, replace
from typing import Any

from explorer.errors import FormatError
from explorer.models.llama import KEYS, LlamaConfig, read_rotary, register_variant
from explorer.models.transformer import Design


@dataclass(frozen=True)
class SmolLM3Config(LlamaConfig):
    """Llama's sizes, and for each layer whether it rotates (None: all do)."""

    positions: int = 32768
    rope_base: float = 2_000_000.0
    rotated: tuple[bool, ...] | None = None

    @property
    def design(self) -> Design:
        """Llama's, without positions in some layers."""
        return replace(super().design, rotated=self.rotated or ())


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    kinds = raw.get("layer_types") or ["sliding_attention"]
    if raw.get("use_sliding_window") and raw.get("sliding_window") and "sliding_attention" in kinds:
        raise FormatError(
            "Its config.json has “use_sliding_window” set to true, a variant that is not computed here.",
            "Choose a checkpoint of the plain architecture.",
        )
    layers, every = raw["num_hidden_layers"], raw.get("no_rope_layer_interval", 4)
    rotated = [bool(one) for one in raw.get("no_rope_layers") or ((i + 1) % every for i in range(layers))]
    if len(rotated) != layers:
        raise FormatError(
            f"Its config.json says of {len(rotated)} layers whether they rotate, and has {layers} layers.",
            "It may be damaged: fetch or copy the checkpoint again.",
        )
    return read_rotary({"rope_theta": SmolLM3Config.rope_base} | raw) | {"rotated": tuple(rotated)}


register_variant("smollm3", "SmolLM3ForCausalLM", SmolLM3Config, KEYS, read_more=_read_more)
