"""DistilBERT: half of BERT's layers, taught to give what BERT gives.

Paper: Sanh, Debut, Chaumond, Wolf, "DistilBERT, a distilled version of BERT: smaller, faster, cheaper and
lighter" (2019). Reference code: `transformers`, models/distilbert.

What differs from BERT: no segments, no pooler and no next sentence; other names in its files. It learnt
from BERT's probabilities at each blank, not only from the word that stood there.
"""

from dataclasses import dataclass

from explorer.models.bert import abilities
from explorer.models.encoder import Encoder, EncoderConfig
from explorer.models.family import Rule
from explorer.models.naming import affine, filling, register_encoder, tables

HEADS = frozenset({"mlm_head"})
KEYS = {
    "d_vocab": "vocab_size",
    "d_model": "dim",
    "layers": "n_layers",
    "heads": "n_heads",
    "d_mlp": "hidden_dim",
    "positions": "max_position_embeddings",
    "activation": "activation",
    "tied": "tie_word_embeddings",
}


@dataclass(frozen=True)
class DistilBertConfig(EncoderConfig):
    """Sizes and choices, named as everywhere in this project."""

    layers: int = 6


class DistilBert(Encoder):
    """BERT's encoder without segments."""

    def __init__(self, config: DistilBertConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(config, heads)


def _rules() -> tuple[Rule, ...]:
    ours, theirs = "blocks.{i}.", "transformer.layer.{i}."
    return (
        *tables(segments=False),
        *affine(ours + "attention.qkv", *(f"{theirs}attention.{n}_lin" for n in "qkv")),
        *affine(ours + "attention.output", theirs + "attention.out_lin"),
        *affine(ours + "attention_norm", theirs + "sa_layer_norm"),
        *affine(ours + "mlp.up", theirs + "ffn.lin1"),
        *affine(ours + "mlp.down", theirs + "ffn.lin2"),
        *affine(ours + "mlp_norm", theirs + "output_layer_norm"),
        *filling("vocab_transform", "vocab_layer_norm", "vocab_projector.bias", "vocab_projector.weight"),
    )


register_encoder(
    "distilbert",
    "DistilBertForMaskedLM",
    DistilBertConfig,
    DistilBert,
    _rules(),
    abilities,
    decoder="vocab_projector.weight",
    keys=KEYS,
    renames=(),
    other_heads=(r"(pre_classifier|classifier|qa_outputs)\.(weight|bias)",),
    fixed=(),
)
