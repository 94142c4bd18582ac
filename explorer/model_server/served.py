"""One model as a server offers it: its description, its passes, its heads, its next tokens. No HTTP here."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

import torch
from anyio.to_thread import run_sync
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from explorer import checkpoints
from explorer.checkpoints.fingerprint import digest, fingerprint
from explorer.checkpoints.format import read_config
from explorer.checkpoints.gguf.file import GgufFile
from explorer.checkpoints.gguf.parts import is_gguf
from explorer.errors import AbilityError, FormatError, NotFoundError, SizeError
from explorer.generation.engine import CachedText, Engine, StepRequest, engine_of
from explorer.generation.sampling import Sampling, SamplingRequest
from explorer.model_server.passes import PassRequest, gradients, slopes_of
from explorer.model_server.wire import ANSWER_MB, HEADS, MB, Description, Facts, Tensors, pack
from explorer.models import LanguageModel
from explorer.models.base import context_length
from explorer.tokenizers import TOKENIZER_FILES, as_files
from explorer.tokenizers.characters import CHARACTERS
from explorer.trace import Ability, Capture, captured

MAX_TOKENS = 65_536  # of one request, padding included
MAX_CHANGED = 16 * MAX_TOKENS  # the same, times the changes in all layers
NUMBER_BYTES = 4  # of an answer, float32
PAIR_HEADS = ("next_sentence", "sentence_order")  # of the state at the first position
CARDS = ("card.md", "README.md")  # ours, and the hub's
# What needs the weights where the caller is: a decoder that reads an encoder, and a table of vectors.
NOT_SERVED = Ability.TRANSLATE | Ability.VECTORS


Index = Annotated[int, Field(ge=0, lt=2**31)]


class WritingRequest(BaseModel):
    """A text to continue by one token for each of the `draws`, which are numbers in [0, 1).

    `candidates` is how many of the most probable tokens are listed at each step; `additions` are vectors that
    are added to the states after a layer. The last `written` ids follow the prompt.
    """

    model_config = ConfigDict(strict=True, extra="forbid")

    ids: list[Index] = Field(min_length=1)
    draws: list[Annotated[float, Field(ge=0, lt=1)]] = Field(min_length=1)
    sampling: Sampling
    candidates: Index
    written: Index = 0
    additions: list[tuple[Index, list[float]]] = Field(default=[], max_length=100)


class ServedModel:
    """A loaded model and what a client must know of it. Raises AbilityError if it cannot be served.

    `name` is its place in the address, such as `bert` in http://host:8000/bert.
    """

    def __init__(self, name: str, model: LanguageModel, folder: Path) -> None:
        self.name, self.model = name, model
        self.abilities = model.abilities & ~NOT_SERVED
        if not self.abilities & Ability.CONTEXT:
            raise AbilityError(
                f"{model.checkpoint} is a table of vectors, and would have to be sent as a whole.",
                "Load it on the computer that needs it, and serve a model that reads texts.",
            )
        if is_gguf(folder):  # the tokenizer is in the same file as the model
            self.files, self.config = as_files(model.tokenizer), GgufFile.open(folder).config
            self.fingerprint = fingerprint(model)
        else:
            paths = {name: folder / name for name in TOKENIZER_FILES}
            self.files = {name: path.read_bytes() for name, path in paths.items() if path.is_file()}
            self.fingerprint, self.config = digest(model.network, self.files), read_config(folder)
        cards = (folder / name for name in CARDS if (folder / name).is_file())
        self.card = next((card.read_text(encoding="utf-8", errors="replace") for card in cards), "")

    @classmethod
    def load(cls, checkpoint: str) -> "ServedModel":
        """The model with a checkpoint's name, from this machine. Raises CheckpointError or AbilityError."""
        model = checkpoints.load(checkpoint)
        return cls(name_in_address(checkpoint), model, checkpoints.locate(model.checkpoint))

    def description(self) -> Description:
        """What a client needs to know of it."""
        tied = getattr(self.model.config, "tied", True)  # the files of the weights have a say in it
        return Description(
            name=self.name,
            fingerprint=self.fingerprint,
            config=self.config | {"tie_word_embeddings": tied},
            abilities=[str(ability.name) for ability in self.abilities],
            heads=[head for head in HEADS if hasattr(self.model.network, head) or head == "scores"],
            causal=self.model.causal,
            ends=sorted(self.model.tokenizer.ends),
            card=self.card,
        )

    def check_pass(self, request: PassRequest) -> None:
        """Raise FormatError or SizeError for a pass that the network cannot compute."""
        config, (rows, length) = self.model.config, request.ids.shape[:2]
        characters = getattr(config, "characters", None)
        if request.ids.ndim != (2 if characters is None else 3):
            raise FormatError(f"The token ids have {request.ids.ndim} dimensions.")
        self._check_length(length)
        _check_tokens(rows * length)
        _check_range("token ids", request.ids, config.d_vocab if characters is None else CHARACTERS)
        _check_range("segments", request.segments, getattr(config, "segments", 1))
        _check_range("positions", request.at, length)
        layers, states = config.layers, rows * (length if request.at is None else request.at.shape[1])
        numbers = states * config.d_model * (1 + layers * (Capture.HIDDEN in request.capture))
        if Capture.ATTENTION in request.capture:
            numbers += rows * length * layers * (3 * config.d_model + getattr(config, "heads", 0) * length)
        if Capture.LOGITS in request.capture:
            numbers += rows * length * config.d_vocab
        if request.edit is not None or request.start is not None or request.wanted:
            numbers += self._edited_numbers(request)
        _check_answer(numbers)

    def _edited_numbers(self, request: PassRequest) -> int:
        """How many numbers a changed pass holds at a time, beside its answer."""
        config, (rows, length) = self.model.config, request.ids.shape[:2]
        layers, width = int(config.layers), int(config.d_model)
        if (start := request.start) is not None:
            shapes = [(n, length, width) for n in (1, rows)]
            fits = start.states.is_floating_point() and tuple(start.states.shape) in shapes
            if Ability.ATTENTION not in self.abilities or start.layer > layers or not fits:
                raise FormatError("The states at which the pass begins do not fit the model.")
        pattern: int = rows * length * length * getattr(config, "heads", 0)
        state: int = rows * length * max(width, getattr(config, "d_mlp", 0) or width)
        keep, changes = (request.edit.keep, request.edit.changes) if request.edit else ((), ())
        work = sum(layers if change.layer is None else 1 for change in changes) * rows * length
        if work > MAX_CHANGED:
            raise SizeError("These are too many changes at once.", "Send fewer texts at once.")
        sizes = {"scores": pattern, "pattern": pattern}
        numbers = sum(sizes.get(site, state) for site in keep) * layers
        if request.wanted:  # for the gradients, each product keeps what it has multiplied
            scaled = [change for change in changes if change.operation == "scale"]
            numbers += sum(
                sizes.get(one.site, state) * (layers if one.layer is None else 1) for one in scaled
            )
        return numbers + (3 * pattern + 8 * state) * (layers if request.wanted else 1)

    def vectors(self, tensors: Tensors) -> Tensors:
        """The rows of the embedding table (`scores`) for some `ids`, or their mean without any."""
        ids = tensors.get("ids")
        if ids is None or ids.dtype is not torch.long or ids.ndim != 1:
            raise FormatError("The request has no token ids.")
        _check_tokens(len(ids))
        _check_range("token ids", ids, self.model.config.d_vocab)
        return {"scores": self.model.token_vectors(ids)}

    def head(self, tensors: Tensors, facts: Facts) -> Tensors:
        """The `scores` of a head for some `hidden` states."""
        name, hidden = str(facts.get("head")), tensors.get("hidden")
        if name not in HEADS or not self.abilities & HEADS[name]:
            raise AbilityError(f"{self.name} has no head “{name:.40}”.", "Choose another model.")
        if hidden is None or not hidden.is_floating_point() or not hidden.ndim:
            raise FormatError("The request has no hidden states.")
        is_batch = hidden.ndim == 3 and hidden.shape[1] > 0
        if hidden.shape[-1] != self.model.config.d_model or (name in PAIR_HEADS and not is_batch):
            raise FormatError(f"The hidden states have the shape {list(hidden.shape)}.")
        rows = hidden.numel() // hidden.shape[-1]
        _check_tokens(rows)
        wanted, slopes = {"hidden": hidden} if facts.get("wanted") else {}, slopes_of(tensors)
        if wanted:
            compute = getattr(self.model.network, name)
        else:
            compute = self._engine.logits if name == "scores" else getattr(self.model, name)
        for tensor in wanted.values():
            tensor.requires_grad_()
        hidden = hidden.to(self.model.device, next(self.model.network.parameters()).dtype)
        _check_answer(rows * compute(hidden.detach().reshape(rows, 1, hidden.shape[-1])[:1]).numel())
        answer = {"scores": compute(hidden)}
        return gradients(answer, wanted, slopes) if wanted else answer

    async def write(self, request: WritingRequest) -> AsyncIterator[bytes]:
        """A body for each token: the token as sampled, and the `state` that it was sampled from.

        A step is computed together with those of other clients that wait: see `explorer.generation`.
        """
        if not self.abilities & Ability.GENERATE:
            raise AbilityError(f"{self.name} cannot continue a text.", "Choose a GPT.")
        length = len(request.ids) + len(request.draws)
        self._check_length(length - 1)
        _check_range("token ids", torch.tensor(request.ids), self.model.config.d_vocab)
        _check_range("candidates", torch.tensor(request.candidates), self.model.config.d_vocab + 1)
        config = self.model.config
        for layer, vector in request.additions:
            if layer > config.layers or len(vector) != config.d_model:
                raise FormatError("What is added to the states does not fit the model.")
        added = [(layer, torch.tensor(vector).to(self.model.device)) for layer, vector in request.additions]
        text, scheduler = CachedText(self._engine.new_cache(length), request.ids), self._engine.scheduler
        text.additions = added
        ids = list(request.ids)
        for written, draw in enumerate(request.draws, request.written):
            sampling = SamplingRequest(
                request.sampling, draw, request.candidates, None, ids, written, self.model.tokenizer
            )
            step = StepRequest([text], sampling)
            try:
                await run_sync(scheduler.run, step, abandon_on_cancel=True)
            except BaseException:
                scheduler.cancel(step)  # nobody waits for it any more
                raise
            token = captured(step.sampled)
            yield pack({"state": captured(step.states)[0]}, token._asdict())
            text.unread = [token.id]
            ids.append(token.id)
            if token.id in self.model.tokenizer.ends:
                return

    @property
    def _engine(self) -> Engine:
        engine = engine_of(self.model)
        assert isinstance(engine, Engine), "a served model has its weights here"
        return engine

    def _check_length(self, length: int) -> None:
        if length > (most := context_length(self.model.config)):
            raise SizeError(
                f"{self.name} reads {most:,} tokens, and this text has {length:,}.", "Shorten the text."
            )


