"""MPNet: BERT that also adds a learnt number to each score, by the distance of the two tokens.

Paper: Song, Tan, Qin, Lu, Liu, "MPNet: Masked and Permuted Pre-training for Language Understanding" (NeurIPS
2020), section 3.1. Reference code: microsoft/MPNet, pretraining/fairseq/models/masked_permutation_net. Many
models of sentences are made from it (all-mpnet-base-v2).

What differs from RoBERTa: no segments; what is added to the scores (see `scoring`), one table for all layers;
other names in its files.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.bert import abilities
from explorer.models.encoder import Encoder, EncoderConfig
from explorer.models.family import Rule
from explorer.models.naming import BUFFERS, FIXED, ONE_TEXT, affine, filling, register_encoder, tables
from explorer.models.roberta import read_positions
from explorer.models.scoring import Scoring

HEADS = frozenset({"mlm_head"})
BUCKETS = 32  # of distances


@dataclass(frozen=True)
class MpnetConfig(EncoderConfig):
    """BERT's sizes; `first` is the row of the first position."""

    first: int = 2


class Mpnet(Encoder):
    """BERT's encoder without segments, with a table of distances."""

    config: MpnetConfig
    memory_efficient = False  # the last layer at some positions alone would need their distances
    mlm_activation = "gelu"

    def __init__(self, config: MpnetConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(config, heads)
        self.positions = nn.Embedding(config.positions + config.first, config.d_model)
        self.distances = nn.Embedding(BUCKETS, config.heads)
        for block in self.blocks:
            block.attention.scoring = Scoring(table=self.distances)

    def position_vectors(self) -> Float[Tensor, "pos width"]:
        """The rows that texts use."""
        return self.positions.weight[self.config.first :]


def _rules() -> tuple[Rule, ...]:
    ours, theirs = "blocks.{i}.", "encoder.layer.{i}."
    return (
        *tables(segments=False),
        Rule("distances.weight", ("encoder.relative_attention_bias.weight",)),
        *affine(ours + "attention.qkv", *(f"{theirs}attention.attn.{n}" for n in "qkv")),
        *affine(ours + "attention.output", theirs + "attention.attn.o"),
        *affine(ours + "attention_norm", theirs + "attention.LayerNorm"),
        *affine(ours + "mlp.up", theirs + "intermediate.dense"),
        *affine(ours + "mlp.down", theirs + "output.dense"),
        *affine(ours + "mlp_norm", theirs + "output.LayerNorm"),
        *filling("lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder.weight"),
    )


register_encoder(
    "mpnet",
    "MPNetForMaskedLM",
    MpnetConfig,
    Mpnet,
    _rules(),
    abilities,
    decoder="lm_head.decoder.weight",
    keys=ONE_TEXT,
    read_more=lambda raw: read_positions(raw | {"pad_token_id": 1}),  # whatever the token of padding is
    fixed=(*FIXED, ("relative_attention_num_buckets", BUCKETS)),
    renames=(("lm_head.decoder.bias", "lm_head.bias"),),
    ignored=(*BUFFERS, r"pooler\.dense\.(weight|bias)"),  # no task of its own reads the pooler
)
