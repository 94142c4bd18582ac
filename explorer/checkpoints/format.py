"""Hub-format folders to models and back: config.json, safetensors and tokenizer files.

ELMo's own layout (see `bilm`) and GGUF (see `gguf`) are read as well, and never written.
"""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from explorer.assets import CHECKPOINTS
from explorer.checkpoints.bilm import SUFFIX as BILM
from explorer.checkpoints.bilm import options as bilm_options
from explorer.checkpoints.bilm import read_hdf5, shapes
from explorer.checkpoints.bilm import weights as bilm_weights
from explorer.checkpoints.difference import NAME as DIFFERENCE
from explorer.checkpoints.difference import added, base_of
from explorer.checkpoints.gguf import GgufFile, is_gguf
from explorer.checkpoints.integrity import check_content, check_links, check_size, read_text
from explorer.checkpoints.model_folder import ADAPTER, CONFIG, models_inside
from explorer.checkpoints.model_types import check_names, family_of, with_booleans
from explorer.checkpoints.other_weights import other_weights
from explorer.checkpoints.rename import canonical, heads_of, settle_tie, to_hub, to_ours
from explorer.errors import FormatError, NotFoundError
from explorer.files.kinds import unfinished_download
from explorer.models import Family, LanguageModel
from explorer.models.layers import ACTIVATIONS
from explorer.tokenizers import TOKENIZER_FILES, Tokenizer, read_tokenizer
from explorer.tokenizers.words import WordTokenizer
from explorer.trace import Checkpoint

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
SHARD = re.compile(r".*-\d+-of-\d+\.safetensors")
MOST_LAYERS = 1000
MERGE = "Merge it into that model first: PEFT’s merge_and_unload, then save_pretrained."
FETCH_AGAIN = "It may be damaged: fetch or copy the checkpoint again."


def read_model(folder: Path, checkpoint: Checkpoint) -> LanguageModel:
    """Build the model whose files are in `folder`, or that is a GGUF file, in float32, ready to trace.

    Raises NotFoundError for missing files, SizeError for weights over the limit, FormatError
    for damaged or foreign ones; its message lists missing, unexpected and mis-shaped parameters.
    """
    if is_gguf(folder):
        return _from_gguf(folder, checkpoint)
    check_links(folder / name for name in (CONFIG, WEIGHTS, INDEX, *TOKENIZER_FILES))
    check_content(folder / name for name in (CONFIG, *TOKENIZER_FILES) if (folder / name).exists())
    raw = read_config(folder)
    if (folder / DIFFERENCE).exists():
        return _with_difference(folder, raw, checkpoint)
    family = family_of(raw, str(checkpoint))
    weights = weight_files(folder)
    check_size(sum(path.stat().st_size for path in weights), str(checkpoint))
    check_content(weights)
    if weights[0].suffix == BILM:
        declared = shapes(weights[0])
        check_size(4 * sum(tensor.numel() for tensor in declared.values()), str(checkpoint))
        _fitted(declared, raw, family, str(checkpoint))  # before a number is read

    def tokenizer(config: Any) -> Tokenizer:
        return read_tokenizer(folder, getattr(config, "characters", None), config.d_vocab)

    return _built(read_tensors(weights), raw, family, tokenizer, checkpoint)


def _from_gguf(path: Path, checkpoint: Checkpoint) -> LanguageModel:
    """A model whose sizes, tokenizer and numbers are in one file, each checked before the next is read."""
    name = str(checkpoint)
    check_content([path])
    check_size(path.stat().st_size, name)
    file = GgufFile.open(path)
    family = family_of(file.config, name)
    check_size(file.float32_bytes, name)
    _fitted(file.shapes(), file.config, family, name, path.name)
    tokenizer = file.tokenizer()
    return _built(file.tensors(), file.config, family, lambda config: tokenizer, checkpoint, path.name)


