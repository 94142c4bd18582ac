"""A task head in a file: safetensors (float16) with a small configuration.

A file is checked before it is used, as any upload: names, shapes, finite numbers, and that the head
belongs to the model at hand.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from explorer.errors import ExplorerError, FormatError, NotFoundError
from explorer.files.writing import replacing, write_text
from explorer.finetuning.base_model import BLOCKS, trainable
from explorer.finetuning.features import Features, feature_width
from explorer.finetuning.task_head import TaskHead
from explorer.finetuning.tasks import Task, task_from_json
from explorer.locale import N_, _
from explorer.models.base import Model
from explorer.models.saved_names import saved_name

WEIGHTS, CONFIG = "head.safetensors", "config.json"
FORMAT = 1
MAX_BYTES = 64_000_000
MAX_RANK = 64
AGAIN = N_("Take the file as it was downloaded, or train the head again.")
ABOUT = ("how", "examples", "aside", "step", "loss", "scores", "epochs", "batch", "rate", "seed", "rank")


def dumps(head: TaskHead) -> bytes:
    """A head as one file: safetensors, its configuration in the metadata."""
    tensors = {name: tensor.half().contiguous() for name, tensor in head.parameters.items()}
    tensors |= {f"body.{name}": tensor.half().contiguous() for name, tensor in head.difference.items()}
    return save_tensors(tensors, metadata={"format": "pt", "config": json.dumps(config(head))})


def loads(data: bytes, model: Model) -> TaskHead:
    """A head from such a file, on the model that it was trained on.

    Raises FormatError for a damaged file, another kind of file, or a head of another model.
    """
    if len(data) > MAX_BYTES:
        raise FormatError(
            _("This head is {size} MB.", size=f"{len(data) / 1e6:.0f}"),
            _("A head is a few megabytes at most."),
        )
    try:
        tensors = load_tensors(data)
        length = int.from_bytes(data[:8], "little")
        metadata = json.loads(data[8 : 8 + length]).get("__metadata__", {})
        raw = json.loads(metadata.get("config", "null"))
    except (SafetensorError, ValueError, RecursionError, TypeError, KeyError, RuntimeError) as error:
        raise FormatError(_("This is no head: it cannot be read as safetensors."), _(AGAIN)) from error
    return head_from(raw, tensors, model)


def save(head: TaskHead, folder: Path) -> None:
    """Write `head.safetensors` and `config.json` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / WEIGHTS) as path:
        path.write_bytes(dumps(head))
        write_text(folder / CONFIG, json.dumps(config(head), indent=2) + "\n")


def load(place: Path, model: Model) -> TaskHead:
    """A head from its folder or its file. Raises NotFoundError, or FormatError as `loads`."""
    file = place / WEIGHTS if place.is_dir() else place
    if not file.is_file():
        raise NotFoundError(f"{file} is not there.", "Point to a head's folder, or to its file.")
    return loads(file.read_bytes(), model)


def config(head: TaskHead) -> dict[str, Any]:
    """The configuration of a head, in plain words and numbers. Raises FormatError for a model's own."""
    if head.activation or getattr(head.task, "several", False):
        raise FormatError("This head came with its model, and is in that model's files.", "Keep those files.")
    return {
        "format": FORMAT,
        "task": asdict(head.task),
        "features": asdict(head.features),
        "body": head.checkpoint,
        "fingerprint": fingerprint(head.model),
        "about": {name: head.about[name] for name in ABOUT if name in head.about},
    }


def fingerprint(model: Model) -> str:
    """A hash that identifies a model: the shapes of its parameters, and some of their numbers."""
    digest = hashlib.sha256()
    network = getattr(model, "network", None)
    if isinstance(network, nn.Module):
        parameters = {saved_name(name): parameter for name, parameter in network.named_parameters()}
        for name, parameter in sorted(parameters.items()):
            digest.update(f"{name} {tuple(parameter.shape)}".encode())
            digest.update(parameter.detach().flatten()[:8].float().cpu().numpy().tobytes())
    return digest.hexdigest()[:12]


