"""The classifier in a fine-tuned checkpoint's files, as `transformers` writes and computes it.

XForSequenceClassification   classifier, after a hidden layer; score, on the last token (GPT-2, Llama)
XForTokenClassification      classifier, or score, on every token
"""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from explorer.checkpoints.placement import FLOAT32
from explorer.models.classifier import Classifier

MOST = 200  # classes, as a task may have
# By model type the hidden layer below the classes of a text, by our name or the file's, and what follows it.
HIDDEN = {
    **dict.fromkeys(("bert", "albert", "ernie"), ("pooler", "tanh")),
    **dict.fromkeys(("roberta", "xlm-roberta", "camembert", "mpnet"), ("classifier.dense", "tanh")),
    "distilbert": ("pre_classifier", "relu"),
    "electra": ("classifier.dense", "gelu"),
}


def read_classifier(
    raw: dict[str, Any], spare: dict[str, Tensor], state: dict[str, Tensor], model_type: str, width: int
) -> Classifier | str | None:
    """The classifier among the `spare` parameters of a file; why it is not used, if it does not fit; or None.

    `state` are the parameters of the network below it, and `width` is that of its states.
    """
    match = re.search(r"For(Sequence|Token)Classification", str(raw.get("architectures")))
    output = next((n for n in ("classifier", "classifier.out_proj", "score") if f"{n}.weight" in spare), None)
    if match is None or output is None:
        return None
    layers, activation = {"": output}, ""
    if match[1] == "Sequence" and output != "score":
        if model_type not in HIDDEN:
            return f"that of {model_type} is not read here"
        layers["dense."], activation = HIDDEN[model_type]
    every = {**state, **spare}
    parameters = {
        ours + kind: FLOAT32.place(every[f"{theirs}.{kind}"])
        for ours, theirs in layers.items()
        for kind in ("weight", "bias")
        if f"{theirs}.{kind}" in every
    }
    count = next(iter(parameters["weight"].shape), 0)
    parameters.setdefault("bias", torch.zeros(count))
    shapes = {name: tuple(tensor.shape) for name, tensor in parameters.items()}
    inner = shapes.get("dense.bias", (width,))
    needed = {"weight": (count, *inner), "bias": (count,)}
    needed |= {"dense.weight": (*inner, width), "dense.bias": inner} if activation else {}
    if shapes != needed or not all(tensor.is_floating_point() for tensor in parameters.values()):
        return f"its shapes are {shapes}, not {needed}"
    if count < 2 or raw.get("problem_type") == "regression":
        return "it gives a number (regression) and no classes"
    if count > MOST:
        return f"it has {count:,} classes, and at most {MOST} are shown"
    names = raw.get("id2label")
    if not isinstance(names, Mapping) or not names:
        names = {str(i): f"LABEL_{i}" for i in range(count)}  # as transformers calls them
    labels = tuple(str(names.get(str(i), "")).strip() for i in range(count))
    if len(names) != count or not all(labels) or len(set(labels)) < count:
        return f"config.json (id2label) does not give {count} different names for its {count} classes"
    several = raw.get("problem_type") == "multi_label_classification"
    return Classifier(labels, parameters, activation, match[1] == "Token", several)