def _built(
    tensors: dict[str, Tensor],
    raw: dict[str, Any],
    family: Family,
    read: Callable[[Any], Tokenizer],
    checkpoint: Checkpoint,
    source: str = "",
) -> LanguageModel:
    """The model of some parameters and a configuration; `read` gives the tokenizer for that."""
    network, state, heads, left_out = _fitted(tensors, raw, family, str(checkpoint), source)
    config = network.config
    notes = _notes_on(state)
    network.load_state_dict(state, assign=True)
    network.eval().requires_grad_(False)
    tokenizer = read(config)
    _check_rows(tokenizer, config.d_vocab, str(checkpoint))
    if isinstance(tokenizer, WordTokenizer) and tokenizer.size < config.d_vocab:
        raise FormatError(
            f"The vocabulary of {checkpoint} has {tokenizer.size} words, its model {config.d_vocab} vectors.",
            FETCH_AGAIN,
        )
    abilities = family.abilities(heads) & tokenizer.allows()
    return LanguageModel(checkpoint, config, network, tokenizer, abilities, left_out, notes)


def _notes_on(state: dict[str, Tensor]) -> tuple[str, ...]:
    """What to say of matrices that are zero throughout, as where a download has set the room aside."""
    zero = [
        name
        for name, tensor in state.items()
        if tensor.ndim == 2 and min(tensor.shape) > 1 and not tensor[-1].any() and not tensor.any()
    ]
    if not zero:
        return ()
    named = ", ".join(zero[:3]) + (" …" if len(zero) > 3 else "")
    return (f"All numbers are zero in {named}: the file may be a download that has not come to its end.",)


def _check_rows(tokenizer: Tokenizer, d_vocab: int, name: str) -> None:
    """Raise FormatError where the model has no row for a token."""
    if (needed := tokenizer.highest + 1) <= d_vocab:
        return
    added = tokenizer.backend.get_added_tokens_decoder()
    rowless = [added[id].content for id in sorted(added) if id >= d_vocab]
    hint = "The two do not belong together: fetch or copy the checkpoint again."
    if len(rowless) == needed - d_vocab:
        named = ", ".join(f"“{token:.40}”" for token in rowless[:3]) + (" …" if len(rowless) > 3 else "")
        hint = (
            f"The model has no row for {named}: in transformers, call its resize_token_embeddings({needed}) "
            "and save it again."
        )
    raise FormatError(f"The tokenizer of {name} has {needed} tokens, its model only {d_vocab}.", hint)


def _with_difference(folder: Path, raw: dict[str, Any], checkpoint: Checkpoint) -> LanguageModel:
    """A bundled model, with what the folder adds to it (see `difference`)."""
    name = str(checkpoint)
    place = base_of(raw, name, CHECKPOINTS)
    check_content([folder / DIFFERENCE])
    base = read_model(place, Checkpoint("bundled", place.name))
    network = added(base.network, read_tensors([folder / DIFFERENCE]), name)
    tokenizer = read_tokenizer(folder, rows=network.config.d_vocab)
    _check_rows(tokenizer, network.config.d_vocab, name)
    abilities = base.abilities & tokenizer.allows()
    return LanguageModel(checkpoint, network.config, network, tokenizer, abilities)


def _fitted(
    tensors: dict[str, Tensor], raw: dict[str, Any], family: Family, name: str, source: str = ""
) -> tuple[Any, dict[str, Tensor], frozenset[str], tuple[str, ...]]:
    """An empty network, the parameters for it, the heads that it has, and the parameters of other heads.

    `tensors` is empty afterwards: what it held is in the parameters. `source` is the file that gives the
    sizes, config.json unless it is named. Raises FormatError.
    """
    source = source or f"config.json of {name}"
    check_names(tensors, family, name)
    own_names = canonical(tensors, family)
    tensors.clear()
    tensors = own_names
    tied = settle_tie(tensors, raw, family)
    config = sizes(raw | {"tie_word_embeddings": tied}, family, name, source)
    heads = heads_of(tensors, family)
    try:
        with torch.device("meta"), _NoInit():
            network = family.network(config, heads)
    except RuntimeError as error:  # more elements than can be counted
        raise FormatError(f"{source} gives sizes that cannot be: {error}.", FETCH_AGAIN) from error
    state, left_out = to_ours(tensors, network.state_dict(), family, config, name)
    return network, state, heads, left_out


def read_config(folder: Path) -> dict[str, Any]:
    """config.json of a folder, or ELMo's options. Raises NotFoundError or FormatError."""
    if not (folder / WEIGHTS).exists() and (options := bilm_options(folder)) is not None:
        return _json(options) | {"model_type": "elmo"}
    path = folder / CONFIG
    if not path.exists():
        if (folder / ADAPTER).exists():
            raise _adapter(folder)
        raise NotFoundError(
            f"{folder} has no config.json.",
            "Point to a folder with the hub's file names, or to a .gguf file.",
        )
    return with_booleans(_json(path))


