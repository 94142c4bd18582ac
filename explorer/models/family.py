"""How an architecture describes itself to the loader, and the result of one forward pass."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.models.layers import Heads
from explorer.trace import Ability, Capture

LM_HEAD = "lm_head"  # the output matrix of a model that writes, where it is not the embedding
# Sizes that every config.json must have; others have defaults.
NEEDED = frozenset("d_vocab d_model layers heads d_mlp decoder_layers decoder_heads d_decoder_mlp".split())


@dataclass(frozen=True, eq=False)
class Pass:
    """One forward pass over a padded batch; what was not captured is None."""

    last: Float[Tensor, "batch pos d_model"]
    hidden_states: list[Float[Tensor, "batch pos d_model"]] | None = None
    heads: list[Heads] | None = None
    logits: Float[Tensor, "batch pos d_vocab"] | None = None


class Start(NamedTuple):
    """Where a pass goes on: `states` are what `layer` reads, and the layers below it are not computed."""

    layer: int
    states: Float[Tensor, "batch pos d_model"]


Block = TypeVar("Block", bound=nn.Module)


def run_blocks(
    embedding: Float[Tensor, "batch pos d_model"],
    blocks: Iterable[Block],
    run: Callable[[Block, int, Tensor], tuple[Tensor, Heads | None]],
    capture: Capture,
    unembed: Callable[[Tensor], Tensor] | None = None,
    start: Start | None = None,
) -> Pass:
    """One pass through all layers; `run(block, layer, x)` gives a layer's output and what its heads did.

    With a `start` it is one through the upper layers, and what it captures is theirs.
    """
    first, x = (0, embedding) if start is None else start
    hidden_states, all_heads = [x], []
    for layer, block in islice(enumerate(blocks), first, None):
        x, heads = run(block, layer, x)
        hidden_states.append(x)
        all_heads.append(heads)
    return Pass(
        last=x,
        hidden_states=hidden_states if Capture.HIDDEN in capture else None,
        heads=[h for h in all_heads if h is not None] if Capture.ATTENTION in capture else None,
        logits=unembed(x) if unembed is not None and Capture.LOGITS in capture else None,
    )


@dataclass(frozen=True)
class Rule:
    """One of our parameters, and its name or names in the hub's files.

    `{i}` runs over the layers. Several names are stacked along the output dimension.
    `transpose` undoes GPT-2's Conv1D, which stores a matrix as (input, output). `by_column` lays a
    table out in memory column by column, for products with few rows. If a file has the rows of a matrix in
    another order, `rows` gives, for a configuration, the file's row for each of ours. `plus` is added to the
    file's numbers: Gemma stores gains less 1.
    `head` names the head that the parameter belongs to: a checkpoint has all of a head or nothing of it.
    """

    ours: str
    theirs: tuple[str, ...]
    transpose: bool = False
    by_column: bool = False
    rows: Callable[[Any], Int[Tensor, "row"]] | None = None
    plus: float = 0.0
    head: str = ""


@dataclass(frozen=True)
class Family:
    """An architecture as the loader sees it: data, and two small functions.

    `config` is the frozen dataclass of its sizes, and `keys` are config.json's names for its fields;
    `read_more` converts what has another form there. `architecture` is the class of
    `transformers` that reads its files. `prefixes` are removed from hub names,
    `renames` are other spellings, `ignored` are regular expressions for buffers, `other_heads` for
    heads that fine-tuning added, which are not used here. `fixed` are settings in config.json with
    the only value that the network supports.
    `tied` are the hub's names of the output matrix and of the embedding that it may share.
    """

    model_type: str
    config: type
    network: type[nn.Module]
    rules: tuple[Rule, ...]
    abilities: Callable[[frozenset[str]], Ability]
    keys: Mapping[str, str]
    architecture: str = ""
    read_more: Callable[[dict[str, Any]], dict[str, Any]] = lambda raw: {}
    prefixes: tuple[str, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    other_heads: tuple[str, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()
    tied: tuple[str, str] | None = None

    def read_config(self, raw: dict[str, Any]) -> Any:
        """The configuration in a config.json. Raises KeyError for a missing size."""
        more = self.read_more(raw)
        if (
            raw.get("is_causal") is False
        ):  # a decoder that was made into an encoder; others have no such field
            more = {"causal": False} | more
        plain = {
            name: raw[key]
            for name, key in self.keys.items()
            if name not in more and (name in NEEDED or key in raw)
        }
        return self.config(**plain, **more)


FAMILIES: dict[str, Family] = {}


def register(family: Family) -> Family:
    """Add an architecture to `FAMILIES`, under its `model_type`."""
    FAMILIES[family.model_type] = family
    return family
