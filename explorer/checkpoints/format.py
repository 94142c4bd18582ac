"""Models from folders in the hub's format: config.json, safetensors and tokenizer files; or from GGUF."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from explorer.assets import CHECKPOINTS
from explorer.checkpoints.alone import folder_alone
from explorer.checkpoints.config_sizes import sizes
from explorer.checkpoints.difference import NAME as DIFFERENCE
from explorer.checkpoints.difference import add_difference, base_of
from explorer.checkpoints.generation_note import generation_note, gguf_note
from explorer.checkpoints.gguf.file import GgufFile
from explorer.checkpoints.gguf.parts import is_gguf, parts_of
from explorer.checkpoints.integrity import check_content, check_links, check_size
from explorer.checkpoints.mapped import LATER, MappedWeights
from explorer.checkpoints.model_folder import ADAPTER, CONFIG, MODULES
from explorer.checkpoints.model_types import check_names, family_of, with_booleans
from explorer.checkpoints.other_weights import other_weights, own_form
from explorer.checkpoints.own_classifier import read_classifier
from explorer.checkpoints.packed_e5 import PackedE5, is_packed_e5
from explorer.checkpoints.placement import FLOAT32, Placement
from explorer.checkpoints.pooling import read_pooling, static_kind
from explorer.checkpoints.rename import canonical, heads_of, settle_tie, to_ours
from explorer.checkpoints.weights import (
    FETCH_AGAIN,
    INDEX,
    WEIGHTS,
    adapter_of,
    read_json,
    read_sizes,
    read_tensors,
    weight_files,
)
from explorer.errors import FormatError, NotFoundError
from explorer.files.kinds import Kind
from explorer.models import Family, LanguageModel
from explorer.models.encoder import Encoder
from explorer.models.family import LM_HEAD
from explorer.models.pooling import Pooling
from explorer.models.rope_scaling import unused_factor
from explorer.models.transformer import Transformer
from explorer.tokenizers import TOKENIZER_FILES, Tokenizer, read_tokenizer
from explorer.tokenizers.words import WordTokenizer
from explorer.trace import Ability, Checkpoint


class Fit(NamedTuple):
    """A configuration, an empty network, its parameters and heads, and the parameters of other heads."""

    raw: dict[str, Any]
    network: Any
    state: dict[str, Tensor]
    heads: frozenset[str]
    spare: dict[str, Tensor]


def read_model(folder: Path, checkpoint: Checkpoint, placement: Placement = FLOAT32) -> LanguageModel:
    """Build a model from the files in `folder`, from a GGUF file or from that of e5.

    Raises NotFoundError for missing files, SizeError for weights over the limit, FormatError
    for damaged or unsupported ones; its message lists missing, unexpected and mis-shaped parameters.
    """
    if (file := _one_file(folder)) is not None:
        return _from_one_file(file, folder, checkpoint, placement)
    check_links(folder / name for name in (CONFIG, WEIGHTS, INDEX, *TOKENIZER_FILES))
    check_content(folder / name for name in (CONFIG, *TOKENIZER_FILES) if (folder / name).exists())
    raw = read_config(folder)
    if (folder / DIFFERENCE).exists():
        return _with_difference(folder, raw, checkpoint, placement)
    family = family_of(raw, str(checkpoint))
    weights = weight_files(folder, raw)
    check_size(sum(path.stat().st_size for path in weights), str(checkpoint))
    check_content(weights)

    if not issubclass(family.network, Transformer | Encoder):
        placement = FLOAT32  # small networks of other kinds, as quick on the CPU
    elif checkpoint.source != "bundled":
        placement = placement.for_sizes(read_sizes(weights), str(checkpoint))
    read = partial(_tokenizer_of, folder)
    fit = _fit(read_tensors(weights, family.ignored, placement), raw, family, str(checkpoint))
    model = _build(fit, family, read, checkpoint, placement)
    return _with_pooling(_with_note(model, generation_note(folder)), read_pooling(folder))


def _with_note(model: LanguageModel, note: str) -> LanguageModel:
    """A model that writes, with a note on what its files ask for in sampling."""
    return (
        replace(model, notes=(*model.notes, note)) if note and Ability.GENERATE in model.abilities else model
    )


def _with_pooling(model: LanguageModel, pooling: Pooling | None) -> LanguageModel:
    """A model with what its files say of pooling, and a note on it."""
    notes = (pooling.note,) if pooling is not None and pooling.note else ()
    return replace(model, pooling=pooling, notes=(*model.notes, *notes))


def tokenizer_at(place: Path, name: str) -> Tokenizer:
    """The tokenizer in a checkpoint's folder or GGUF file. Raises CheckpointError as `read_model` does."""
    if (file := _one_file(place)) is not None:
        return file.tokenizer()
    files = [place / file for file in (CONFIG, *TOKENIZER_FILES)]
    check_links(files)
    check_content(file for file in files if file.exists())
    raw = read_config(place)
    config = sizes(raw, family_of(raw, name), name, f"config.json of {name}")
    return _tokenizer_of(place, config)


