"""Gemma 2: Gemma with norms before and after each part, soft caps, and every second layer local.

Paper: Gemma Team, "Gemma 2: Improving Open Language Models at a Practical Size" (2024), section 2. Reference
code: google-deepmind/gemma, gm/nn/_modules.py.

What differs from Gemma: what attention and MLP give is normalised before it is added; scores and logits are
bent so that they stay within a cap; scores are divided by the root of a number that config.json gives; every
second layer reads a window.
"""

from dataclasses import dataclass, replace
from typing import Any

from explorer.models import gemma
from explorer.models.decoder_files import decoder_rules
from explorer.models.llama import PARTS, TABLES, register_variant
from explorer.models.transformer import Design
from explorer.models.windows import local_layers, windows_of

KEYS = gemma.KEYS | {
    "activation": "hidden_activation",
    "window": "sliding_window",
    "query_scalar": "query_pre_attn_scalar",
    "score_cap": "attn_logit_softcapping",
    "logit_cap": "final_logit_softcapping",
}
RULES = gemma.with_gains(
    decoder_rules(
        TABLES,
        "layers.{i}.",
        PARTS
        | {
            "attention_after": "post_attention_layernorm",
            "mlp_norm": "pre_feedforward_layernorm",
            "mlp_after": "post_feedforward_layernorm",
        },
    )
)


@dataclass(frozen=True)
class Gemma2Config(gemma.GemmaConfig):
    """Gemma's sizes, the caps, and for each layer whether it reads a window."""

    window: int | None = 4096
    local: tuple[bool, ...] | None = None
    query_scalar: int = 256
    score_cap: float | None = 50.0
    logit_cap: float | None = 30.0

    @property
    def design(self) -> Design:
        """Gemma's, with a norm after each part as well, caps, and windows."""
        return replace(
            super().design,
            norm_after=True,
            score_scale=self.query_scalar**-0.5,
            score_cap=self.score_cap,
            logit_cap=self.logit_cap,
            windows=windows_of(self.local, self.window),
        )


def read_more(raw: dict[str, Any], every: int = 2) -> dict[str, Any]:
    """Gemma's, and the kinds of the layers: without a list, each but `every` second (or sixth) is local."""
    layers = raw["num_hidden_layers"]
    kinds = raw.get("layer_types") or ("local" if (i + 1) % every else "global" for i in range(layers))
    return gemma.read_wide(raw) | {"local": local_layers(kinds, layers)}


register_variant("gemma2", "Gemma2ForCausalLM", Gemma2Config, KEYS, read_more=read_more, rules=RULES)
