"""A model on another machine as a LanguageModel: texts are cut into tokens here, passes are made there.

Tokenizer files, abilities and card come from the server; the weights stay there. What needs them here, such
as a pass that is edited on its way, training, or a walk through a layer by hand, is refused with a sentence.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer import checkpoints
from explorer.checkpoints.config_sizes import sizes
from explorer.checkpoints.model_types import family_of
from explorer.errors import AbilityError, FormatError, TextError
from explorer.models import LanguageModel
from explorer.models.base import Text
from explorer.models.family import Pass
from explorer.models.padding import WINDOW, batches
from explorer.models.parameters import InputParameters, LayerParameters
from explorer.serving import batching
from explorer.serving.connection import Connection
from explorer.serving.wire import Facts
from explorer.serving.writing import RemoteEngine
from explorer.tokenizers import TOKENIZER_FILES, Tokenizer, read_tokenizer
from explorer.tokenizers.files import MOST_MB
from explorer.trace import Ability, Capture, Edit, Trace

AT_ONCE = 4  # batches of many texts that are under way together, so that several replicas have work
CHOOSE = "Load the model on this computer for that, or choose one that is."


class RemoteNetwork(nn.Module):
    """A network that runs elsewhere. It has no parameters here."""

    def __init__(
        self,
        connection: Connection,
        name: str,
        memory_efficient: bool = False,
        causal: bool = False,
        pre_norm: bool = False,
    ) -> None:
        super().__init__()
        self.connection, self.name = connection, name
        self.memory_efficient, self.causal = memory_efficient, causal
        if pre_norm:  # the server is not asked for what changes nothing
            self.final_norm = lambda hidden: self._head("final_norm", hidden)

    def forward(
        self,
        ids: Int[Tensor, "batch pos"] | Int[Tensor, "batch pos char"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
        at: Int[Tensor, "batch place"] | None = None,
        state: Any = None,
        cache: Any = None,
    ) -> Pass:
        """One pass, made by the server. Raises AbilityError for an edit, or for a state that is kept here."""
        if edit is not None:
            raise self.refused("its activations cannot be changed on their way")
        if state is not None or cache is not None:
            raise self.refused("it keeps no state from one pass to the next")
        tensors = {"ids": ids, "segments": segments, "mask": mask, "at": at}
        sent = {name: value for name, value in tensors.items() if value is not None}
        found, _ = self.connection.ask("run", sent, {"capture": [flag.name for flag in capture]})
        return batching.understood(found)

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores over the vocabulary."""
        return self._head("unembed", hidden)

    def next_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores for the word after each position."""
        return self._head("next_word", hidden)

    def previous_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores for the word before each position."""
        return self._head("previous_word", hidden)

    def next_sentence(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for “follows” and “does not”."""
        return self._head("next_sentence", hidden)

    def detect(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos"]:
        """Scores for “was replaced”."""
        return self._head("detect", hidden)

    def sentence_order(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for “in this order” and “the other way round”."""
        return self._head("sentence_order", hidden)

    def new_cache(self, *_: Any, **__: Any) -> Any:
        """Raises AbilityError: keys and values stay at the server."""
        raise self.refused("what it has read of a text is not kept here")

    def new_engine(self) -> RemoteEngine:
        """What continues texts there."""
        return RemoteEngine(self.connection)

    def refused(self, why: str, hint: str = "") -> AbilityError:
        """The error for what needs the weights here (see `models.base.weights_here`)."""
        return AbilityError(f"{self.name} runs on another machine: {why}.", hint or CHOOSE)

    def _head(self, name: str, hidden: Tensor) -> Tensor:
        found, _ = self.connection.ask("head", {"hidden": hidden}, {"head": name})
        if "scores" not in found:
            raise FormatError("The server's answer has no scores in it.", "Try again.")
        return found["scores"]

    def __deepcopy__(self, memo: Any) -> "RemoteNetwork":
        raise self.refused("its weights are not here, and so it cannot be trained or changed")


@dataclass(frozen=True, eq=False)
class RemoteModel(LanguageModel):
    """A LanguageModel whose network runs on a server. `card` is what the server says of it, in Markdown."""

    card: str = ""

    @property
    def device(self) -> torch.device:
        """Where tensors are handed in and out: the CPU."""
        return torch.device("cpu")

    @property
    def table(self) -> None:
        """None: the table is among the weights."""
        return None

    def layer_parameters(self, layer: int) -> LayerParameters:
        """Raises AbilityError: the weights are not here."""
        raise self._remote.refused("its weights are not here")

    def input_parameters(self) -> InputParameters:
        """Raises AbilityError: the weights are not here."""
        raise self._remote.refused("its weights are not here")

    def trace_many(self, texts: Iterable[Text], capture: Capture = Capture.HIDDEN) -> Iterator[Trace]:
        """As LanguageModel's; a few batches are asked for together."""
        if isinstance(texts, str):
            raise TextError("This is one text, not a list of them.", "Call trace, or pass a list.")
        source = iter(texts)
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="serving") as pool:
            while window := [self.encode(text) for text in islice(source, WINDOW)]:
                grouped = list(batches(window))
                asked = ([window[i] for i in batch] for batch in grouped)
                finished: dict[int, Trace] = {}
                for batch, traces in zip(
                    grouped, pool.map(lambda some: self.trace_encodings(some, capture), asked), strict=True
                ):
                    finished.update(zip(batch, traces, strict=True))
                for i in range(len(window)):
                    yield finished.pop(i)

    def require(self, ability: Ability, purpose: str) -> None:
        """Raise AbilityError unless the server's model has (one of) the abilities."""
        if not self.abilities & ability:
            raise AbilityError(f"{self.checkpoint} cannot {purpose}: its server does not offer it.", CHOOSE)

    @property
    def _remote(self) -> RemoteNetwork:
        assert isinstance(self.network, RemoteNetwork)
        return self.network


