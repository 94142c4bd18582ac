"""What every architecture shares: its registration, one forward pass's result, and what a Model offers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.layers import Heads
from explorer.tokenizers import Tokenizer
from explorer.trace import Ability, Capture, Checkpoint, Edit, Encoding, Trace

Text = str | Sequence[str]  # a text, or its words as somebody has separated them


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
    `transpose` undoes GPT-2's Conv1D, which stores a matrix as (input, output).
    `part` names the head that the parameter belongs to: a checkpoint has it whole or not at all.
    """

    ours: str
    theirs: tuple[str, ...]
    transpose: bool = False
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


@runtime_checkable
class Model(Protocol):
    """What analyses and views use of a model: a LanguageModel is one, and so can one elsewhere be.

    It has no network to reach into. What needs one says so by an ability, and takes a LanguageModel.
    The methods are explained where `LanguageModel` has them.
    """

    @property
    def checkpoint(self) -> Checkpoint: ...
    @property
    def config(self) -> Any: ...
    @property
    def tokenizer(self) -> Tokenizer: ...
    @property
    def abilities(self) -> Ability: ...
    @property
    def device(self) -> torch.device: ...
    @property
    def table(self) -> Float[Tensor, "d_vocab d_model"] | None: ...
    def encode(self, text: Text, pair: str | None = None, limit: int | None = None) -> Encoding: ...
    def trace(
        self,
        text: Text,
        pair: str | None = None,
        capture: Capture = Capture.ALL,
        limit: int | None = None,
        edit: Edit | None = None,
        state: Any = None,
    ) -> Trace: ...
    def trace_many(self, texts: Iterable[Text], capture: Capture = Capture.HIDDEN) -> Iterator[Trace]: ...
    def trace_encodings(
        self,
        encodings: Sequence[Encoding],
        capture: Capture = Capture.ALL,
        edit: Edit | None = None,
        state: Any = None,
    ) -> list[Trace]: ...
    def states_at(
        self, encodings: Sequence[Encoding], places: Sequence[Sequence[int]]
    ) -> list[Float[Tensor, "depth place d_model"]]: ...
    def run(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
    ) -> Pass: ...
    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]: ...
    def next_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]: ...
    def previous_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]: ...
    def next_sentence(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]: ...
    def require(self, ability: Ability, purpose: str) -> None: ...
