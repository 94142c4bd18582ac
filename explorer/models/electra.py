"""ELECTRA: an encoder that tells which tokens of a text were replaced.

Paper: Clark, Luong, Le, Manning, "ELECTRA: Pre-training Text Encoders as Discriminators Rather Than
Generators" (ICLR 2020). Reference code: google-research/electra.

    generator        a small BERT that fills blanks; its draws replace the words that were masked
    discriminator    hidden -> dense, activation -> one score a token (> 0: somebody replaced it)

The two are checkpoints of their own, of one architecture. What differs from BERT: a token's vector may be
narrower than a layer, and is then mapped to its width after the embedding's LayerNorm; no pooler and no
next sentence; GELU in the generator's head whatever the layers have. The two are not adversaries: the
generator learns by filling blanks, and gets no signal from the discriminator.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models import bert
from explorer.models.bert import BertConfig
from explorer.models.encoder import Encoder
from explorer.models.family import Rule
from explorer.models.layers import ACTIVATIONS
from explorer.models.naming import KEYS, affine, filling, layers, register_encoder, tables
from explorer.trace import Ability

HEADS = frozenset({"mlm_head", "discriminator_head"})


@dataclass(frozen=True)
class ElectraConfig(BertConfig):
    """BERT's sizes, and the width of a token's vector."""

    width: int = 128


class Electra(Encoder):
    """The encoder with the generator's head or the discriminator's."""

    mlm_activation = "gelu"

    def __init__(self, config: ElectraConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(config, heads)
        self.discriminator_head = DiscriminatorHead(config) if "discriminator_head" in heads else None

    def detect(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos"]:
        """A score for each position: above 0, the token is judged to be a replacement."""
        assert self.discriminator_head is not None, "a model with the ability has the weights"
        scores: Tensor = self.discriminator_head(hidden)
        return scores


class DiscriminatorHead(nn.Module):
    """Was this token replaced? One score, whose sigmoid is a probability."""

    def __init__(self, config: ElectraConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.d_model)
        self.activation = ACTIVATIONS[config.activation]
        self.score = nn.Linear(config.d_model, 1)

    def forward(self, hidden: Tensor) -> Tensor:
        scores: Tensor = self.score(self.activation(self.dense(hidden))).squeeze(-1)
        return scores


def _abilities(heads: frozenset[str]) -> Ability:
    return bert.abilities(heads) | (Ability.DETECT if "discriminator_head" in heads else Ability.NONE)


def _rules() -> tuple[Rule, ...]:
    generator, discriminator = "generator_predictions.", "discriminator_predictions."
    bias, decoder = "generator_lm_head.bias", "generator_lm_head.weight"
    return (
        *tables(),
        *affine("embedding_projection", "embeddings_project"),
        *layers(),
        *filling(generator + "dense", generator + "LayerNorm", bias, decoder),
        *affine("discriminator_head.dense", discriminator + "dense", head="discriminator_head"),
        *affine("discriminator_head.score", discriminator + "dense_prediction", head="discriminator_head"),
    )


register_encoder(
    "electra",
    "ElectraForPreTraining",
    ElectraConfig,
    Electra,
    _rules(),
    _abilities,
    decoder="generator_lm_head.weight",
    keys=KEYS | {"width": "embedding_size"},
    read_more=lambda raw: {"width": raw.get("embedding_size") or raw["hidden_size"]},
)
