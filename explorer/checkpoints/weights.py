"""The weights of a folder in the hub's format: which files they are, and the tensors in them."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from explorer.checkpoints.integrity import check_links, read_text
from explorer.checkpoints.model_folder import ADAPTER, adapter_error, models_inside
from explorer.checkpoints.other_weights import other_weights, own_form
from explorer.checkpoints.placement import FLOAT32, Placement
from explorer.errors import FormatError, NotFoundError
from explorer.files.kinds import unfinished_download
from explorer.system.free_memory import is_memory_error

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
NAMED = "transformers_weights"  # the key of config.json that names another file
SHARD = re.compile(r".*-\d+-of-\d+\.safetensors")
FORMS = (".safetensors", ".safetensors.index.json")
FETCH_AGAIN = "It may be damaged: fetch or copy the checkpoint again."


def names_of(raw: dict[str, Any], name: str) -> tuple[str, str]:
    """The file of weights and the index that a configuration goes by. Raises FormatError for other kinds.

    >>> names_of({}, "folder:a")
    ('model.safetensors', 'model.safetensors.index.json')
    """
    file_name = raw.get(NAMED)
    if file_name is None:
        return WEIGHTS, INDEX
    if not isinstance(file_name, str) or Path(file_name).name != file_name or not file_name.endswith(FORMS):
        raise FormatError(
            f"config.json of {name} has “{NAMED}” set to {file_name!r:.80}.",
            "Riverbank reads a .safetensors file of the same folder, or an index of such files.",
        )
    whole = file_name.removesuffix(".index.json")
    return whole, f"{whole}.index.json"


def weight_files(folder: Path, raw: dict[str, Any] | None = None) -> list[Path]:
    """The weights of a folder: one safetensors file, or the shards that an index names.

    `raw` is its configuration, which may name them. Raises NotFoundError if there are none; pickled weights
    are never opened.
    """
    weights, index = names_of(raw or {}, folder.name)
    if weights != WEIGHTS and not any((folder / name).exists() for name in (weights, index)):
        raise NotFoundError(
            f"{folder} has no {weights}, which its config.json names ({NAMED}).", "Put that file there, too."
        )
    if (folder / weights).exists():
        _refuse_unfinished(folder, [weights])
        return [folder / weights]
    if (folder / index).exists():
        shards = read_json(folder / index).get("weight_map")
        names = sorted(set(map(str, shards.values()))) if isinstance(shards, dict) else []
        if not names:
            raise FormatError(f"{index} in {folder.name} names no files.", FETCH_AGAIN)
        if any(Path(name).name != name or not name.endswith(".safetensors") for name in names):
            raise FormatError(
                f"{index} in {folder.name} points outside its folder, or to other files than safetensors.",
                "Do not use it.",
            )
        check_links(folder / name for name in names)
        if missing := [name for name in names if not (folder / name).exists()]:
            raise NotFoundError(f"{folder.name} lacks the shards {', '.join(missing)}.", FETCH_AGAIN)
        _refuse_unfinished(folder, names)
        return [folder / name for name in names]
    if (download := unfinished_download(folder, [WEIGHTS])) is not None:
        raise NotFoundError(
            f"{folder} has no {WEIGHTS} yet: {download.name} is not complete.",
            "Wait for the download, or begin it again.",
        )
    if (folder / ADAPTER).exists():
        raise adapter_of(folder)
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.glob("*"))]
    names += [path.relative_to(folder).as_posix() for path in sorted(folder.glob("onnx/*.onnx"))]
    others = [name for name in names if name.endswith(".safetensors")]
    if (error := (own_form if others else other_weights)(names, folder.name)) is not None:
        raise error
    hint = "Point to a folder with weights in it."
    if inside := models_inside(folder):
        hint = f"A folder inside it may be the model: folder:{inside[-1]}."
    if shards := [name for name in others if SHARD.fullmatch(name)]:
        raise NotFoundError(
            f"{folder} holds {shards[0]} and so on, but no {INDEX}, which says what is in each.",
            "Fetch that file, too.",
        )
    if others:
        hint = f"If {others[0]} holds the whole model, rename it to {WEIGHTS}."
    raise NotFoundError(f"{folder} has no {WEIGHTS}.", hint)


def _refuse_unfinished(folder: Path, names: list[str]) -> None:
    """Raise NotFoundError if one of these files is still being downloaded.

    Programs reserve a file's size before they fill it: it is there then, and filled with zeros.
    """
    if (download := unfinished_download(folder, names)) is not None:
        raise NotFoundError(
            f"{download.name} is in {folder}: the download of {download.stem} is not complete.",
            f"Wait for it, or fetch it again; if {download.stem} is whole, delete {download.name}.",
        )


def adapter_of(folder: Path) -> FormatError:
    """The error for a folder with an adapter to another model."""
    base = read_json(folder / ADAPTER).get("base_model_name_or_path")
    return adapter_error(str(folder), base)


def read_sizes(files: list[Path]) -> list[int]:
    """How many numbers each parameter in the files has, by their headers alone. Raises FormatError."""
    sizes: list[int] = []
    for path in files:
        with _open(path) as file:
            sizes += [math.prod(file.get_slice(name).get_shape()) for name in file.keys()]  # noqa: SIM118
    return sizes


def read_tensors(
    files: list[Path], ignored: Sequence[str] = (), placement: Placement = FLOAT32
) -> dict[str, Tensor]:
    """All parameters in the files, in the precision and on the device of a placement.

    Vectors are float32 in any case. Raises FormatError for damaged or non-finite data. `ignored` are patterns
    of buffers, which may hold anything: a mask of -1e9 is infinite in float16.
    """
    tensors: dict[str, Tensor] = {}
    for path in files:
        with _open(path) as file:
            for name in file.keys():  # noqa: SIM118 (a safetensors handle is not a dict)
                tensors[name] = placement.place(file.get_tensor(name))
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not tensor.isfinite().all():
            if any(re.fullmatch(rf"(.+\.)?({pattern})", name) for pattern in ignored):
                continue
            raise FormatError(f"{name} holds numbers that are not finite.", FETCH_AGAIN)
    return tensors


@contextmanager
def _open(path: Path) -> Iterator[Any]:
    """A file of weights, with errors that name it."""
    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except (SafetensorError, OSError, ValueError, TypeError, RuntimeError) as error:
        if is_memory_error(error):
            raise MemoryError from error
        raise FormatError(
            f"{path.name} in {path.parent.name} cannot be read: {error}.", FETCH_AGAIN
        ) from error


def read_json(path: Path) -> dict[str, Any]:
    """The object in a small JSON file of a checkpoint. Raises FormatError."""
    try:
        content = json.loads(read_text(path, FETCH_AGAIN))
    except RecursionError as error:
        raise FormatError(f"{path} is nested too deeply for a model's file.", FETCH_AGAIN) from error
    except ValueError as error:
        raise FormatError(f"{path} is not JSON: {error}.", FETCH_AGAIN) from error
    if not isinstance(content, dict):
        raise FormatError(f"{path} is JSON, but not an object, as a model’s file is.", FETCH_AGAIN)
    return content
