"""Mistral: Llama whose layers may read a window of the text alone.

Paper: Jiang et al., "Mistral 7B" (2023), section 2. Reference code: mistralai/mistral-inference.

A token reads the `window` positions up to its own. What lies further back still reaches it, through the
layers: each carries it a window further.
"""

from dataclasses import dataclass, replace

from explorer.models.llama import LlamaConfig, register_variant
from explorer.models.transformer import Design


@dataclass(frozen=True)
class MistralConfig(LlamaConfig):
    """Llama's sizes, and how many positions a token reads (None: all before it)."""

    window: int | None = None

    @property
    def design(self) -> Design:
        """Llama's, with the same window in every layer."""
        windows = () if self.window is None else (self.window,) * self.layers
        return replace(super().design, windows=windows)


register_variant("mistral", "MistralForCausalLM", MistralConfig)
