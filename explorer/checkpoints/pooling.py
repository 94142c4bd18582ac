"""How a sentence encoder pools, from the small files that sentence-transformers writes beside a model.

modules.json                          the steps: Transformer, Pooling, perhaps Normalize, Dense or others
1_Pooling/config.json                 which pooling; {"pooling_mode_cls_token": true} in older versions
2_Dense/config.json                   a layer after the pooling, with its weights beside it
sentence_bert_config.json             how a text is read: how many tokens of it, in small letters or not
tokenizer_config.json                 how many tokens are read, where sentence_bert_config.json does not say
config_sentence_transformers.json     what is put before a question or a passage (E5, BGE), what is compared

`SETTINGS` says of every key of these files what becomes of it. A setting that is not computed is refused by
name, but only where a vector is asked for: the model itself can be read without.
"""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

import torch
from torch import nn

from explorer.checkpoints.model_folder import MODULES
from explorer.checkpoints.weights import WEIGHTS, read_tensors
from explorer.errors import CheckpointError
from explorer.models.pooling import (
    CLS,
    LARGEST,
    LAST,
    MEAN,
    MODES,
    ROOT_MEAN,
    WEIGHTED,
    Dense,
    LayerNorm,
    Normalise,
    Pooling,
    Step,
)

Content = TypeVar("Content", dict[str, Any], list[Any])

READING = tuple(
    f"sentence_{kind}_config.json"
    for kind in ("bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet")
)
PROMPTS = "config_sentence_transformers.json"
TOKENIZER = "tokenizer_config.json"
FILES = (MODULES, *READING, PROMPTS)  # those to fetch from the hub, and those of each step
FILES_OF_STEPS = re.compile(r"\d+_(?!Transformer)[^/]+/(config\.json|model\.safetensors)")
OLDER = {
    "pooling_mode_cls_token": CLS,
    "pooling_mode_max_tokens": LARGEST,
    "pooling_mode_mean_tokens": MEAN,
    "pooling_mode_mean_sqrt_len_tokens": ROOT_MEAN,
    "pooling_mode_weightedmean_tokens": WEIGHTED,
    "pooling_mode_lasttoken": LAST,
}
COMPUTED, NOTED, REFUSED, WITHOUT_EFFECT = "computed", "noted", "refused", "without effect"
# What becomes of each kind of step, and of each key. REFUSED means: unless it says what is computed anyway.
STEPS = {
    "Transformer": COMPUTED,
    "Pooling": COMPUTED,
    "Normalize": COMPUTED,
    "Dense": COMPUTED,
    "LayerNorm": COMPUTED,
    "Dropout": WITHOUT_EFFECT,
    **dict.fromkeys(("Asym", "BoW", "CLIPModel", "CNN", "LSTM", "Router", "StaticEmbedding"), REFUSED),
    **dict.fromkeys(("WeightedLayerPooling", "WordEmbeddings", "WordWeights"), REFUSED),
}
ARGUMENTS = tuple(
    f"{of}_{kind}" for of in ("model", "tokenizer", "processor", "config") for kind in ("args", "kwargs")
)
SETTINGS = {
    MODULES: dict.fromkeys(("path", "type"), COMPUTED)
    | dict.fromkeys(("idx", "name", "kwargs"), WITHOUT_EFFECT),
    READING[0]: {
        "max_seq_length": COMPUTED,
        "do_lower_case": COMPUTED,
        "unpad_inputs": WITHOUT_EFFECT,
        "transformer_task": REFUSED,
        "modality_config": REFUSED,
        "module_output_name": REFUSED,
        "processing_kwargs": REFUSED,
        "query_length": REFUSED,
        "document_length": REFUSED,
        "query_expansion": REFUSED,
        "tokenizer_name_or_path": REFUSED,
    }
    | dict.fromkeys(ARGUMENTS, REFUSED),
    PROMPTS: {
        "prompts": COMPUTED,
        "default_prompt_name": COMPUTED,
        "truncate_dim": COMPUTED,
        "similarity_fn_name": NOTED,
        "model_type": REFUSED,
        "__version__": WITHOUT_EFFECT,
        "requirements": WITHOUT_EFFECT,
    },
    "Pooling": {
        "pooling_mode": COMPUTED,
        "include_prompt": COMPUTED,
        "embedding_dimension": WITHOUT_EFFECT,
        "word_embedding_dimension": WITHOUT_EFFECT,
    }
    | dict.fromkeys(OLDER, COMPUTED),
    "Dense": {
        "in_features": WITHOUT_EFFECT,
        "out_features": WITHOUT_EFFECT,
        "bias": COMPUTED,
        "activation_function": COMPUTED,
        "use_residual": COMPUTED,
        "module_input_name": REFUSED,
        "module_output_name": REFUSED,
    },
    "Normalize": {"module_input_name": REFUSED, "module_output_name": REFUSED},
    "LayerNorm": {"dimension": WITHOUT_EFFECT},
    "Dropout": {"dropout": WITHOUT_EFFECT},
}
# What a key that is else refused may say, besides nothing.
USUAL = {
    "transformer_task": "feature-extraction",
    "module_output_name": "token_embeddings",
    "model_type": "SentenceTransformer",
}
# Arguments that change how weights are read, and not what is computed.
HARMLESS = {"attn_implementation", "low_cpu_mem_usage", "trust_remote_code", "use_fast", "padding_side"}
PRECISION = {"dtype", "torch_dtype"}
PLAIN_TEXT = {"method": "forward", "method_output_name": "last_hidden_state"}
# The activations of torch that a Dense layer may name.
ACTIVATIONS = (
    "CELU ELU GELU Hardtanh LeakyReLU Mish ReLU ReLU6 SELU SiLU Sigmoid Softplus Softsign Tanh Tanhshrink"
).split()


