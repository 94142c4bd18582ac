"""The names in the hub's files of models that write: their parameters, buffers and heads."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from jaxtyping import Int
from torch import Tensor

from explorer.models.family import LM_HEAD, Family, Rule, register
from explorer.models.naming import affine
from explorer.models.transformer import Transformer, TransformerConfig
from explorer.trace import Ability

BUFFERS = (
    r"(.*\.)?(rotary_emb\.inv_freq|masked_bias|embed_positions)",
    r"(h\.\d+\.attn|h\.\d+\.attn\.attention|layers\.\d+\.attention)\.bias",
)
OTHER_HEADS = (r"(score|classifier|qa_outputs|multiple_choice_head\.summary)\.(weight|bias)",)


def decoder_rules(tables: Mapping[str, str], layer: str, parts: Mapping[str, str]) -> tuple[Rule, ...]:
    """The parameters of a decoder: of its tables and its final norm, and of the parts of each `layer`.

    Both map our names to the hub's; several with spaces between are stacked.
    """
    theirs = {"decoder": "lm_head"} | dict(tables)
    theirs |= {f"blocks.{{i}}.{ours}": layer + name.replace(" ", f" {layer}") for ours, name in parts.items()}
    output = theirs.pop("decoder")
    return (
        # This may be the output matrix, too.
        Rule("tokens.weight", (f"{theirs.pop('tokens')}.weight",), by_column=True),
        Rule("decoder", (f"{output}.weight",), by_column=True, head=LM_HEAD),
        Rule("decoder_bias", (f"{output}.bias",), head=LM_HEAD),
        *(rule for ours, names in theirs.items() for rule in affine(ours, *names.split())),
    )


def with_rows(rules: tuple[Rule, ...], rows: Callable[[Any], Int[Tensor, "row"]]) -> tuple[Rule, ...]:
    """The same rules for files that have the rows of queries, keys and values in another order."""
    return tuple(replace(rule, rows=rows) if ".attention.qkv." in rule.ours else rule for rule in rules)


def abilities(heads: frozenset[str]) -> Ability:
    """What a decoder can do: it writes if it has an output matrix."""
    writes = Ability.GENERATE if LM_HEAD in heads else Ability.NONE
    return Ability.CONTEXT | Ability.ATTENTION | writes


def register_decoder(
    model_type: str,
    architecture: str,
    config: type[TransformerConfig],
    keys: Mapping[str, str],
    rules: tuple[Rule, ...],
    prefix: str = "transformer.",
    **changes: Any,
) -> None:
    """Add a decoder with these names; `changes` are fields of `Family` that differ."""
    tokens, output = (rule.theirs[0] for rule in rules[:2])
    plain: dict[str, Any] = {"network": Transformer, "ignored": BUFFERS, "other_heads": OTHER_HEADS}
    register(
        Family(
            model_type=model_type,
            architecture=architecture,
            config=config,
            rules=rules,
            abilities=abilities,
            tied=(output, tokens),
            prefixes=(prefix,),
            keys=keys,
            **(plain | changes),
        )
    )
