"""RoBERTa: BERT trained longer and on more text, on masked words alone. XLM-R: the same in 100 languages.

CamemBERT is the same network for French. XLM-R XL and XXL are others (pre-norm), which are not read.

Papers: Liu, Ott, Goyal et al., "RoBERTa: A Robustly Optimized BERT Pretraining Approach" (2019);
Conneau, Khandelwal, Goyal et al., "Unsupervised Cross-lingual Representation Learning at Scale" (ACL
2020); Martin, Muller, Ortiz Suárez et al., "CamemBERT: a Tasty French Language Model" (ACL 2020);
Goyal et al., "Larger-Scale Transformers for Multilingual Masked Language Modeling" (2021). Reference
code: facebookresearch/fairseq, models/roberta.

What differs from BERT: no next sentence and one segment; the first token's position is the row after that
of the padding token, 2 in every published checkpoint; GELU in the masked-word head whatever the layers
have; `<s>`, `</s>` and `<mask>` where BERT has [CLS], [SEP] and [MASK]; byte-level BPE (RoBERTa) or
SentencePiece (XLM-R) where BERT has WordPiece.
"""

from dataclasses import dataclass
from typing import Any

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.bert import BertConfig, abilities
from explorer.models.encoder import Encoder
from explorer.models.family import Rule
from explorer.models.naming import BUFFERS, KEYS, filling, layers, register_encoder, tables

HEADS = frozenset({"mlm_head"})


@dataclass(frozen=True)
class RobertaConfig(BertConfig):
    """BERT's sizes; `first` is the row of the first position, and `positions` counts those from there on."""

    segments: int = 1
    first: int = 2


class Roberta(Encoder):
    """BERT's encoder, whose positions begin later in their table."""

    config: RobertaConfig
    mlm_activation = "gelu"

    def __init__(self, config: RobertaConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(config, heads)
        self.positions = nn.Embedding(config.positions + config.first, config.d_model)

    def position_vectors(self) -> Float[Tensor, "pos width"]:
        """The rows that texts use."""
        return self.positions.weight[self.config.first :]


def read_positions(raw: dict[str, Any]) -> dict[str, Any]:
    """The row of the first position, and the number of positions from there on."""
    first = raw.get("pad_token_id", 1) + 1
    return {"first": first, "positions": raw.get("max_position_embeddings", 514) - first}


def _rules() -> tuple[Rule, ...]:
    head = filling("lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder.weight")
    return (*tables(), *layers(), *head)


for _name in ("Roberta", "XLMRoberta", "Camembert"):
    register_encoder(
        _name.lower().replace("xlm", "xlm-"),
        f"{_name}ForMaskedLM",
        RobertaConfig,
        Roberta,
        _rules(),
        abilities,
        decoder="lm_head.decoder.weight",
        keys=KEYS | {"first": "pad_token_id"},
        read_more=read_positions,
        prefix="roberta.",
        renames=(("lm_head.decoder.bias", "lm_head.bias"),),
        ignored=(*BUFFERS, r"pooler\.dense\.(weight|bias)"),  # no task of RoBERTa's own reads the pooler
    )