def name_in_address(checkpoint: str) -> str:
    """The last part of a checkpoint's name, as its place in the server's addresses.

    >>> name_in_address("bert"), name_in_address("hub:openai-community/gpt2@main")
    ('bert', 'gpt2')
    >>> name_in_address("folder:/data/my-model/")
    'my-model'
    """
    path = (checkpoint.partition(":")[2] or checkpoint).partition("@")[0].replace("\\", "/")
    name = "".join(char for char in path.rstrip("/").rpartition("/")[2] if char.isalnum() or char in "-_.")
    if not name.strip("."):
        raise NotFoundError(f"“{checkpoint}” gives no name for an address.", "Name a folder.")
    return name


def _check_tokens(count: int) -> None:
    if count > MAX_TOKENS:
        raise SizeError(
            f"The server reads {MAX_TOKENS:,} tokens at once, and these are {count:,}.",
            "Send fewer texts at once.",
        )


def _check_answer(numbers: int) -> None:
    if (size := numbers * NUMBER_BYTES / MB) > ANSWER_MB:
        raise SizeError(
            f"The answer would have {size:,.0f} MB; the server sends at most {ANSWER_MB:,}.",
            "Send fewer texts at once.",
        )


def _check_range(name: str, values: Tensor | None, end: int) -> None:
    """Raise FormatError for an index outside of a table: on a GPU that would end the whole process."""
    if values is None or not values.numel():
        return
    lowest, highest = (int(value) for value in values.aminmax())
    if lowest < 0 or highest >= end:
        raise FormatError(f"The {name} run from {lowest:,} to {highest:,}; there are {end:,}.")
