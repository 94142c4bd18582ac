"""A model on another machine as a LanguageModel: texts are tokenized here, forward passes are made there.

Tokenizer files, abilities and card come from the server; the weights stay there. What needs them here, such
as a pass whose activations are edited, training, or a walk through a layer, raises AbilityError.
"""

import json
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn

from explorer import checkpoints
from explorer.checkpoints.config_sizes import sizes
from explorer.checkpoints.model_types import family_of
from explorer.errors import AbilityError, FormatError
from explorer.files.writing import disk_errors
from explorer.model_server.client import Client, Waiting
from explorer.model_server.passes import as_pass
from explorer.model_server.wire import HEADS, Description, Tensors
from explorer.model_server.writing import RemoteEngine
from explorer.models import LanguageModel
from explorer.models.family import Pass
from explorer.tokenizers import TOKENIZER_FILES, Tokenizer, read_tokenizer
from explorer.trace import Ability, Capture, Edit, Trace

AT_ONCE = 4  # batches of many texts that are under way together, so that all cores of the server have work
HINT = "Load the model on this computer for that, or choose one that is."


class RemoteNetwork(nn.Module):
    """A network that runs elsewhere, with no parameters here. Each of its `heads` becomes a method."""

    memory_efficient = True  # it takes `at`

    def __init__(self, client: Client, name: str, heads: Iterable[str] = (), causal: bool = False) -> None:
        super().__init__()
        self.client, self.name, self.causal = client, name, causal
        for head in heads:
            setattr(self, head, partial(self._head, head))

    def forward(
        self,
        ids: Int[Tensor, "batch pos"] | Int[Tensor, "batch pos char"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
        at: Int[Tensor, "batch place"] | None = None,
        cache: Any = None,
    ) -> Pass:
        """One pass, made by the server. Raises AbilityError for an edit, or for a cache that is kept here."""
        if edit is not None:
            raise self.refusal("its activations cannot be edited")
        if cache is not None:
            raise self.refusal("it keeps nothing from one pass to the next")
        inputs = {"ids": ids, "segments": segments, "mask": mask, "at": at}
        tensors = {name: value for name, value in inputs.items() if value is not None}
        return as_pass(self.client.ask("run", tensors, {"capture": capture.value}))

    def new_cache(self, *_: Any, **__: Any) -> Any:
        """Raises AbilityError: keys and values stay at the server."""
        raise self.refusal("what it has read of a text is not kept here")

    def new_engine(self) -> RemoteEngine:
        """What continues texts at the server."""
        return RemoteEngine(self, self.client)

    def refusal(self, why: str, hint: str = "") -> AbilityError:
        """The error for what needs the weights here (see `models.base.weights_here`)."""
        return AbilityError(f"{self.name} runs on another machine: {why}.", hint or HINT)

    def _head(self, name: str, hidden: Tensor) -> Tensor:
        tensors = self.client.ask("head", {"hidden": hidden}, {"head": name})
        if "scores" not in tensors:
            raise FormatError("The server's answer has no scores in it.", "Try again.")
        return tensors["scores"]

    def __deepcopy__(self, memo: Any) -> "RemoteNetwork":
        raise self.refusal("its weights are not here, so it cannot be trained or changed")


@dataclass(frozen=True, eq=False)
class RemoteModel(LanguageModel):
    """A LanguageModel whose network runs on a server. `card` is the server's description, in Markdown."""

    card: str = ""

    @property
    def device(self) -> torch.device:
        """The CPU: where tensors come and go."""
        return torch.device("cpu")

    def require(self, ability: Ability, purpose: str) -> None:
        """Raise AbilityError unless the server's model has (one of) the abilities."""
        if not self.abilities & ability:
            raise AbilityError(f"{self.checkpoint} cannot {purpose}: its server does not offer it.", HINT)

    def _map(self, function: Callable[[Any], list[Trace]], batches: Iterable[Any]) -> Iterable[list[Trace]]:
        with ThreadPoolExecutor(AT_ONCE, "model server") as pool:
            return list(pool.map(function, batches))


def connect(name: str, waiting: Waiting = nullcontext) -> RemoteModel:
    """The model at `serve:http://host:port/name`; `waiting()` is entered while its server computes.

    Raises CheckpointError if free addresses are off, nobody answers there, the server runs another version,
    has another model or needs a token, or its files cannot be read.
    """
    checkpoint = checkpoints.resolve_allowed(name)
    client = Client(checkpoint.name, waiting)
    files, description = client.describe()
    config = sizes(description.config, family_of(description.config, str(checkpoint)), str(checkpoint))
    tokenizer = _tokenizer(files, description, getattr(config, "characters", None), config.d_vocab)
    if tokenizer.highest >= config.d_vocab:
        raise FormatError(
            f"The tokenizer of {checkpoint} does not fit its model.", "Check the server's checkpoint."
        )
    abilities = reduce(or_, (a for a in Ability if a.name in description.abilities), Ability.NONE)
    heads = [head for head in HEADS if head in description.heads]
    return RemoteModel(
        checkpoint=checkpoint,
        config=config,
        network=RemoteNetwork(client, str(checkpoint), heads, description.causal).eval(),
        tokenizer=tokenizer,
        abilities=abilities & tokenizer.allows(),
        card=description.card[:100_000],
    )


def _tokenizer(files: Tensors, description: Description, characters: int | None, rows: int) -> Tokenizer:
    place = Path(tempfile.gettempdir())
    with disk_errors(place), tempfile.TemporaryDirectory(prefix="riverbank-model-server-") as path:
        folder = Path(path)
        for name in TOKENIZER_FILES:
            if name in files:
                (folder / name).write_bytes(files[name].numpy().tobytes())
        # A few tokenizer files are read differently for different models.
        (folder / "config.json").write_text(json.dumps(description.config), encoding="utf-8")
        tokenizer = read_tokenizer(folder, characters, rows)
    tokenizer.ends = frozenset(description.ends)  # some of them are in the server's config.json
    return tokenizer
