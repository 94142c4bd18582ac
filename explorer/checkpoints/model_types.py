"""What a config.json says its model is, by model_type or by its architectures, and what is nearest to it."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from explorer.errors import FormatError
from explorer.models import FAMILIES, Family

# Families that compute alike, and whose files may bear one another's names.
ALIKE = ({"roberta", "xlm-roberta", "camembert"}, {"bert", "ernie"}, {"llama", "mistral"})
SHARE = 0.5  # of a file's parameters with another family's name before them
_CLASS = re.compile(r"([A-Za-z0-9]+?)(?:For[A-Z][A-Za-z]*|(?:LMHead|DoubleHeads|MT|PreTrained)?Model)")
# The model type of each family, by the beginning of its classes in `transformers`.
CLASSES = {
    match[1]: family.model_type
    for family in FAMILIES.values()
    if (match := _CLASS.fullmatch(family.architecture))
}

# What is missing for other models, where it can be said in a line, and the nearest one that is read.
WRITER = "hub:HuggingFaceTB/SmolLM2-360M-Instruct"
READER = "hub:FacebookAI/roberta-base"
TRANSLATOR = "hub:Helsinki-NLP/opus-mt-en-fr"
EXPERTS = "its layers choose among experts"
STATES = "it has layers that remember a state in place of attention"
PICTURES = "it reads pictures as well as text"
RELATIVE = "its scores depend on distances in a way of their own (relative positions)"
OTHERS = (
    (
        "dbrx deepseek2 deepseek_v2 deepseek_v3 gpt_oss granitemoe jetmoe llama4 mixtral olmoe",
        EXPERTS,
        WRITER,
    ),
    ("phimoe qwen2_moe qwen3_moe", EXPERTS, WRITER),
    ("bamba falcon_h1 falcon_mamba granitemoehybrid jamba lfm2 mamba mamba2", STATES, WRITER),
    ("nemotron_h qwen3_next recurrent_gemma rwkv rwkv6 rwkv7 xlstm zamba zamba2", STATES, WRITER),
    ("gemma3 gemma3n gemma4 paligemma", PICTURES, "hub:google/gemma-3-1b-it"),
    ("clip llava mllama pixtral qwen2_5_vl qwen2_vl qwen3_vl smolvlm", PICTURES, WRITER),
    ("deberta deberta-v2 funnel nezha roformer xlnet", RELATIVE, READER),
    ("longt5 mt5 switch_transformers t5 t5gemma umt5", RELATIVE, TRANSLATOR),
    ("bart blenderbot fsmt led m2m_100 mbart nllb-moe pegasus plbart prophetnet", "", TRANSLATOR),
    ("big_bird canine convbert data2vec-text esm eurobert flaubert fnet ibert layoutlm", "", READER),
    ("longformer luke megatron-bert mobilebert mra nomic_bert nystromformer rembert", "", READER),
    ("roberta-prelayernorm squeezebert xlm xlm-roberta-xl xmod yoso", "", READER),
)
NEAREST = {
    re.sub("[-_]", "", one): (missing, near) for types, missing, near in OTHERS for one in types.split()
}
ALL_TYPES = "docs/own-model.md lists the model types that are read."
CONSTANTS = {"true": True, "false": False, "null": None, "none": None}
BOOLEANS = ("tie_word_embeddings", "use_sliding_window", "use_task_id")  # which no size is made of


def family_of(raw: dict[str, Any], name: str) -> Family:
    """The family named by a configuration's model_type, or by all its `architectures`.

    Raises FormatError for an unsupported architecture or variant.
    """
    model_type = raw.get("model_type")
    if model_type is None:
        model_type = _of_classes(raw.get("architectures"))
    if model_type is None:
        raise FormatError(
            f"config.json of {name} has no model_type, so that its kind of model is unknown.",
            f'Add it, as in "model_type": "bert". {ALL_TYPES}',
        )
    lowercase = str(model_type).strip().lower()
    family = FAMILIES.get(lowercase) or FAMILIES.get(lowercase.replace("_", "-"))
    if family is None:
        raise unread_family(str(model_type), name)
    if quantised := raw.get("quantization_config"):
        method = quantised.get("quant_method") if isinstance(quantised, Mapping) else None
        raise FormatError(
            f"{name} is quantised ({method or 'quantization_config'!s:.40}), which Riverbank does not read.",
            "Choose the model that it was made from, in float32, float16 or bfloat16, or a .gguf file of it.",
        )
    theirs = _of_classes(raw.get("architectures"))
    if theirs is not None and not _are_alike(family.model_type, theirs):
        raise _contradiction(name, family.model_type, f"“architectures” name a class of {theirs}", theirs)
    for key in BOOLEANS:
        if raw.get(key) not in (None, True, False):
            raise FormatError(
                f"config.json of {name} gives {key} as {raw[key]!r:.60}.", "Write true or false there."
            )
    for key, ours in family.fixed:
        theirs = raw.get(key)
        if theirs is not None and theirs != ours:
            raise FormatError(
                f"{name} has “{key}” set to {theirs}, a variant that Riverbank does not compute.",
                "Choose a checkpoint of the plain architecture.",
            )
    return family


def unread_family(model_type: str, name: str, kind: str = "") -> FormatError:
    """The error for a model of a family that is not read, from files of a `kind`; with the nearest one."""
    missing, near = NEAREST.get(_squashed(model_type), ("", WRITER))
    if _squashed(model_type) in map(_squashed, FAMILIES):
        missing, near = "it reads these from a folder or from the hub", ""
    return FormatError(
        f"{name} is a “{model_type:.60}” model, which Riverbank does not read{kind}"
        + (f": {missing}." if missing else "."),
        (f"The nearest that is read is {near}. " if near else "") + ALL_TYPES,
    )


def _squashed(model_type: str) -> str:
    """A model type as every kind of file spells it: qwen2_moe is qwen2moe in GGUF."""
    return re.sub("[-_. ]", "", model_type.lower())


def check_names(names: Collection[str], family: Family, name: str) -> None:
    """Raise FormatError if the parameters have the names of another family."""
    for other in FAMILIES.values():
        for prefix in set(other.prefixes) - set(family.prefixes) - {"model.", "transformer."}:
            count = sum(one.startswith(prefix) or f".{prefix}" in one for one in names)
            if count > SHARE * len(names) and not _are_alike(family.model_type, other.model_type):
                reason = f"its weights are called “{prefix}…”, as those of {other.model_type}"
                raise _contradiction(name, family.model_type, reason, other.model_type)


def _are_alike(one: str, other: str) -> bool:
    return one == other or any({one, other} <= group for group in ALIKE)


def _contradiction(name: str, model_type: str, reason: str, theirs: str) -> FormatError:
    return FormatError(
        f"config.json of {name} says model_type “{model_type}”, but {reason}.",
        f'If the model is one of {theirs}, write "model_type": "{theirs}" there; if not, fetch it again.',
    )


def with_booleans(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration with true, false and null that were written as texts converted."""
    return {key: _convert(value) for key, value in raw.items()}


def _convert(value: Any) -> Any:
    if isinstance(value, dict):
        return with_booleans(value)
    return CONSTANTS.get(value.strip().lower(), value) if isinstance(value, str) else value


def _of_classes(classes: Any) -> str | None:
    """The model type of all the classes in a configuration; None if they do not agree."""
    if not isinstance(classes, list):
        return None
    matches = [_CLASS.fullmatch(str(name)) for name in classes]
    types = {CLASSES.get(match[1]) if match else None for match in matches}
    return types.pop() if len(types) == 1 else None
