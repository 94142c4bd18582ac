"""BERT: a bidirectional Transformer encoder that predicts masked words and next sentences.

Paper: Devlin, Chang, Lee, Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for
Language Understanding" (NAACL 2019). Reference code: google-research/bert, modeling.py.

    ids -> tokens + positions + segments -> LayerNorm -> N blocks -> hidden states     (see `encoder`)
    heads:  fill           hidden -> dense, activation, LayerNorm -> scores over the vocabulary
            pooler         the [CLS] state -> tanh(dense)
            next_sentence  pooled -> 2 scores (0: follows, 1: does not)

Multilingual BERT is a BERT: 119,547 pieces of 104 languages (Devlin 2018, google-research/bert,
multilingual.md).
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.encoder import Encoder, EncoderConfig
from explorer.models.family import Family, Rule, register
from explorer.models.naming import (
    BUFFERS,
    FIXED,
    KEYS,
    OLD_NAMES,
    OTHER_HEADS,
    affine,
    filling,
    layers,
    reader,
    tables,
    writer,
)
from explorer.trace import Ability

PARTS = frozenset({"pooler", "fill", "next_sentence"})
RENAMES = (*OLD_NAMES, ("cls.predictions.decoder.bias", "cls.predictions.bias"))


@dataclass(frozen=True)
class BertConfig(EncoderConfig):
    """Sizes and choices, named as everywhere in this project."""

    segments: int = 2


class Bert(Encoder):
    """The encoder and those of its heads (`parts`) that the checkpoint has."""

    config: BertConfig

    def __init__(self, config: BertConfig, parts: frozenset[str] = PARTS) -> None:
        super().__init__(config, parts)
        self.pooler = nn.Linear(config.d_model, config.d_model) if "pooler" in parts else None
        self.next = nn.Linear(config.d_model, 2) if "next_sentence" in parts else None

    def next_sentence(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for "the second sentence follows the first" (0) and "it does not" (1)."""
        assert self.next is not None and self.pooler is not None, "a model with the ability has the weights"
        scores: Tensor = self.next(torch.tanh(self.pooler(hidden[:, 0])))
        return scores


def abilities(parts: frozenset[str]) -> Ability:
    """What a checkpoint with these heads can do."""
    found = Ability.CONTEXT | Ability.ATTENTION
    if "fill" in parts:
        found |= Ability.FILL
    if {"next_sentence", "pooler"} <= parts:
        found |= Ability.NEXT_SENTENCE
    return found


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
        *affine("pooler", "pooler.dense", part="pooler"),
        *affine("next", "cls.seq_relationship", part="next_sentence"),
    )


register(
    Family(
        model_type="bert",
        config=BertConfig,
        read_config=reader(BertConfig),
        write_config=writer("bert", "BertForPreTraining"),
        network=Bert,
        rules=rules(),
        abilities=abilities,
        prefixes=("bert.",),
        renames=RENAMES,
        ignored=BUFFERS,
        other_heads=OTHER_HEADS,
        fixed=FIXED,
        tied=("cls.predictions.decoder.weight", "embeddings.word_embeddings.weight"),
        keys=KEYS,
    )
)
