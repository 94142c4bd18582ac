"""Mistral: Llama whose layers, or some of them, may read a window of the text alone.

Paper: Jiang et al., "Mistral 7B" (2023), section 2. Reference code: mistralai/mistral-inference. Files whose
`layer_types` give some layers no window are read as by transformers, which calls them Ministral.

A token reads the `window` positions up to its own. What lies further back still reaches it, through the
layers: each carries it a window further.
"""

from dataclasses import dataclass, replace
from typing import Any

from explorer.models.llama import LlamaConfig, read_rotary, register_variant
from explorer.models.transformer import Design
from explorer.models.windows import local_layers, windows_of


@dataclass(frozen=True)
class MistralConfig(LlamaConfig):
    """Llama's sizes, how many positions a token reads (None: all), and in which layers (None: in all)."""

    window: int | None = None
    local: tuple[bool, ...] | None = None

    @property
    def design(self) -> Design:
        """Llama's, with the same window in every layer or in some."""
        local = self.local or (True,) * self.layers
        return replace(super().design, windows=() if self.window is None else windows_of(local, self.window))


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    if not raw.get("layer_types"):
        return read_rotary(raw)
    local = local_layers(raw["layer_types"], raw["num_hidden_layers"])
    return read_rotary(raw) | ({"window": None} if local is None else {"local": local})


register_variant("mistral", "MistralForCausalLM", MistralConfig, read_more=_read_more)
