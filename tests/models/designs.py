"""Tiny Transformers of designs by hand, so that what reads a `Design` reads those that no family has."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from explorer.models import LanguageModel
from explorer.models.rope_scaling import RopeScaling, Yarn
from explorer.models.rotary import Rotary
from explorer.models.transformer import Design, Transformer, TransformerConfig
from tests import tiny
from tests.models import families

D_HEAD, LAYERS = 10, 3
LOCAL = (None, 2, None)
DESIGNS = {
    "a parallel block that turns a part of each head": Design(parallel=True, rotary=Rotary(4)),
    "queries and keys normalised head by head": Design(
        rms=True,
        gated=True,
        head_norm=True,
        rotary=Rotary(D_HEAD, 1e6, RopeScaling(8.0, 1.0, 4.0, 32)),
        output_bias=False,
        mlp_bias=False,
    ),
    "scores that are not divided, and every second layer with a window": Design(
        score_scale=1.0, qkv_bias=False, windows=LOCAL
    ),
    "norms after its parts, and multipliers": Design(
        rms=True,
        norm_first=False,
        norm_after=True,
        head_norm=True,
        wide_norm=True,
        rotary=Rotary(D_HEAD, 500.0, Yarn(4.0, 8, 1.2)),
        rotated=(False, True, True),
        score_scale=0.2,
        residual_scale=0.7,
        embedding_scale=3.0,
    ),
    "capped scores that fall with the distance, and one norm without a gain": Design(
        norm_gain=False,
        norm_bias=False,
        embedding_norm=True,
        alibi=True,
        score_cap=0.7,
        parallel=True,
        shared_norm=True,
        decoder_bias=True,
        logit_scale=1.3,
        logit_cap=2.0,
    ),
    "both directions, and no norm at first": Design(
        causal=False,
        norm_bias=False,
        first_norm=False,
        rotary=Rotary(D_HEAD),
        local_rotary=Rotary(D_HEAD, 100.0),
        windows=LOCAL,
        qkv_bias=False,
        output_bias=False,
        mlp_bias=False,
        gated=True,
    ),
}


@dataclass(frozen=True)
class HandMade(TransformerConfig):
    """Sizes with a design that is given."""

    own: Design = field(default_factory=Design)

    @property
    def design(self) -> Design:
        """The one that was given."""
        return self.own


def build(name: str, folder: Path) -> LanguageModel:
    """A network of one of the designs with random weights, and GPT-2's tokenizer."""
    like = families.build("gpt2", folder)
    sizes = dict(d_model=35, layers=LAYERS, heads=6, kv_heads=3, d_head=D_HEAD, d_mlp=53, positions=61)
    config = HandMade(tiny.GPT["vocab_size"], **sizes, own=DESIGNS[name])
    return replace(like, config=config, network=tiny.shake(Transformer(config)))
