"""Gemma: Llama with token vectors as long as its states, and an MLP with GELU.

Paper: Gemma Team, "Gemma: Open Models Based on Gemini Research and Technology" (2024), section 2. Reference
code: google-deepmind/gemma, gm/nn/_modules.py.

What differs from Llama: token vectors are multiplied by the square root of their width before the first
layer, while the same table predicts without it; a head is as wide as config.json says. Its files store the
gains of norms less 1.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from explorer.models.family import Rule
from explorer.models.llama import RMS_KEYS, RULES, LlamaConfig, read_rotary, register_variant
from explorer.models.transformer import Design

KEYS = RMS_KEYS | {"qkv_bias": "attention_bias"}
GELU = "gelu_pytorch_tanh"


@dataclass(frozen=True)
class GemmaConfig(LlamaConfig):
    """Llama's sizes."""

    positions: int = 8192
    activation: str = GELU
    tied: bool = True

    @property
    def design(self) -> Design:
        """Llama's, with scaled token vectors."""
        return replace(super().design, embedding_scale=self.d_model**0.5)


def read_more(raw: dict[str, Any]) -> dict[str, Any]:
    """As `read_wide`, with GELU by its exact name: the first Gemma's files say “gelu”."""
    activation = raw.get("hidden_activation") or raw.get("hidden_act") or GELU
    return read_wide(raw) | {"activation": GELU if activation == "gelu" else activation}


def read_wide(raw: dict[str, Any]) -> dict[str, Any]:
    """Rotary positions, the width of a head, the activation, and whether it reads from the left alone."""
    return read_rotary(raw) | {
        "d_head": raw.get("head_dim", 256),
        "activation": raw.get("hidden_activation") or GELU,
        "causal": not (raw.get("use_bidirectional_attention") or raw.get("is_causal") is False),
    }


def with_gains(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The same rules for files that store the gains of norms less 1."""
    gain = re.compile(r".*(norm|after)\.weight")
    return tuple(replace(rule, plus=1.0 if gain.fullmatch(rule.ours) else 0.0) for rule in rules)


register_variant("gemma", "GemmaForCausalLM", GemmaConfig, KEYS, read_more=read_more, rules=with_gains(RULES))
