"""Qwen2: Llama with biases on queries, keys and values only.

Papers: Bai et al., "Qwen Technical Report" (2023), section 2.3, for the biases; Yang et al., "Qwen2
Technical Report" (2024), section 2.2. Reference code: QwenLM/Qwen, modeling_qwen.py. Qwen2.5 is the same
network.

Its files may give the upper layers a window; in most of them it is switched off.
"""

from dataclasses import dataclass, replace
from typing import Any

from explorer.models.llama import LlamaConfig, read_rotary, register_variant
from explorer.models.transformer import Design
from explorer.models.windows import local_layers, windows_of

FIXED = (("use_mrope", False),)


@dataclass(frozen=True)
class Qwen2Config(LlamaConfig):
    """Llama's sizes, how many positions a window has, and for each layer whether it reads one."""

    positions: int = 32768
    qkv_bias: bool = True
    window: int | None = None
    local: tuple[bool, ...] | None = None

    @property
    def design(self) -> Design:
        """Llama's, with biases on queries, keys and values, and windows in some layers."""
        return replace(super().design, output_bias=False, windows=windows_of(self.local, self.window))


def read_windows(raw: dict[str, Any]) -> dict[str, Any]:
    """The rotary positions and the windows in a config.json; no windows without `use_sliding_window`."""
    rotary = read_rotary(raw)
    if not raw.get("use_sliding_window") or raw.get("sliding_window") is None:
        return rotary | {"window": None}
    first, layers = raw.get("max_window_layers", 28), raw["num_hidden_layers"]
    kinds = raw.get("layer_types") or ("local" if layer >= first else "global" for layer in range(layers))
    return rotary | {"local": local_layers(kinds, layers)}


register_variant("qwen2", "Qwen2ForCausalLM", Qwen2Config, read_more=read_windows, fixed=FIXED)
