"""A model on another machine as a LanguageModel: texts are tokenized here, forward passes are made there.

Tokenizer files, abilities and card come from the server; the weights stay there. Changes of activations are
sent as data, and gradients are computed there. What needs the weights here, such as training or a walk
through a layer, and an edit that is a function of Python, raises AbilityError.
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
from typing import Any, cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer import checkpoints
from explorer.checkpoints.config_sizes import sizes
from explorer.checkpoints.model_types import family_of
from explorer.errors import AbilityError, FormatError
from explorer.files.writing import disk_errors
from explorer.model_server.client import Client, Waiting
from explorer.model_server.passes import SLOPE, as_pass, changes_of
from explorer.model_server.wire import HEADS, Description, Facts, Tensors
from explorer.model_server.writing import RemoteEngine
from explorer.models import LanguageModel
from explorer.models.family import Pass, Start
from explorer.models.interventions import Interventions
from explorer.tokenizers import TOKENIZER_FILES, Tokenizer, read_tokenizer
from explorer.trace import Ability, Capture, Edit, Trace

AT_ONCE = 4  # batches of many texts that are under way together, so that all cores of the server have work
HINT = "Load the model on this computer for that, or choose one that is."
SENT = "Load the model on this computer, or write the edit as data: explorer.models.interventions."

Ask = Callable[[Tensors, Facts], Tensors]


class Answer(torch.autograd.Function):
    """What a server computes of some tensors. Gradients are asked for by the same request with the slopes."""

    @staticmethod
    def forward(
        ctx: Any, ask: Ask, facts: Facts, names: list[str], answered: list[str], *tensors: Tensor
    ) -> Any:
        """The tensors of the answer, whose names are added to `answered`."""
        answer = ask(dict(zip(names, tensors, strict=True)), facts)
        answered.extend(answer)
        ctx.request = ask, facts, names, answered
        ctx.save_for_backward(*tensors)
        ctx.set_materialize_grads(False)
        return tuple(answer.values())

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor | None) -> Any:
        """The gradients of the tensors."""
        ask, facts, names, answered = ctx.request
        by_name = {f"{SLOPE}{name}": slope for name, slope in zip(answered, slopes) if slope is not None}
        wanted = [name for name, needed in zip(names, ctx.needs_input_grad[4:], strict=True) if needed]
        tensors = dict(zip(names, ctx.saved_tensors, strict=True))
        results = ask(tensors | by_name, facts | {"wanted": wanted})
        return None, None, None, None, *(results.get(name) for name in names)


class RemoteNetwork(nn.Module):
    """A network that runs elsewhere, with no parameters here. Each of its `heads` becomes a method."""

    memory_efficient = True  # it takes `at`
    reads_trees = False

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
        start: Start | None = None,
    ) -> Pass:
        """One pass, made by the server. Raises AbilityError for a cache, or an edit that cannot be sent."""
        if edit is not None and not isinstance(edit, Interventions):
            raise self.refusal("a function of Python cannot be sent there", SENT)
        if cache is not None:
            raise self.refusal("it keeps nothing from one pass to the next")
        inputs = {"ids": ids, "segments": segments, "mask": mask, "at": at}
        tensors = {name: value for name, value in inputs.items() if value is not None}
        facts: Facts = {"capture": capture.value}
        if edit is not None:
            values, changes = changes_of(edit)
            tensors, facts = tensors | values, facts | changes
        if start is not None:
            shared = start.states.stride(0) == 0  # one row, repeated
            tensors["states"], facts["start"] = start.states[:1] if shared else start.states, start.layer
        return as_pass(self._ask("run", tensors, facts), edit)

    def _ask(self, path: str, tensors: Tensors, facts: Facts) -> Tensors:
        names: list[str] = []
        given: Any = (partial(self.client.ask, path), facts, list(tensors), names, *tensors.values())
        answer = Answer.apply(*given)  # type: ignore[no-untyped-call]
        return dict(zip(names, answer, strict=True))

    def token_vectors(self, ids: Int[Tensor, "token"]) -> Float[Tensor, "token d_embedding"]:
        """The rows of the embedding table, from the server."""
        return self._scores_in(self.client.ask("vectors", {"ids": ids}, {}))

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
        return self._scores_in(self._ask("head", {"hidden": hidden}, {"head": name}))

    @staticmethod
    def _scores_in(tensors: Tensors) -> Tensor:
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

    def token_vectors(self, ids: Int[Tensor, "token"]) -> Float[Tensor, "token d_embedding"]:
        """The vectors of some tokens in the server's table."""
        vectors: Tensor = cast(RemoteNetwork, self.network).token_vectors(ids)
        return vectors

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
