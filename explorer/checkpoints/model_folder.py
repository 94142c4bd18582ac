"""The folder with the model among several: a snapshot, a trainer's checkpoint, a module.

    models--google-bert--bert-base-uncased/snapshots/86b5.../config.json      the hub's cache
    run/checkpoint-500/config.json                                            what a trainer wrote
    all-MiniLM-L6-v2/modules.json, 0_Transformer/config.json                  sentence-transformers

A single one is used; for several, the error suggests one.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from explorer.checkpoints.integrity import check_links
from explorer.checkpoints.word_vectors import begins_as_vectors
from explorer.errors import FormatError, NotFoundError

CONFIG, ADAPTER, MODULES = "config.json", "adapter_config.json", "modules.json"
ENDINGS = (".safetensors", ".gguf")
CACHE = re.compile(r"models--(.+)")
MOST_NAMED, MOST_ENTRIES = 5, 10_000
MERGE = "Merge it into that model first: PEFT’s merge_and_unload, then save_pretrained."


def model_folder(folder: Path) -> Path:
    """The folder itself, or, if it has no model, the folder inside it that has one. Raises NotFoundError.

    >>> from explorer.assets import CHECKPOINTS
    >>> model_folder(CHECKPOINTS / "bert").name
    'bert'
    """
    check_links(folder / name for name in (CONFIG, MODULES))
    # The configuration beside a list of modules may contain only a version.
    names = (ADAPTER,) if (folder / MODULES).exists() and not _is_model(folder) else (CONFIG, ADAPTER)
    if any((folder / name).exists() for name in names):
        return folder
    entries = sorted(islice(folder.iterdir(), MOST_ENTRIES + 1))
    if len(entries) > MOST_ENTRIES:
        raise NotFoundError(
            f"{folder} has no {CONFIG}, and more than {MOST_ENTRIES:,} files.",
            "Name the folder of the model.",
        )
    if any(path.suffix.lower() in ENDINGS or begins_as_vectors(path) for path in entries):
        return folder
    if (folder / "blobs").is_dir() and (folder / "manifests").is_dir():  # as ollama keeps its models
        return folder / "blobs"
    if (folder / "snapshots").is_dir():
        return _snapshot(folder)
    if cached := [match[1].replace("--", "/") for path in entries if (match := CACHE.fullmatch(path.name))]:
        raise NotFoundError(
            f"{folder} is the hub’s cache, and holds {_listed(cached)}.", f"Write hub:{cached[0]}."
        )
    inside = list(_modules(folder)) or models_inside(folder)
    if len(inside) > 1:
        listed = _listed([path.name for path in inside])
        raise NotFoundError(
            f"{folder} holds no model itself, but folders with one: {listed}.",
            f"Name one of them: folder:{inside[-1]}.",
        )
    return inside[0] if inside else folder


def adapter_error(name: str, base: object = None) -> FormatError:
    """The error for an adapter, whose weights are added to those of the model `base`."""
    model = f" for {base!s:.100}" if base else ""
    return FormatError(f"{name} holds an adapter (LoRA){model}, not a whole model.", MERGE)


def _snapshot(folder: Path) -> Path:
    """The snapshot of the main branch, else the only one."""
    snapshots = sorted(path for path in (folder / "snapshots").iterdir() if path.is_dir())
    main = folder / "refs" / "main"
    if main.is_file():
        current = folder / "snapshots" / main.read_text(encoding="utf-8", errors="replace").strip()
        if current in snapshots:
            return current
    if len(snapshots) == 1:
        return snapshots[0]
    if not snapshots:
        raise NotFoundError(
            f"{folder} is a folder of the hub’s cache without a snapshot: nothing was fetched into it.",
            f"Write hub:{folder.name.removeprefix('models--').replace('--', '/')} to fetch it.",
        )
    newest = max(snapshots, key=lambda path: path.stat().st_mtime)
    raise NotFoundError(f"{folder} holds {len(snapshots)} snapshots.", f"Name one of them: folder:{newest}.")


def _modules(folder: Path) -> Iterator[Path]:
    """The folders of the Transformer in sentence-transformers' list of modules."""
    try:
        modules = json.loads((folder / MODULES).read_text(encoding="utf-8-sig"))
        places = [(folder / str(one["path"])).resolve() for one in modules]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return
    for place in places:
        if place.parent == folder.resolve() and _is_model(place):
            yield folder / place.name


def _is_model(folder: Path) -> bool:
    """Whether a folder's configuration is that of a model, not of a module such as pooling."""
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(config, dict) and ("model_type" in config or "architectures" in config)


def models_inside(folder: Path) -> list[Path]:
    """The folders in a folder that have a model's configuration, in the order of their numbers."""
    return sorted((path for path in folder.iterdir() if path.is_dir() and _is_model(path)), key=_number)


def _number(folder: Path) -> tuple[int, str]:
    """The sort key of a folder: the last number in its name."""
    numbers = re.findall(r"[0-9]+", folder.name)
    return int(numbers[-1]) if numbers else -1, folder.name


def _listed(names: list[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
