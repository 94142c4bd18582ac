"""One model as a server gives it: what it is, its passes, its heads, its next tokens. No HTTP here."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from explorer import checkpoints
from explorer.checkpoints.fingerprint import digest, fingerprint
from explorer.checkpoints.gguf import is_gguf
from explorer.errors import AbilityError, FormatError, NotFoundError, SizeError
from explorer.generation.engine import CachedText, Engine, StepRequest, engine_of
from explorer.generation.sampling import Sampling, SamplingRequest
from explorer.models import FAMILIES, LanguageModel
from explorer.models.base import context_length
from explorer.serving.batching import Asked, asked
from explorer.serving.protocol import VERSION, Limits
from explorer.serving.wire import Facts, Tensors
from explorer.tokenizers import TOKENIZER_FILES, as_files
from explorer.tokenizers.characters import CHARACTERS
from explorer.tokenizers.settings import read_settings
from explorer.trace import Ability, captured

CARDS = ("card.md", "README.md")  # ours, and the hub's
# What needs the weights where the caller is: a decoder that reads an encoder, and a table of vectors.
AT_HOME = Ability.TRANSLATE | Ability.VECTORS
HEADS = {
    "unembed": Ability.FILL | Ability.GENERATE,
    "final_norm": Ability.GENERATE,
    "next_word": Ability.NEXT_WORD,
    "previous_word": Ability.PREVIOUS_WORD,
    "next_sentence": Ability.NEXT_SENTENCE,
    "detect": Ability.DETECT,
    "sentence_order": Ability.SENTENCE_ORDER,
    "scores": Ability.GENERATE,  # of states that are normalised already, as a stream gives them
}
SETTINGS: dict[str, tuple[type, ...]] = {
    "temperature": (int, float),
    "top_k": (int, type(None)),
    "top_p": (int, float, type(None)),
    "seed": (int,),
    "max_new_tokens": (int,),
    "greedy": (bool,),
}
CHECK = "The two computers may run different versions of Riverbank."


class Served:
    """A loaded model with what a client must know of it. Raises AbilityError for one that cannot be served.

    `name` is its place in the address, such as `bert` in http://host:8000/bert.
    """

    def __init__(self, name: str, model: LanguageModel, folder: Path, limits: Limits | None = None) -> None:
        self.name, self.model, self.limits = name, model, limits or Limits()
        self.abilities = model.abilities & ~AT_HOME
        if not self.abilities & Ability.CONTEXT:
            raise AbilityError(
                f"{model.checkpoint} is a table of vectors: all of it would have to be sent.",
                "Load it where it is needed; serve a model that reads texts.",
            )
        whole = is_gguf(folder)  # the tokenizer is in the same file as the model
        kind = "" if whole else read_settings(folder).kind
        self._class = {"tokenizer_class": kind} if kind else {}  # some files are read by what the model is
        named = {n: folder / n for n in TOKENIZER_FILES if (folder / n).is_file()}
        self.files = as_files(model.tokenizer) if whole else {n: p.read_bytes() for n, p in named.items()}
        cards = (folder / name for name in CARDS)
        self.card = next(
            (card.read_text(encoding="utf-8", errors="replace") for card in cards if card.is_file()), ""
        )
        self.fingerprint = fingerprint(model) if whole else digest(model.network, self.files)

    @classmethod
    def load(cls, checkpoint: str, limits: Limits | None = None) -> "Served":
        """The model of a checkpoint's name, from this machine. Raises CheckpointError or AbilityError."""
        model = checkpoints.load(checkpoint)
        return cls(place_of(checkpoint), model, checkpoints.locate(model.checkpoint), limits)

    def description(self) -> Facts:
        """What a client is told at connect."""
        family = self._family()
        return {
            "riverbank": VERSION,
            "name": self.name,
            "checkpoint": str(self.model.checkpoint),
            "fingerprint": self.fingerprint,
            "config": FAMILIES[family].write_config(self.model.config) | self._class,
            "family": family,
            "abilities": [ability.name for ability in self.abilities],
            "causal": self.model.causal,
            "pre_norm": hasattr(self.model.network, "final_norm"),
            "thrifty": bool(getattr(self.model.network, "thrifty", False)),
            "ends": sorted(self.model.tokenizer.ends),
            "files": {name: len(content) for name, content in self.files.items()},
            "card": self.card,
        }

    def _family(self) -> str:
        kind = type(self.model.config)
        return next(name for name, family in FAMILIES.items() if family.config is kind)

    def asked(self, tensors: Tensors, facts: Facts) -> Asked:
        """A pass that a client asks for, looked at before anything is computed. Raises FormatError."""
        one = asked(tensors, facts)
        config = self.model.config
        spelled = getattr(config, "characters", None)
        if one.ids.ndim != (2 if spelled is None else 3):
            raise FormatError(f"The ids have {one.ids.ndim} axes.", CHECK)
        if one.length > (most := context_length(config)):
            raise SizeError(
                f"{self.name} reads {most:,} tokens, and this text has {one.length:,}.",
                "Shorten the text.",
            )
        self._room(one.rows * one.length)
        _within("ids", one.ids, config.d_vocab if spelled is None else CHARACTERS)
        _within("segments", one.segments, getattr(config, "segments", 1))
        _within("places", one.at, one.length)
        return one

    def head(self, tensors: Tensors, facts: Facts) -> tuple[Tensors, Facts]:
        """The scores of a head for some states: `hidden` in, `scores` out."""
        name, hidden = facts.get("head"), tensors.get("hidden")
        if name not in HEADS or hidden is None or not hidden.is_floating_point():
            raise FormatError(f"“{name!s:.40}” is no head that can be asked for.", CHECK)
        if not self.abilities & HEADS[name]:
            raise AbilityError(f"{self.name} has no head for “{name}”.", "Choose another model.")
        if hidden.ndim == 0 or hidden.shape[-1] != self.model.config.d_model:
            raise FormatError(f"The states have the shape {list(hidden.shape)}.", CHECK)
        if name == "next_sentence" and hidden.ndim != 3:
            raise FormatError("A pair of sentences has a state for each position.", CHECK)
        self._room(hidden.numel() // hidden.shape[-1])
        hidden = hidden.to(self.model.device)
        if name == "scores":
            return {"scores": self._engine.logits(hidden)}, {}
        return {"scores": getattr(self.model, name)(hidden)}, {}

    def read(self, tensors: Tensors, facts: Facts) -> tuple[Tensors, Facts]:
        """What comes after some texts: the last `states` of each with their `logits`; or of one, `every`."""
        self._require_generation()
        raw, every, ids = facts.get("lengths"), bool(facts.get("every")), _ids(tensors)
        lengths = raw if isinstance(raw, list) else []
        sound = all(isinstance(length, int) and length > 0 for length in lengths)
        if not sound or sum(lengths) != len(ids) or (every and len(lengths) != 1):
            raise FormatError("The lengths of the texts do not fit their tokens.", CHECK)
        self._room(len(ids))
        done = []
        for text in ids.split(lengths):
            self._fits(text, 0)
            request = StepRequest([self._text(text, 0)], every=every)
            self._engine.scheduler.run(request)
            done.append(request)
        found = {"states": torch.cat([captured(request.states) for request in done])}
        if not every:
            found["logits"] = torch.cat([captured(request.logits) for request in done])
        return found, {}

    def steps(self, tensors: Tensors, facts: Facts) -> "Iterator[StepRequest]":
        """The steps of one continuation, not yet made: run each before the next is asked for."""
        self._require_generation()
        ids, draws = _ids(tensors), tensors.get("draws")
        if draws is None or draws.ndim != 1 or not draws.is_floating_point() or not len(draws):
            raise FormatError("There are no draws to choose tokens by.", CHECK)
        candidates = facts.get("candidates")
        if not isinstance(candidates, int) or not 0 <= candidates <= self.model.config.d_vocab:
            raise FormatError(f"{candidates!r:.40} is no number of candidates.", CHECK)
        self._fits(ids, len(draws) - 1)
        return self._steps(ids, draws.tolist(), _sampling(facts.get("sampling")), candidates)

    def _steps(
        self, ids: Tensor, draws: list[float], sampling: Sampling, candidates: int
    ) -> Iterator[StepRequest]:
        text = self._text(ids, len(draws))
        for draw in draws:
            request = StepRequest([text], SamplingRequest(sampling, draw, candidates))
            yield request
            if not request.finished or request.sampled is None:
                return
            text.unread = [request.sampled.id]
            if request.sampled.id in self.model.tokenizer.ends:
                return

    def run_step(self, request: StepRequest) -> None:
        """Make a step, together with those of others that wait."""
        self._engine.scheduler.run(request)

    def cancel(self, request: StepRequest) -> None:
        """Nobody waits for this step any more. Any thread may say so."""
        self._engine.scheduler.cancel(request)

    @property
    def _engine(self) -> Engine:
        found = engine_of(self.model)
        assert isinstance(found, Engine), "a server's model has its weights here"
        return found

    def _text(self, ids: Tensor, more: int) -> CachedText:
        return CachedText(self._engine.new_cache(len(ids) + more), ids.tolist())

    def _require_generation(self) -> None:
        if not self.abilities & Ability.GENERATE:
            raise AbilityError(f"{self.name} cannot continue a text.", "Choose a GPT.")

    def _fits(self, ids: Tensor, more: int) -> None:
        _within("ids", ids, self.model.config.d_vocab)
        if len(ids) + more > (most := context_length(self.model.config)):
            raise SizeError(
                f"{self.name} reads and writes {most:,} tokens at most, and not the "
                f"{len(ids) + more:,} asked for.",
                "Shorten the text, or ask for fewer tokens.",
            )

    def _room(self, tokens: int) -> None:
        if tokens > self.limits.tokens:
            raise SizeError(
                f"The server reads {self.limits.tokens:,} tokens at once, and these are {tokens:,}.",
                "Send fewer texts at once.",
            )


def place_of(checkpoint: str) -> str:
    """A checkpoint's place in a server's addresses.

    >>> place_of("bert"), place_of("hub:openai-community/gpt2@main"), place_of("folder:/data/my-model/")
    ('bert', 'gpt2', 'my-model')
    """
    name = checkpoint.partition(":")[2] or checkpoint
    last = name.partition("@")[0].rstrip("/\\").replace("\\", "/").rpartition("/")[2]
    kept = "".join(char for char in last if char.isalnum() or char in "-_.")
    if not kept.strip("."):
        raise NotFoundError(f"“{checkpoint}” gives no name for an address.", "Name a folder.")
    return kept


def _ids(tensors: Tensors) -> Tensor:
    ids = tensors.get("ids")
    if ids is None or ids.ndim != 1 or ids.dtype is not torch.long or not len(ids):
        raise FormatError("There are no tokens to read.", CHECK)
    return ids


def _within(name: str, ids: Tensor | None, end: int) -> None:
    """Raise FormatError for a number outside of a table: on a GPU that would end the whole process."""
    if ids is None or not ids.numel():
        return
    lowest, highest = (int(value) for value in ids.aminmax())
    if lowest < 0 or highest >= end:
        raise FormatError(f"The {name} run from {lowest:,} to {highest:,}; there are {end:,}.", CHECK)


def _sampling(raw: Any) -> Sampling:
    """The settings of a client. Raises FormatError, or ExplorerError for values without meaning."""
    fitting = isinstance(raw, dict) and all(
        isinstance(value, SETTINGS.get(name, ())) and isinstance(value, bool) == (name == "greedy")
        for name, value in raw.items()
    )
    if not fitting:
        raise FormatError("The settings of the draw are not what Riverbank sends.", CHECK)
    return Sampling(**raw)
