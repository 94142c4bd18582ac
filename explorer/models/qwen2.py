"""Qwen2: Llama with biases on queries, keys and values only.

Papers: Bai et al., "Qwen Technical Report" (2023), section 2.3, for the biases; Yang et al., "Qwen2
Technical Report" (2024), section 2.2. Reference code: QwenLM/Qwen, modeling_qwen.py. Qwen2.5 is the same
network.

Its files may give the upper layers a window; in most of them it is switched off.
"""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from explorer.models.llama import LlamaConfig, register_variant, sizes
from explorer.models.transformer import Design, Transformer
from explorer.models.windows import kinds_of, local_layers, windows_of

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


class Qwen2(Transformer):
    """The decoder."""


Config = TypeVar("Config", bound=Qwen2Config)


def read_windows(config: type[Config], raw: dict[str, Any]) -> Config:
    """The configuration in a config.json, whose windows are ignored without `use_sliding_window`."""
    if not raw.get("use_sliding_window") or raw.get("sliding_window") is None:
        return sizes(config, raw | {"sliding_window": None})
    first = raw.get("max_window_layers", 28)
    layers = range(raw["num_hidden_layers"])
    kinds = raw.get("layer_types") or ("local" if layer >= first else "global" for layer in layers)
    return sizes(config, raw, local=local_layers(kinds, raw["num_hidden_layers"]))


def write_windows(config: Qwen2Config) -> dict[str, Any]:
    """The windows of a configuration, for a config.json."""
    if config.local is None:
        return {"use_sliding_window": False}
    kinds = kinds_of(config.local)
    return {"use_sliding_window": True, "max_window_layers": config.local.index(True), "layer_types": kinds}


register_variant(
    "qwen2",
    "Qwen2ForCausalLM",
    Qwen2Config,
    Qwen2,
    lambda raw: read_windows(Qwen2Config, raw),
    write_windows,
    FIXED,
)