def sizes(raw: dict[str, Any], family: Family, name: str, source: str = "") -> Any:
    """The family's own configuration, as `source` gives it. Raises FormatError for sizes that cannot be."""
    source = source or f"config.json of {name}"
    try:
        config = family.read_config(raw)
    except FormatError as error:  # of a choice that is not computed
        hint = error.hint if source.startswith(CONFIG) else error.hint.replace(CONFIG, source)
        raise FormatError(f"{source}: {error.message}", hint) from error
    except KeyError as error:
        raise FormatError(f"{source} lacks {error}.", FETCH_AGAIN) from error
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        written = ", ".join(key for key, value in raw.items() if isinstance(value, str) and _is_number(value))
        raise FormatError(
            f"{source} holds a size that is no number" + (f": {written}, a text." if written else "."),
            "Write numbers without quotation marks." if written else FETCH_AGAIN,
        ) from error
    for field in fields(config):
        value = getattr(config, field.name)
        most = MOST_LAYERS if field.name in ("layers", "decoder_layers", "highways") else 10**8
        if not _sound(value, field.type, most):
            theirs = family.keys.get(field.name, field.name)
            text = isinstance(value, str) and _is_number(value)
            hint = f"Write it without quotation marks: {value:.40}." if text else FETCH_AGAIN
            raise FormatError(f"{source} gives {theirs} as {value!r:.60}.", hint)
    values = asdict(config)
    for heads in {values.get("heads", 1), values.get("decoder_heads", 1)}:
        own_width = values.get("d_head") not in (None, config.d_model // heads)  # of a head, given by itself
        if config.d_model % heads and not own_width:
            raise FormatError(
                f"{source} splits {config.d_model} dimensions over {heads} heads, which leaves a remainder.",
                FETCH_AGAIN,
            )
    if values.get("heads", 1) % (values.get("kv_heads") or 1):
        raise FormatError(
            f"{source} has {values['heads']} heads share {values['kv_heads']} keys, "
            "which leaves a remainder.",
            FETCH_AGAIN,
        )
    if values.get("activation", "relu") not in ACTIVATIONS:
        raise FormatError(
            f"{name} uses the activation “{config.activation}”, which Riverbank does not know.",
            f"It knows: {', '.join(ACTIVATIONS)}.",
        )
    return config


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _sound(value: Any, kind: Any, most: int) -> bool:
    """Whether a value of a configuration is of its kind, and a size or a number that a network can have."""
    choices = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    if isinstance(value, tuple):  # ELMo's filters (how wide, and how many), or which layers read a window
        of = [get_args(choice)[0] for choice in choices if get_origin(choice) is tuple]
        return bool(of) and 0 < len(value) < MOST_LAYERS and all(_sound(one, of[0], most) for one in value)
    if is_dataclass(value):  # how positions are scaled
        return type(value) in choices and all(
            _sound(getattr(value, field.name), field.type, most) for field in fields(value)
        )
    if value is None or isinstance(value, bool | str):
        return type(value) in choices
    if int in choices:
        return isinstance(value, int) and 0 < value < most
    return float in choices and isinstance(value, int | float) and 0 <= value < most


def weight_files(folder: Path) -> list[Path]:
    """The weights of a folder: one safetensors file, the shards that an index names, or ELMo's HDF5.

    Raises NotFoundError where there are none; pickled weights are never opened.
    """
    if (folder / WEIGHTS).exists():
        _refuse_unfinished(folder, [WEIGHTS])
        return [folder / WEIGHTS]
    if (folder / INDEX).exists():
        shards = _json(folder / INDEX).get("weight_map")
        names = sorted(set(map(str, shards.values()))) if isinstance(shards, dict) else []
        if not names:
            raise FormatError(f"{INDEX} in {folder.name} names no files.", FETCH_AGAIN)
        if any(Path(name).name != name or not name.endswith(".safetensors") for name in names):
            raise FormatError(
                f"{INDEX} in {folder.name} points outside its folder, or to other files than safetensors.",
                "Do not use it.",
            )
        check_links(folder / name for name in names)
        if missing := [name for name in names if not (folder / name).exists()]:
            raise NotFoundError(f"{folder.name} lacks the shards {', '.join(missing)}.", FETCH_AGAIN)
        _refuse_unfinished(folder, names)
        return [folder / name for name in names]
    if bilm_options(folder) is not None:
        return [bilm_weights(folder)]
    if (download := unfinished_download(folder, [WEIGHTS])) is not None:
        raise NotFoundError(
            f"{folder} has no {WEIGHTS} yet: {download.name} has not come to its end.",
            "Wait for the download, or begin it again.",
        )
    if (folder / ADAPTER).exists():
        raise _adapter(folder)
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.glob("*"))]
    names += [path.relative_to(folder).as_posix() for path in sorted(folder.glob("onnx/*.onnx"))]
    others = [name for name in names if name.endswith(".safetensors")]
    if not others and (error := other_weights(names, folder.name)) is not None:
        raise error
    hint = "Point to a folder with weights in it."
    if inside := models_inside(folder):
        hint = f"A folder inside it may be the model: folder:{inside[-1]}."
    if shards := [name for name in others if SHARD.fullmatch(name)]:
        raise NotFoundError(
            f"{folder} holds {shards[0]} and so on, but no {INDEX}, which says what is in which.",
            "Fetch that file, too.",
        )
    if others:
        hint = f"If {others[0]} holds the whole model, rename it to {WEIGHTS}."
    raise NotFoundError(f"{folder} has no {WEIGHTS}.", hint)


