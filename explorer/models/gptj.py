"""GPT-J: GPT-2 whose attention and MLP read the same normalised input side by side, with rotary positions.

Reference code: Wang, Komatsuzaki, "GPT-J-6B: A 6 Billion Parameter Autoregressive Language Model" (2021),
kingoflolz/mesh-transformer-jax, mesh_transformer/layers.py; there is no paper of its own.

What differs from GPT-NeoX: one norm for both parts; no biases in attention, but one in the output matrix.
Its files rotate neighbouring numbers of a head, and say how many are rotated.
"""

from dataclasses import dataclass
from typing import Any

from explorer.models.decoder_files import decoder_rules, register_decoder, with_rows
from explorer.models.fused import pairs_apart
from explorer.models.gpt import KEYS, read_sizes
from explorer.models.llama import LlamaConfig
from explorer.models.transformer import Design

PARTS = {
    "attention.qkv": "attn.q_proj attn.k_proj attn.v_proj",
    "attention.output": "attn.out_proj",
    "attention_norm": "ln_1",
    "mlp.up": "mlp.fc_in",
    "mlp.down": "mlp.fc_out",
}


@dataclass(frozen=True)
class GptJConfig(LlamaConfig):
    """Sizes and choices."""

    activation: str = "gelu_new"
    norm_eps: float = 1e-5

    @property
    def design(self) -> Design:
        """Attention and MLP side by side after one norm, and biases outside attention."""
        return Design(
            rotary=self.rotary,
            qkv_bias=False,
            output_bias=False,
            parallel=True,
            shared_norm=True,
            decoder_bias=True,
        )


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    d_head = raw["n_embd"] // raw["n_head"]
    return read_sizes(raw) | {"rotary_share": (raw.get("rotary_dim") or d_head) / d_head}


register_decoder(
    "gptj",
    "GPTJForCausalLM",
    GptJConfig,
    KEYS,
    with_rows(decoder_rules({"tokens": "wte", "norm": "ln_f"}, "h.{i}.", PARTS), pairs_apart),
    read_more=_read_more,
)
