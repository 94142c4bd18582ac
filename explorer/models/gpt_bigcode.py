"""GPT-BigCode: GPT-2 with one key and one value for all queries. SantaCoder and StarCoder are such.

Papers: Ben Allal et al., "SantaCoder: don't reach for the stars!" (2023), section 4; Shazeer, "Fast
Transformer Decoding: One Write-Head is All You Need" (2019). Reference code: bigcode-project/Megatron-LM.
"""

from dataclasses import dataclass

from explorer.models import gpt
from explorer.models.decoder_files import decoder_rules, register_decoder
from explorer.models.transformer import TransformerConfig


@dataclass(frozen=True)
class GptBigCodeConfig(TransformerConfig):
    """GPT-2's sizes, with one key."""

    activation: str = "gelu_pytorch_tanh"
    kv_heads: int | None = 1


register_decoder(
    "gpt_bigcode",
    "GPTBigCodeForCausalLM",
    GptBigCodeConfig,
    gpt.KEYS,
    decoder_rules(gpt.TABLES, "h.{i}.", gpt.PARTS),
    read_more=gpt.read_sizes,
    fixed=(("multi_query", True), ("scale_attn_weights", True), ("add_cross_attention", False)),
)