class _NotComputed(Exception):
    """A setting that is not computed, by name."""


def read_pooling(folder: Path) -> Pooling | None:
    """The pooling of a model's folder, whose list of modules may be one folder above; None without one.

    A setting that is not computed is the `refusal` of the result. What cannot be read counts as missing.
    """
    root = next((place for place in (folder, folder.parent) if (place / MODULES).is_file()), None)
    if root is None:
        return None
    notes: list[str] = []
    try:
        pooling = _read_steps(root, notes)
        pooling = _read_text(folder, pooling, notes)
        pooling = _read_prompts(_json(root / PROMPTS, dict), pooling, notes)
    except _NotComputed as setting:
        return Pooling(
            refusal=str(setting), note=f"Its files ask for {setting}: it gives no sentence vectors."
        )
    return replace(pooling, note=" ".join(notes))


def static_kind(folder: Path) -> str | None:
    """The kind of a folder's first step that is no Transformer, such as StaticEmbedding; None otherwise."""
    kinds = [_kind(step) for step in _json(folder / MODULES, list)]
    return kinds[0] if kinds and STEPS.get(kinds[0]) == REFUSED else None


def _read_steps(root: Path, notes: list[str]) -> Pooling:
    """The pooling and what comes after it. Raises _NotComputed."""
    steps = [(_kind(step), step) for step in _json(root / MODULES, list)]
    kinds = [kind for kind, _ in steps]
    if "Pooling" not in kinds:
        if unknown := [kind for kind in kinds if kind and kind != "Transformer"]:
            raise _NotComputed(f"{unknown[0]} in {MODULES}")
        notes.append(f"Its {MODULES} names no pooling, so this is the mean of all tokens.")
        return Pooling()
    pooling, after = Pooling(), list[Step]()
    for index, (kind, step) in enumerate(steps):
        # The last part of a path alone: it never leads out of the folder.
        place = root / Path(str(step.get("path", ""))).name if isinstance(step, dict) else root
        config = _json(place / "config.json", dict)
        if kind == "Pooling" and "Pooling" not in kinds[:index]:
            modes = _modes(config)
            if unknown := [mode for mode in modes if mode not in MODES]:
                raise _NotComputed(f"the pooling {unknown[0]}")
            pooling = Pooling(modes, pools_prompt=config.get("include_prompt", True) is not False)
        elif kind in ("Normalize", "Dense", "LayerNorm") and "Pooling" in kinds[:index]:
            for key in ("module_input_name", "module_output_name"):
                if config.get(key) not in (None, "sentence_embedding"):
                    raise _NotComputed(f"{key} {config[key]} of {kind}")
            after.append(Normalise() if kind == "Normalize" else _layer(kind, config, place))
        elif kind not in ("Dropout", "Transformer") or (kind == "Transformer" and index):
            raise _NotComputed(f"{kind or 'a step without a type'} in {MODULES}")
    return replace(pooling, steps=tuple(after))