def _tokenizer_of(folder: Path, config: Any) -> Tokenizer:
    return read_tokenizer(folder, getattr(config, "characters", None), config.d_vocab)


def _one_file(path: Path) -> GgufFile | PackedE5 | None:
    """The file that holds a whole model, opened; None for a folder. Raises FormatError for a damaged one."""
    if is_packed_e5(path):
        return PackedE5.open(path)
    if not is_gguf(path):
        return None
    check_content(parts_of(path), Kind.GGUF)
    return GgufFile.open(path)


def _from_one_file(
    file: GgufFile | PackedE5, path: Path, checkpoint: Checkpoint, placement: Placement
) -> LanguageModel:
    """A model from one file: sizes, tokenizer and numbers, each checked before the next is read."""
    name = str(checkpoint)
    check_size(sum(part.stat().st_size for part in parts_of(path)), name)
    family = family_of(file.config, name)
    if checkpoint.source != "bundled":  # those are small, and always fit
        placement = placement.for_sizes(file.sizes, name)
    fit = _fit(file.shapes(), file.config, family, name, path.name)
    tokenizer = file.tokenizer()
    mapped = MappedWeights.of(checkpoint, placement)
    state, later = None if mapped is None else mapped.read(fit.state), LATER.get()
    if state is None:
        fit = _fit(file.tensors(placement), file.config, family, name, path.name)
        if mapped is not None and later is None:
            mapped.write(fit.state)
            state = mapped.read(fit.state)
    fit = fit if state is None else fit._replace(state=state)
    model = _build(fit, family, lambda config: tokenizer, checkpoint, placement)
    if mapped is not None and state is None and later is not None:
        later.append(partial(mapped.move, fit.state, model.network))
    model = _with_note(model, gguf_note(file.header.metadata))
    return replace(_with_pooling(model, file.pooling), title=file.title)


def _build(
    fit: Fit, family: Family, read: Callable[[Any], Tokenizer], checkpoint: Checkpoint, placement: Placement
) -> LanguageModel:
    """The model of a network and its parameters; `read` returns the tokenizer for a configuration."""
    raw, network, state, heads, spare = fit
    config = network.config
    classifier = read_classifier(raw, spare, state, family.model_type, config.d_model)
    notes = (*placement.notes, *_notes_on(state))
    if isinstance(classifier, str):
        notes, classifier = (*notes, f"Its classifier is not used: {classifier}."), None
    left_out = () if classifier else tuple(spare)
    if unused_factor(raw):
        notes += ("Its rope scaling has a factor without a type: as in transformers, it changes nothing.",)
    network.load_state_dict(placement.state(state, network), assign=True)
    network.eval().requires_grad_(False)
    tokenizer = read(config)
    _check_rows(tokenizer, config.d_vocab, str(checkpoint))
    if isinstance(tokenizer, WordTokenizer) and tokenizer.size < config.d_vocab:
        raise FormatError(
            f"The vocabulary of {checkpoint} has {tokenizer.size} words, its model {config.d_vocab} vectors.",
            FETCH_AGAIN,
        )
    abilities = family.abilities(heads) & tokenizer.allows()
    if not getattr(config, "causal", True):
        abilities &= ~Ability.GENERATE
        notes += ("It reads both sides of a word (is_causal is false), and so it writes nothing.",)
    elif LM_HEAD not in heads and any(rule.head == LM_HEAD for rule in family.rules):
        notes += ("Its files have no output matrix (lm_head): it reads, and writes nothing.",)
    return LanguageModel(checkpoint, config, network, tokenizer, abilities, left_out, notes, "", classifier)


def _notes_on(state: dict[str, Tensor]) -> tuple[str, ...]:
    """A note on all-zero matrices, which an incomplete download may leave."""
    zero = [
        name
        for name, tensor in state.items()
        if tensor.ndim == 2 and min(tensor.shape) > 1 and not tensor[-1].any() and not tensor.any()
    ]
    if not zero:
        return ()
    names = ", ".join(zero[:3]) + (" …" if len(zero) > 3 else "")
    return (f"All numbers are zero in {names}: the file may be an incomplete download.",)


