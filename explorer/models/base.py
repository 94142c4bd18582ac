"""The protocol of a model for analyses and views, which LanguageModel implements."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.family import Pass
from explorer.tokenizers import Tokenizer
from explorer.trace import Ability, Capture, Checkpoint, Edit, Encoding, Trace

Text = str | Sequence[str]  # a text, or its words


@runtime_checkable
class Model(Protocol):
    """What analyses and views use of a model: a LanguageModel, or a model on another machine.

    It gives no access to a network: what needs one checks an ability, and takes a LanguageModel.
    The methods are documented in `LanguageModel`.
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
    def causal(self) -> bool: ...
    @property
    def reads_pairs(self) -> bool: ...
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
    ) -> Trace: ...
    def trace_many(self, texts: Iterable[Text], capture: Capture = Capture.HIDDEN) -> Iterator[Trace]: ...
    def trace_encodings(
        self, encodings: Sequence[Encoding], capture: Capture = Capture.ALL, edit: Edit | None = None
    ) -> list[Trace]: ...
    def states_at(
        self, encodings: Sequence[Encoding], positions: Sequence[Sequence[int]]
    ) -> list[Float[Tensor, "depth pos d_model"]]: ...
    def run(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
    ) -> Pass: ...
    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]: ...
    def final_norm(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_model"]: ...
    def next_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]: ...
    def previous_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]: ...
    def next_sentence(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]: ...
    def require(self, ability: Ability, purpose: str) -> None: ...


READ_AT_ONCE = 2048


def context_length(config: Any) -> int:
    """How many tokens of a text a model reads by default: its positions, but at most `READ_AT_ONCE`.

    Llama 3 has 131,072 positions, and reading a whole book takes longer than anybody waits.

    >>> context_length(explorer.load("gpt").config)
    512
    """
    return min(int(config.positions), READ_AT_ONCE)


def final_norm(network: nn.Module, hidden: Tensor) -> Tensor:
    """The last layer's states as a network's heads read them: normalised if it has a final norm."""
    norm = getattr(network, "final_norm", None)
    return hidden if norm is None else norm(hidden)


def weights_here(model: Any, why: str, hint: str = "") -> None:
    """Raises AbilityError if a model's network runs on another machine; `why` says what that rules out.

    The error comes from the network's `refusal`; `hint` is what to do instead, "" for the usual advice.
    """
    refusal = getattr(getattr(model, "network", None), "refusal", None)
    if refusal is not None:
        raise refusal(why, hint)
