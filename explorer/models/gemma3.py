"""Gemma 3, the network for text: Gemma 2 with five local layers to a global one, without its caps.

Paper: Gemma Team, "Gemma 3 Technical Report" (2025), section 2. Reference code: google-deepmind/gemma,
gm/nn/_modules.py.

What differs from Gemma 2: queries and keys are normalised head by head instead of capped; local layers
rotate with a smaller base; the global ones may be scaled for longer texts.
"""

from dataclasses import dataclass, replace
from typing import Any

from explorer.models import gemma2
from explorer.models.llama import register_variant
from explorer.models.rope_scaling import read_rope
from explorer.models.rotary import Rotary
from explorer.models.transformer import Design

GLOBAL, LOCAL = "full_attention", "sliding_attention"


@dataclass(frozen=True)
class Gemma3Config(gemma2.Gemma2Config):
    """Gemma 2's sizes, and the base of the local layers."""

    positions: int = 131_072
    score_cap: float | None = None
    logit_cap: float | None = None
    rope_base: float = 1_000_000.0
    local_base: float = 10_000.0

    @property
    def design(self) -> Design:
        """Gemma 2's, with a norm of each head's queries and keys, and two rotary bases."""
        assert self.d_head, "settled by the configuration"
        return replace(super().design, head_norm=True, local_rotary=Rotary(self.d_head, self.local_base))


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    kinds = raw.get("rope_parameters") or {}
    scaling = kinds.get(GLOBAL) or raw.get("rope_scaling") or {}
    base = scaling.get("rope_theta", raw.get("rope_theta", Gemma3Config.rope_base))
    local = (kinds.get(LOCAL) or {}).get("rope_theta", raw.get("rope_local_base_freq", 10_000.0))
    more = gemma2.read_more(raw | {"rope_parameters": {}}, every=raw.get("sliding_window_pattern") or 6)
    rope_base, rope_scaling = read_rope(raw | {"rope_parameters": scaling | {"rope_theta": base}})
    # An encoder made of it, EmbeddingGemma, reads half of its window to either side.
    if not more["causal"] and raw.get("use_bidirectional_attention") and raw.get("sliding_window"):
        more["window"] = int(raw["sliding_window"]) // 2
    return more | {"rope_base": rope_base, "rope_scaling": rope_scaling, "local_base": float(local)}


register_variant(
    "gemma3_text",
    "Gemma3ForCausalLM",
    Gemma3Config,
    {ours: theirs for ours, theirs in gemma2.KEYS.items() if ours != "score_cap"},
    read_more=_read_more,
    rules=gemma2.RULES,
)
