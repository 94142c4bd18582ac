"""What every architecture says of itself to the loader, and what one forward pass of it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.models.layers import Heads
from explorer.trace import Ability


@dataclass(frozen=True, eq=False)
class Pass:
    """One forward pass over a padded batch; what was not captured is None."""

    last: Float[Tensor, "batch pos d_model"]
    hidden_states: list[Float[Tensor, "batch pos d_model"]] | None = None
    heads: list[Heads] | None = None
    logits: Float[Tensor, "batch pos d_vocab"] | None = None


@dataclass(frozen=True)
class Rule:
    """One of our parameters, and where the hub's files keep it.

    `{i}` runs over the layers. Several names are stacked along the output dimension.
    `transpose` undoes GPT-2's Conv1D, which stores a matrix as (input, output). `by_column` lays a
    table out in memory column by column, for products with few rows. `rows` says of a configuration
    which row of the file's matrix each of ours is, where a file has them in another order.
    `part` names the head that the parameter belongs to: a checkpoint has it whole or not at all.
    """

    ours: str
    theirs: tuple[str, ...]
    transpose: bool = False
    by_column: bool = False
    rows: Callable[[Any], Int[Tensor, "row"]] | None = None
    part: str = ""


@dataclass(frozen=True)
class Family:
    """An architecture as the loader sees it: pure data, and three small functions.

    `config` is the frozen dataclass of its sizes. `prefixes` are stripped from hub names,
    `renames` are other spellings, `ignored` are regular expressions for buffers, `other_heads` for
    what fine-tuning put on top, of no use here. `fixed` are choices in config.json that the network
    makes one way only.
    `keys` are config.json's words for the fields of `config`, where they differ.
    `tied` are the hub's names of the output matrix and of the embedding that it may share.

    >>> from explorer.models import FAMILIES
    >>> gpt = FAMILIES["gpt2"]
    >>> gpt.network.__name__, gpt.config.__name__, gpt.rules[0].theirs
    ('Gpt', 'GptConfig', ('wte.weight',))
    """

    model_type: str
    config: type
    read_config: Callable[[dict[str, Any]], Any]
    write_config: Callable[[Any], dict[str, Any]]
    network: Callable[..., nn.Module]
    rules: tuple[Rule, ...]
    abilities: Callable[[frozenset[str]], Ability]
    prefixes: tuple[str, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    other_heads: tuple[str, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()
    tied: tuple[str, str] | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


FAMILIES: dict[str, Family] = {}


def register(family: Family) -> Family:
    """Make an architecture known to the loader, under its `model_type`."""
    FAMILIES[family.model_type] = family
    return family
