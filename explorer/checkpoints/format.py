"""Hub-format folders to networks and back: config.json, safetensors, and the families' rename tables."""

import json
import re
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from explorer.errors import FormatError, NotFoundError
from explorer.models import FAMILIES, Family, LanguageModel
from explorer.models.base import Rule
from explorer.tokenizers import read_tokenizer
from explorer.trace import Checkpoint

FETCH_AGAIN = "It may be damaged: fetch or copy the checkpoint again."


def read_model(folder: Path, checkpoint: Checkpoint) -> LanguageModel:
    """Build the model whose files are in `folder`, in float32, ready to trace.

    Raises NotFoundError for missing files, FormatError for damaged or foreign ones; the
    message lists missing, unexpected and mis-shaped parameters.
    """
    raw = read_config(folder)
    family = FAMILIES.get(raw.get("model_type", ""))
    if family is None:
        known = ", ".join(sorted(FAMILIES))
        raise FormatError(
            f"{checkpoint} is a “{raw.get('model_type', 'nameless')}” model, which Riverbank does not read.",
            f"It reads these model types: {known}.",
        )
    try:
        config = family.read_config(raw)
    except (KeyError, TypeError) as error:
        raise FormatError(f"config.json of {checkpoint} lacks {error}.", FETCH_AGAIN) from error
    tensors = canonical(read_tensors(folder), family)
    parts = frozenset(
        rule.part for rule in family.rules if rule.part and any(n in tensors for n in rule.theirs)
    )
    network = family.network(config, parts)
    state = to_ours(tensors, network, family, str(checkpoint))
    network.load_state_dict(state)
    network.eval().requires_grad_(False)
    tokenizer = read_tokenizer(folder)
    return LanguageModel(checkpoint, config, network, tokenizer, family.abilities(parts))


def read_config(folder: Path) -> dict[str, Any]:
    """config.json of a folder. Raises NotFoundError or FormatError."""
    path = folder / "config.json"
    if not path.exists():
        raise NotFoundError(f"{folder} has no config.json.", "Point to a folder with the hub's file names.")
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FormatError(f"{path} is not JSON: {error}.", FETCH_AGAIN) from error
    if not isinstance(raw, dict):
        raise FormatError(f"{path} is not a model's configuration.", FETCH_AGAIN)
    return raw


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a folder: one, or the shards that its index names.

    Raises NotFoundError where there are none; pickled weights are never opened.
    """
    single, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if single.exists():
        return [single]
    if index.exists():
        try:
            names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
        except (ValueError, KeyError, AttributeError) as error:
            raise FormatError(f"{index} cannot be read: {error}.", FETCH_AGAIN) from error
        if any(Path(name).name != name for name in names):
            raise FormatError(f"{index} points outside its folder.", "Do not use this checkpoint.")
        missing = [name for name in names if not (folder / name).exists()]
        if missing:
            raise NotFoundError(f"{folder} lacks the shards {', '.join(missing)}.", FETCH_AGAIN)
        return [folder / name for name in names]
    if any(folder.glob("*.bin")) or any(folder.glob("*.pt")):
        raise FormatError(
            f"{folder.name} has pickled weights only, and a pickle can run any code when opened.",
            "Choose a checkpoint, or a revision, with model.safetensors.",
        )
    raise NotFoundError(f"{folder} has no model.safetensors.", "Point to a folder with weights in it.")


def read_tensors(folder: Path) -> dict[str, Tensor]:
    """All parameters of a folder as float32. Raises FormatError for damaged or non-finite data."""
    tensors: dict[str, Tensor] = {}
    for path in weight_files(folder):
        try:
            with safe_open(path, framework="pt") as file:
                for name in file.keys():  # noqa: SIM118 (a safetensors handle is no dict)
                    tensor = file.get_tensor(name)
                    tensors[name] = tensor.float() if tensor.is_floating_point() else tensor
        except (SafetensorError, OSError, ValueError, RuntimeError) as error:
            raise FormatError(
                f"{path.name} in {folder.name} cannot be read: {error}.", FETCH_AGAIN
            ) from error
    broken = [name for name, t in tensors.items() if t.is_floating_point() and not t.isfinite().all()]
    if broken:
        raise FormatError(f"{broken[0]} in {folder.name} holds numbers that are not finite.", FETCH_AGAIN)
    return tensors


def canonical(tensors: dict[str, Tensor], family: Family) -> dict[str, Tensor]:
    """The same tensors under the names that the family's rules use."""
    result = {}
    for name, tensor in tensors.items():
        for prefix in family.prefixes:
            name = name.removeprefix(prefix)
        for old, new in family.renames:
            name = re.sub(re.escape(old) + "$", new, name)
        result[name] = tensor
    return result


def to_ours(tensors: dict[str, Tensor], network: nn.Module, family: Family, name: str) -> dict[str, Tensor]:
    """Our state dict from hub tensors, strictly. Raises FormatError with every misfit listed."""
    wanted = network.state_dict()
    state, used, missing, misshaped = {}, set(), [], []
    for ours, rule, i in _expanded(family, wanted):
        sources = [theirs.format(i=i) for theirs in rule.theirs]
        absent = [source for source in sources if source not in tensors]
        used.update(sources)
        if absent:
            missing += absent
            continue
        tensor = torch.cat([tensors[source] for source in sources])
        tensor = tensor.T.contiguous() if rule.transpose else tensor
        if tensor.shape != wanted[ours].shape:
            misshaped.append(f"{sources[0]} {tuple(tensor.shape)}, not {tuple(wanted[ours].shape)}")
        state[ours] = tensor
    unexpected = [n for n in tensors if n not in used and not any(re.fullmatch(p, n) for p in family.ignored)]
    problems = [
        f"{label}: {', '.join(names[:5])}{' …' if len(names) > 5 else ''}"
        for label, names in (("missing", missing), ("unexpected", unexpected), ("mis-shaped", misshaped))
        if names
    ]
    if problems:
        raise FormatError(
            f"The weights of {name} do not fit its configuration ({'; '.join(problems)}).",
            "It may be another architecture under the same name, or a damaged copy.",
        )
    return state


def to_hub(network: nn.Module, family: Family) -> dict[str, Tensor]:
    """Hub tensors from a network: the rename table read backwards, float16, with the hub's prefix."""
    state = network.state_dict()
    tensors = {}
    for ours, rule, i in _expanded(family, state):
        tensor = state[ours].T if rule.transpose else state[ours]
        pieces = tensor.chunk(len(rule.theirs))
        for theirs, piece in zip(rule.theirs, pieces, strict=True):
            prefix = family.prefixes[0] if family.prefixes and not theirs.startswith("cls.") else ""
            tensors[prefix + theirs.format(i=i)] = piece.detach().half().contiguous().cpu()
    return tensors


def write_model(folder: Path, network: nn.Module, family: Family) -> None:
    """Write config.json and model.safetensors (float16), as `transformers` reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    config = json.dumps(family.write_config(network.config), indent=2) + "\n"
    (folder / "config.json").write_text(config, encoding="utf-8")
    save_file(to_hub(network, family), folder / "model.safetensors", metadata={"format": "pt"})


def _expanded(family: Family, wanted: dict[str, Tensor]) -> list[tuple[str, Rule, int]]:
    """Every parameter of the network with its rule and layer (0 where it has none)."""
    by_name = {rule.ours: rule for rule in family.rules}
    result = []
    for ours in wanted:
        layer = re.search(r"\.(\d+)\.", ours)
        pattern = re.sub(r"\.\d+\.", ".{i}.", ours, count=1)
        result.append((ours, by_name[pattern], int(layer[1]) if layer else 0))
    return result