def head_from(raw: Any, tensors: Mapping[str, Tensor], model: Model) -> TaskHead:
    """A head from a configuration and tensors, after checking each part. Raises FormatError."""
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise FormatError(_("This file says nothing about a head."), _(AGAIN))
    try:
        task = task_from_json(raw["task"])
        features = Features(raw["features"]["layers"], raw["features"]["pool"])
    except (KeyError, TypeError, ExplorerError) as error:
        raise FormatError(
            _("This head's task cannot be read, or what it reads is not known."), _(AGAIN)
        ) from error
    if raw.get("fingerprint") != fingerprint(model):
        raise FormatError(
            _(
                "This head was trained on {other}, and not on these weights of {model}.",
                other=str(raw.get("body"))[:60],
                model=model.checkpoint,
            ),
            _("Choose that model in the picker first."),
        )
    parameters = {name: tensor.float() for name, tensor in tensors.items() if not name.startswith("body.")}
    difference = {name[5:]: tensor.float() for name, tensor in tensors.items() if name.startswith("body.")}
    _check(parameters, _shapes(task, features, model, "mix" in parameters))
    if difference:
        _check_difference(difference, model)
    for name, tensor in tensors.items():
        if not tensor.isfinite().all():
            raise FormatError(_("{name} holds numbers that are not finite.", name=name[:60]), _(AGAIN))
    about = raw.get("about")
    about = {k: v for k, v in about.items() if k in ABOUT} if isinstance(about, dict) else {}
    return TaskHead(task, features, model, parameters, difference, about)


def _shapes(task: Task, features: Features, model: Model, mixed: bool) -> dict[str, tuple[int, ...]]:
    depth = model.config.layers + 1
    d = feature_width(model.config.d_model, depth, features.layers)
    shapes: dict[str, tuple[int, ...]] = {"weight": (len(task.labels), d), "bias": (len(task.labels),)}
    if mixed != (features.layers == "mix"):
        raise FormatError(_("This head's layers and its numbers do not agree."), _(AGAIN))
    return shapes | ({"mix": (depth,), "gamma": ()} if mixed else {})


def _check(tensors: Mapping[str, Tensor], shapes: Mapping[str, tuple[int, ...]]) -> None:
    for name in sorted(set(tensors) ^ set(shapes)):
        text = (
            N_("This head lacks “{name}”.") if name in shapes else N_("This head has an unexpected “{name}”.")
        )
        raise FormatError(_(text, name=name[:60]), _(AGAIN))
    for name, shape in shapes.items():
        if tuple(tensors[name].shape) != shape:
            raise FormatError(
                _(
                    "“{name}” has the shape {shape}; {right} is right.",
                    name=name[:60],
                    shape=tuple(tensors[name].shape),
                    right=shape,
                ),
                _(AGAIN),
            )


def _check_difference(difference: Mapping[str, Tensor], model: Model) -> None:
    own = dict(trainable(model).network.named_parameters())
    shapes: dict[str, tuple[int, ...]] = {}
    for name in difference:
        plain = name[:-2] if name.endswith((".a", ".b")) else name
        if plain not in own or not plain.startswith(BLOCKS):
            raise FormatError(_("The body has no “{name}” that could be changed.", name=plain[:60]), _(AGAIN))
        shape = tuple(own[plain].shape)
        if plain == name:
            shapes[name] = shape
            continue
        a = difference.get(f"{plain}.a")
        rank = a.shape[0] if a is not None and a.ndim else 0
        if not 0 < rank <= MAX_RANK or len(shape) != 2:
            raise FormatError(
                _("“{name}” is changed by a rank of {rank}.", name=plain[:60], rank=rank), _(AGAIN)
            )
        shapes |= {f"{plain}.a": (rank, shape[1]), f"{plain}.b": (shape[0], rank)}
    _check(difference, shapes)