def _check_rows(tokenizer: Tokenizer, d_vocab: int, name: str) -> None:
    """Raise FormatError if the model lacks a row for a token."""
    if (needed := tokenizer.highest + 1) <= d_vocab:
        return
    added = tokenizer.backend.get_added_tokens_decoder()
    rowless = [added[id].content for id in sorted(added) if id >= d_vocab]
    hint = "The two do not belong together: fetch or copy the checkpoint again."
    if len(rowless) == needed - d_vocab:
        tokens = ", ".join(f"“{token:.40}”" for token in rowless[:3]) + (" …" if len(rowless) > 3 else "")
        hint = (
            f"The model has no row for {tokens}: in transformers, call its resize_token_embeddings({needed}) "
            "and save it again."
        )
    raise FormatError(f"The tokenizer of {name} has {needed} tokens, its model only {d_vocab}.", hint)


def _with_difference(
    folder: Path, raw: dict[str, Any], checkpoint: Checkpoint, placement: Placement
) -> LanguageModel:
    """A bundled model with a folder's difference added to it (see `difference`)."""
    name = str(checkpoint)
    place = base_of(raw, name, CHECKPOINTS)
    check_content([folder / DIFFERENCE])
    base = read_model(place, Checkpoint("bundled", place.name))
    network = add_difference(base.network, read_tensors([folder / DIFFERENCE]), name)
    network.load_state_dict(placement.state(network.state_dict(), network), assign=True)
    network.requires_grad_(False)
    tokenizer = read_tokenizer(folder, rows=network.config.d_vocab)
    _check_rows(tokenizer, network.config.d_vocab, name)
    abilities = base.abilities & tokenizer.allows()
    return LanguageModel(checkpoint, network.config, network, tokenizer, abilities)


def _fit(tensors: dict[str, Tensor], raw: dict[str, Any], family: Family, name: str, source: str = "") -> Fit:
    """An empty network, the parameters for it, its heads, and the parameters of other heads.

    `tensors` is empty afterwards. `source` is the file with the sizes, by default config.json.
    Raises FormatError.
    """
    source = source or f"config.json of {name}"
    check_names(tensors, family, name)
    own_names = canonical(tensors, family)
    tensors.clear()
    tensors = own_names
    tied = settle_tie(tensors, raw, family)
    config = sizes(raw | {"tie_word_embeddings": tied}, family, name, source)
    heads = heads_of(tensors, family, tied)
    try:
        with torch.device("meta"), _NoInit():
            network = family.network(config, heads)
    except RuntimeError as error:  # too many elements to count
        raise FormatError(f"{source} gives impossible sizes: {error}.", FETCH_AGAIN) from error
    state, left_out = to_ours(tensors, network.state_dict(), family, config, name)
    return Fit(raw, network, state, heads, {name: tensors[name] for name in left_out})


def read_config(folder: Path) -> dict[str, Any]:
    """config.json of a folder. Raises NotFoundError or FormatError."""
    path = folder / CONFIG
    if not path.exists():
        if (folder / ADAPTER).exists():
            raise adapter_of(folder)
        if (kind := static_kind(folder)) is not None:
            raise FormatError(
                f"{folder} is no model that reads a text: its {MODULES} begins with {kind}, which is not read"
                + (" (one vector a token, without context)." if kind == "StaticEmbedding" else "."),
                "Choose a sentence encoder whose first module is a Transformer.",
            )
        names = sorted(file.name for file in folder.iterdir())
        weights = [name for name in names if name.endswith(".safetensors")]
        error = (own_form if weights else other_weights)(names, folder.name)
        if (error := error or (None if weights else folder_alone(names, folder))) is not None:
            raise error
        hint = "Point to a folder with the hub's file names, or to a .gguf file."
        if weights:
            hint = f"Put config.json and the tokenizer's files beside {weights[0]}, from where it came."
        raise NotFoundError(f"{folder} has no config.json.", hint)
    return with_booleans(read_json(path))


class _NoInit(TorchFunctionMode):
    """Networks are built as shapes only, without memory or random numbers.

    (Drawing them on the meta device would import all of torch's compiler, for seconds.)
    """

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(function, "__module__", "") == "torch.nn.init":
            return args[0] if args else (kwargs or {})["tensor"]
        return function(*args, **(kwargs or {}))