def _refuse_unfinished(folder: Path, names: list[str]) -> None:
    """Raise NotFoundError where a download of one of these files, which are there, goes on beside it.

    Programs set a file's room aside before they fill it: it has its size then, and zeros.
    """
    if (download := unfinished_download(folder, names)) is not None:
        raise NotFoundError(
            f"{download.name} lies in {folder}: the download of {download.stem} has not come to its end.",
            f"Wait for it, or fetch it again; if {download.stem} is whole, delete {download.name}.",
        )


def _adapter(folder: Path) -> FormatError:
    """The error for a folder whose weights are what is added to those of another model."""
    base = _json(folder / ADAPTER).get("base_model_name_or_path")
    return FormatError(f"{folder} holds an adapter (LoRA) for {base!s:.100}, not a whole model.", MERGE)


def read_tensors(files: list[Path]) -> dict[str, Tensor]:
    """All parameters in the files, as float32. Raises FormatError for damaged or non-finite data."""
    tensors: dict[str, Tensor] = {}
    for path in files:
        try:
            if path.suffix == BILM:
                tensors |= read_hdf5(path)
                continue
            with safe_open(path, framework="pt") as file:
                for name in file.keys():  # noqa: SIM118 (a safetensors handle is no dict)
                    tensor = file.get_tensor(name)
                    tensors[name] = tensor.float() if tensor.is_floating_point() else tensor
        except FormatError:
            raise
        except (SafetensorError, OSError, ValueError, TypeError, RuntimeError) as error:
            raise FormatError(
                f"{path.name} in {path.parent.name} cannot be read: {error}.", FETCH_AGAIN
            ) from error
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not tensor.isfinite().all():
            raise FormatError(f"{name} holds numbers that are not finite.", FETCH_AGAIN)
    return tensors


def write_model(folder: Path, network: nn.Module, family: Family) -> None:
    """Write config.json and model.safetensors (float16), as `transformers` reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    config = family.write_config(network.config)
    if own := getattr(network, "architecture", None):  # by its head
        config["architectures"] = [own]
    (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    save_file(to_hub(network, family), folder / WEIGHTS, metadata={"format": "pt"})


class _NoInit(TorchFunctionMode):
    """Networks are built as shapes alone: no memory, and no time for random numbers.

    (Drawing them on the meta device would import all of torch's compiler, for seconds.)
    """

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(function, "__module__", "") == "torch.nn.init":
            return args[0] if args else (kwargs or {})["tensor"]
        return function(*args, **(kwargs or {}))


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_text(path, FETCH_AGAIN))
    except RecursionError as error:
        raise FormatError(f"{path} is nested too deeply for a model's file.", FETCH_AGAIN) from error
    except ValueError as error:
        raise FormatError(f"{path} is not JSON: {error}.", FETCH_AGAIN) from error
    if not isinstance(content, dict):
        raise FormatError(f"{path} is JSON, but not what a model's file says.", FETCH_AGAIN)
    return content
