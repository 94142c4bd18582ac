"""The names in the hub's files of BERT and similar models: sizes in config.json, and parameters."""

from collections.abc import Callable, Mapping
from typing import Any

from torch import nn

from explorer.models.encoder import EncoderConfig
from explorer.models.family import Family, Rule, register
from explorer.trace import Ability

# config.json's words for our fields, of a model that reads one text; and of one that reads two.
ONE_TEXT = {
    "d_vocab": "vocab_size",
    "d_model": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "d_mlp": "intermediate_size",
    "positions": "max_position_embeddings",
    "activation": "hidden_act",
    "norm_eps": "layer_norm_eps",
    "tied": "tie_word_embeddings",
}
KEYS = ONE_TEXT | {"segments": "type_vocab_size"}
# Settings with the only value that the encoder supports.
FIXED: tuple[tuple[str, Any], ...] = (
    ("position_embedding_type", "absolute"),
    ("is_decoder", False),
    ("add_cross_attention", False),
)
OLD_NAMES = ((".gamma", ".weight"), (".beta", ".bias"))
BUFFERS = (r"embeddings\.(position_ids|token_type_ids)",)
# Classifiers added by fine-tuning; the encoder below them is used without them.
OTHER_HEADS = (r"(classifier|qa_outputs|classifier\.(dense|out_proj))\.(weight|bias)",)


def affine(ours: str, *theirs: str, head: str = "") -> list[Rule]:
    """Where the hub keeps the weight and the bias of a linear map or of a normalisation."""
    kinds = ("weight", "bias")
    return [Rule(f"{ours}.{kind}", tuple(f"{n}.{kind}" for n in theirs), head=head) for kind in kinds]


def tables(segments: bool = True) -> list[Rule]:
    """The parameters of the embedding."""
    theirs = {"tokens": "word", "positions": "position"} | ({"segments": "token_type"} if segments else {})
    rules = [
        Rule(f"{our}.weight", (f"embeddings.{their}_embeddings.weight",)) for our, their in theirs.items()
    ]
    return [*rules, *affine("norm", "embeddings.LayerNorm")]


def layers() -> list[Rule]:
    """The parameters of a layer, as BERT's own files name them."""
    ours, theirs = "blocks.{i}.", "encoder.layer.{i}."
    return [
        *affine(ours + "attention.qkv", *(f"{theirs}attention.self.{n}" for n in ("query", "key", "value"))),
        *affine(ours + "attention.output", theirs + "attention.output.dense"),
        *affine(ours + "attention_norm", theirs + "attention.output.LayerNorm"),
        *affine(ours + "mlp.up", theirs + "intermediate.dense"),
        *affine(ours + "mlp.down", theirs + "output.dense"),
        *affine(ours + "mlp_norm", theirs + "output.LayerNorm"),
    ]


def filling(dense: str, norm: str, bias: str, decoder: str) -> list[Rule]:
    """The parameters of the masked-word head."""
    return [
        Rule("mlm_head.bias", (bias,), head="mlm_head"),
        Rule("mlm_head.decoder", (decoder,), head="mlm_head"),
        *affine("mlm_head.dense", dense, head="mlm_head"),
        *affine("mlm_head.norm", norm, head="mlm_head"),
    ]


def register_encoder(
    model_type: str,
    architecture: str,
    config: type[EncoderConfig],
    network: type[nn.Module],
    rules: tuple[Rule, ...],
    abilities: Callable[[frozenset[str]], Ability],
    decoder: str,
    keys: Mapping[str, str] = KEYS,
    prefix: str = "",
    **changes: Any,
) -> None:
    """Add an encoder whose files are like BERT's; `decoder` is the hub's name of its output matrix.

    `changes` are fields of `Family` that differ from BERT's.
    """
    plain = {"renames": OLD_NAMES, "ignored": BUFFERS, "other_heads": OTHER_HEADS, "fixed": FIXED}
    register(
        Family(
            model_type=model_type,
            architecture=architecture,
            config=config,
            network=network,
            rules=rules,
            abilities=abilities,
            prefixes=(prefix or f"{model_type}.",),
            tied=(decoder, "embeddings.word_embeddings.weight"),
            keys=keys,
            **(plain | changes),
        )
    )
