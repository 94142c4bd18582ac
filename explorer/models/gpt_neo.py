"""GPT-Neo: GPT-2 whose every other layer reads a window of the text alone. TinyStories' models are such.

Reference code: Black, Gao, Wang, Leahy, Biderman, "GPT-Neo" (2021), EleutherAI/gpt-neo,
models/gpt2/gpt2.py; there is no paper of its own. TinyStories: Eldan, Li, "TinyStories: How Small Can
Language Models Be and Still Speak Coherent English?" (2023). Windows and whole texts in turn: Child, Gray,
Radford, Sutskever, "Generating Long Sequences with Sparse Transformers" (2019).

What differs from GPT-2 besides: queries, keys and values have no biases, and scores are not divided by the
square root of d_head.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from explorer.models.decoder_files import decoder_rules, register_decoder
from explorer.models.transformer import Design, TransformerConfig
from explorer.models.windows import local_layers, windows_of

KEYS = {
    "d_vocab": "vocab_size",
    "d_model": "hidden_size",
    "layers": "num_layers",
    "heads": "num_heads",
    "d_mlp": "intermediate_size",
    "positions": "max_position_embeddings",
    "activation": "activation_function",
    "norm_eps": "layer_norm_epsilon",
    "tied": "tie_word_embeddings",
    "window": "window_size",
}
TABLES = {"tokens": "wte", "positions": "wpe", "norm": "ln_f"}
PARTS = {
    "attention.qkv": "attn.attention.q_proj attn.attention.k_proj attn.attention.v_proj",
    "attention.output": "attn.attention.out_proj",
    "attention_norm": "ln_1",
    "mlp.up": "mlp.c_fc",
    "mlp.down": "mlp.c_proj",
    "mlp_norm": "ln_2",
}


@dataclass(frozen=True)
class GptNeoConfig(TransformerConfig):
    """Sizes, how many positions a window has, and for each layer whether it reads one (None: none does)."""

    positions: int = 2048
    window: int = 256
    local: tuple[bool, ...] | None = None

    @property
    def design(self) -> Design:
        """No biases before the heads, scores as they are, windows in some layers."""
        return Design(qkv_bias=False, score_scale=1.0, windows=windows_of(self.local, self.window))


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    d_mlp = raw.get("intermediate_size") or 4 * raw["hidden_size"]
    kinds = raw.get("attention_layers") or _kinds(raw)
    return {"d_mlp": d_mlp, "local": local_layers(kinds, raw["num_layers"])}


def _kinds(raw: dict[str, Any]) -> Iterator[str]:
    """The kinds of the layers in turn: [[["global", "local"], 12]] are 24."""
    for kinds, times in raw.get("attention_types") or [[["global", "local"], 12]]:
        for again in repeat(kinds, times if kinds else 0):
            yield from again


register_decoder(
    "gpt_neo",
    "GPTNeoForCausalLM",
    GptNeoConfig,
    KEYS,
    decoder_rules(TABLES, "h.{i}.", PARTS),
    read_more=_read_more,
)
