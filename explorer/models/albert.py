"""ALBERT: a BERT that has one layer, and runs it again and again.

Paper: Lan, Chen, Goodman, Gimpel, Sharma, Soricut, "ALBERT: A Lite BERT for Self-supervised Learning of
Language Representations" (ICLR 2020). Reference code: google-research/albert.

What differs from BERT: all layers share one set of parameters; a token's vector has 128 numbers, and is
mapped to a layer's width after the embedding's LayerNorm; SentencePiece where BERT has WordPiece. Beside
masked words it learnt the order of two sentences, which is not BERT's second task: both texts of a pair
belong together, and it judges which one came first.

    sop_head  pooled -> 2 scores (0: in this order, 1: the other way round)
"""

from collections.abc import Iterator
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models import bert
from explorer.models.bert import BertConfig
from explorer.models.encoder import Block, Encoder
from explorer.models.family import Rule
from explorer.models.layers import LayerList
from explorer.models.naming import FIXED, KEYS, OLD_NAMES, affine, filling, register_encoder, tables
from explorer.trace import Ability

HEADS = frozenset({"pooler", "mlm_head", "sop_head"})
WIDTH = {"width": "embedding_size"}


@dataclass(frozen=True)
class AlbertConfig(BertConfig):
    """BERT's sizes, and the width of a token's vector."""

    width: int = 128
    activation: str = "gelu_new"


class Shared(nn.Module):
    """One layer that takes the place of several."""

    def __init__(self, block: Block, layers: int) -> None:
        super().__init__()
        self.block, self.layers = block, layers

    def __len__(self) -> int:
        return self.layers

    def __iter__(self) -> Iterator[Block]:
        return iter([self.block] * self.layers)

    def __getitem__(self, index: int, /) -> Block:
        if not -self.layers <= index < self.layers:
            raise IndexError(f"there is no layer {index} of {self.layers}")
        return self.block


class Albert(Encoder):
    """The encoder and those of its heads (`heads`) that the checkpoint has."""

    blocks: LayerList[Block]

    def __init__(self, config: AlbertConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(config, heads)
        self.embedding_projection = nn.Linear(config.width, config.d_model)  # also where the two are equal
        self.blocks = Shared(self.blocks[0], config.layers)
        self.sop_head = nn.Linear(config.d_model, 2) if "sop_head" in heads else None

    def sentence_order(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for "the sentences are in their order" (0) and "they were swapped" (1)."""
        return self.pair_scores(self.sop_head, hidden)


def _abilities(heads: frozenset[str]) -> Ability:
    ordered = {"sop_head", "pooler"} <= heads
    return bert.abilities(heads) | (Ability.SENTENCE_ORDER if ordered else Ability.NONE)


def _rules() -> tuple[Rule, ...]:
    ours, theirs, head = "blocks.block.", "encoder.albert_layer_groups.0.albert_layers.0.", "predictions."
    return (
        *tables(),
        *affine("embedding_projection", "encoder.embedding_hidden_mapping_in"),
        *affine(ours + "attention.qkv", *(f"{theirs}attention.{n}" for n in ("query", "key", "value"))),
        *affine(ours + "attention.output", theirs + "attention.dense"),
        *affine(ours + "attention_norm", theirs + "attention.LayerNorm"),
        *affine(ours + "mlp.up", theirs + "ffn"),
        *affine(ours + "mlp.down", theirs + "ffn_output"),
        *affine(ours + "mlp_norm", theirs + "full_layer_layer_norm"),
        *filling(head + "dense", head + "LayerNorm", head + "bias", head + "decoder.weight"),
        *affine("pooler", "pooler", head="pooler"),
        *affine("sop_head", "sop_classifier.classifier", head="sop_head"),
    )


register_encoder(
    "albert",
    "AlbertForPreTraining",
    AlbertConfig,
    Albert,
    _rules(),
    _abilities,
    decoder="predictions.decoder.weight",
    keys=KEYS | WIDTH,
    renames=(*OLD_NAMES, ("predictions.decoder.bias", "predictions.bias")),
    # The paper also tries groups of layers; every published checkpoint has one.
    fixed=(*FIXED, ("num_hidden_groups", 1), ("inner_group_num", 1)),
)
