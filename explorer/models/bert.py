"""BERT: a bidirectional Transformer encoder that predicts masked words and next sentences.

Paper: Devlin, Chang, Lee, Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for
Language Understanding" (NAACL 2019). Reference code: google-research/bert, modeling.py.

    ids -> tokens + positions + segments -> LayerNorm -> N blocks -> hidden states     (see `encoder`)
    heads:  mlm_head  hidden -> dense, activation, LayerNorm -> scores over the vocabulary
            pooler    the [CLS] state -> tanh(dense)
            nsp_head  pooled -> 2 scores (0: follows, 1: does not)

Multilingual BERT is a BERT: 119,547 pieces of 104 languages (Devlin 2018, google-research/bert,
multilingual.md).
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.encoder import Encoder, EncoderConfig
from explorer.models.family import Rule
from explorer.models.naming import OLD_NAMES, affine, filling, layers, register_encoder, tables
from explorer.trace import Ability

HEADS = frozenset({"pooler", "mlm_head", "nsp_head"})
RENAMES = (*OLD_NAMES, ("cls.predictions.decoder.bias", "cls.predictions.bias"))


@dataclass(frozen=True)
class BertConfig(EncoderConfig):
    """Sizes and choices, named as everywhere in this project."""

    segments: int = 2


class Bert(Encoder):
    """The encoder and those of its heads (`heads`) that the checkpoint has."""

    config: BertConfig

    def __init__(self, config: BertConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(config, heads)
        self.nsp_head = nn.Linear(config.d_model, 2) if "nsp_head" in heads else None

    def next_sentence(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for "the second sentence follows the first" (0) and "it does not" (1)."""
        return self.pair_scores(self.nsp_head, hidden)


def abilities(heads: frozenset[str]) -> Ability:
    """The abilities of a checkpoint with these heads."""
    result = Ability.CONTEXT | Ability.ATTENTION
    if "mlm_head" in heads:
        result |= Ability.FILL
    if {"nsp_head", "pooler"} <= heads:
        result |= Ability.NEXT_SENTENCE
    return result


def rules() -> tuple[Rule, ...]:
    """All parameters, as BERT's own files name them."""
    predictions = "cls.predictions."
    return (
        *tables(),
        *layers(),
        *filling(
            predictions + "transform.dense",
            predictions + "transform.LayerNorm",
            predictions + "bias",
            predictions + "decoder.weight",
        ),
        *affine("pooler", "pooler.dense", head="pooler"),
        *affine("nsp_head", "cls.seq_relationship", head="nsp_head"),
    )


register_encoder(
    "bert",
    "BertForPreTraining",
    BertConfig,
    Bert,
    rules(),
    abilities,
    decoder="cls.predictions.decoder.weight",
    renames=RENAMES,
)