def _layer(kind: str, config: dict[str, Any], place: Path) -> Dense | LayerNorm:
    """A layer with weights. Raises _NotComputed if they or its activation are not available."""
    try:
        tensors = read_tensors([place / WEIGHTS])
    except (CheckpointError, OSError) as error:
        raise _NotComputed(f"{kind}, whose weights are not in {place.name}/{WEIGHTS}") from error
    norm, linear = "norm.", "linear."
    try:
        if kind == "LayerNorm":
            return LayerNorm(tensors[f"{norm}weight"], tensors[f"{norm}bias"])
        weight = tensors[f"{linear}weight"]
        bias = tensors[f"{linear}bias"] if config.get("bias", True) else None
        residual = None
        if config.get("use_residual") is True:
            same = weight.shape[0] == weight.shape[1]
            residual = torch.eye(len(weight)) if same else tensors["residual.weight"]
    except KeyError as error:
        raise _NotComputed(f"{kind}, whose weights lack {error}") from error
    return Dense(weight, bias, _activation(str(config.get("activation_function", "torch.nn.Tanh"))), residual)


def _activation(name: str) -> nn.Module | None:
    """An activation of torch by its path; None for none. Raises _NotComputed."""
    package, _, kind = name.rpartition(".")
    if not package.startswith("torch.") and package != "torch":
        raise _NotComputed(f"activation_function {name} of Dense")
    if kind == "Identity":
        return None
    if kind not in ACTIVATIONS:
        raise _NotComputed(f"activation_function {name} of Dense")
    activation: nn.Module = getattr(nn, kind)()
    return activation


def _read_text(folder: Path, pooling: Pooling, notes: list[str]) -> Pooling:
    """How a text is read. Raises _NotComputed."""
    config = next(filter(None, (_json(folder / name, dict) for name in READING)), {})
    for key, settled in SETTINGS[READING[0]].items():
        if settled != REFUSED or config.get(key) in (None, {}, USUAL.get(key)) or key in ARGUMENTS:
            continue
        if key == "modality_config" and _reads_plain_text(config[key]):
            continue
        raise _NotComputed(f"{key} in {READING[0]}")
    limit = config.get("max_seq_length")
    for key in ARGUMENTS:
        arguments = config.get(key)
        for name, value in arguments.items() if isinstance(arguments, dict) else ():
            if name == "model_max_length":
                limit = value
            elif name in PRECISION:
                notes.append(f"Its files ask for numbers in {value}; here they are in float32.")
            elif name not in HARMLESS:
                raise _NotComputed(f"{name} of {key} in {READING[0]}")
    if not _is_count(limit):
        of_tokenizer = _json(folder / TOKENIZER, dict)
        limit = of_tokenizer.get("model_max_length", of_tokenizer.get("max_len"))
    if not _is_count(limit) or limit >= 10**9:  # which stands for no limit
        limit = None
    return replace(
        pooling, limit=None if limit is None else int(limit), lowered=config.get("do_lower_case") is True
    )


def _reads_plain_text(modalities: Any) -> bool:
    """Whether a text goes through the model as it is, and not through a chat template."""
    return (
        isinstance(modalities, dict)
        and "message" not in modalities
        and modalities.get("text", PLAIN_TEXT) == PLAIN_TEXT
    )


def _read_prompts(config: dict[str, Any], pooling: Pooling, notes: list[str]) -> Pooling:
    """What is put before a text, and how vectors are compared. Raises _NotComputed."""
    if config.get("model_type") not in (None, USUAL["model_type"]):
        raise _NotComputed(f"model_type {config['model_type']} in {PROMPTS}")
    compared = config.get("similarity_fn_name")
    if compared not in (None, "cosine"):
        notes.append(
            f"Its files compare vectors by similarity_fn_name “{compared}”; here the cosine does it, "
            "so the order of passages may be another."
        )
    prompts = config.get("prompts")
    prompts = {str(key): str(text) for key, text in prompts.items()} if isinstance(prompts, dict) else {}
    size = config.get("truncate_dim")
    return replace(
        pooling,
        prompts=prompts,
        default_prompt=prompts.get(str(config.get("default_prompt_name")), ""),
        size=int(size) if _is_count(size) else None,
    )


def _is_count(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 1


def _kind(step: Any) -> str:
    """The kind of a step: the last part of its type, whose path differs from version to version.

    A class of the model's own keeps its whole path, which is the name of no kind.
    """
    path = str(step.get("type", "")) if isinstance(step, dict) else ""
    return path.rpartition(".")[2] if path.startswith("sentence_transformers.") else path


def _modes(config: dict[str, Any]) -> tuple[str, ...]:
    """The poolings that a configuration names; the mean if it names none."""
    modes = config.get("pooling_mode", [mode for key, mode in OLDER.items() if config.get(key) is True])
    return tuple(str(mode) for mode in (modes if isinstance(modes, list) else [modes])) or (MEAN,)


def _json(path: Path, kind: type[Content]) -> Content:
    """A file's content if it is of this kind; nothing if the file is not there or damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return kind()
    return content if isinstance(content, kind) else kind()