def connect(name: str) -> RemoteModel:
    """The model at `serve:http://host:port/name`.

    Raises CheckpointError: where free addresses are off, nobody answers there, the server speaks another
    version or has another model, needs a token, or its files cannot be read.
    """
    checkpoint = checkpoints.admitted(name)
    connection = Connection(checkpoint.name)
    facts = connection.describe()
    raw = facts.get("config")
    if not isinstance(raw, dict):
        raise FormatError(f"{checkpoint} does not say what network it is.", "Check the server.")
    config = sizes(raw, family_of(raw, str(checkpoint)), str(checkpoint))
    tokenizer = _tokenizer(connection, facts, getattr(config, "characters", None), config.d_vocab)
    if tokenizer.highest >= config.d_vocab:
        raise FormatError(
            f"The tokenizer of {checkpoint} does not fit its model.", "Check the server's checkpoint."
        )
    traits = {name: bool(facts.get(name)) for name in ("memory_efficient", "causal", "pre_norm")}
    network = RemoteNetwork(connection, str(checkpoint), **traits)
    return RemoteModel(
        checkpoint=checkpoint,
        config=config,
        network=network.eval(),
        tokenizer=tokenizer,
        abilities=_abilities(facts.get("abilities")) & tokenizer.allows(),
        card=str(facts.get("card", ""))[:100_000],
    )


def _tokenizer(connection: Connection, facts: Facts, characters: int | None, rows: int) -> Tokenizer:
    files = facts.get("files")
    names: Sequence[str] = [name for name in TOKENIZER_FILES if isinstance(files, dict) and name in files]
    with tempfile.TemporaryDirectory(prefix="riverbank-serving-") as made:
        folder = Path(made)
        for name in names:
            (folder / name).write_bytes(connection.file(name, MOST_MB))
        # A few tokenizer files are read by what the model is.
        (folder / "config.json").write_text(json.dumps(facts.get("config")), encoding="utf-8")
        tokenizer = read_tokenizer(folder, characters, rows)
    ends = facts.get("ends")  # some of them stand in the server's config.json
    if isinstance(ends, list):
        tokenizer.ends = frozenset(id for id in ends if isinstance(id, int))
    return tokenizer


def _abilities(names: Any) -> Ability:
    """The abilities that we know of those named."""
    found = Ability.NONE
    for ability in Ability:
        if isinstance(names, list) and ability.name in names:
            found |= ability
    return found
