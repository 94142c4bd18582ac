"""The classifier in a fine-tuned checkpoint's files, as `transformers` writes and computes it.

XForSequenceClassification   classifier, after a hidden layer; score, on the last token (GPT-2, Llama)
XForTokenClassification      classifier, or score, on every token
"""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from explorer.models.classifier import Classifier

# By model type the hidden layer below the classes of a text, by our name or the file's, and what follows it.
HIDDEN = {
    **dict.fromkeys(("bert", "albert", "ernie"), ("pooler", "tanh")),
    **dict.fromkeys(("roberta", "xlm-roberta", "camembert"), ("classifier.dense", "tanh")),
    "distilbert": ("pre_classifier", "relu"),
    "electra": ("classifier.dense", "gelu"),
}


def read_classifier(
    raw: Mapping[str, Any],
    spare: Mapping[str, Tensor],
    state: Mapping[str, Tensor],
    model_type: str,
    width: int,
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
        ours + kind: every[f"{theirs}.{kind}"]
        for ours, theirs in layers.items()
        for kind in ("weight", "bias")
        if f"{theirs}.{kind}" in every
    }
    count = len(parameters["weight"])
    parameters.setdefault("bias", torch.zeros(count))
    inner = parameters.get("dense.bias", torch.empty(width)).numel()
    shapes = {"weight": (count, inner), "bias": (count,)}
    shapes |= {"dense.weight": (inner, width), "dense.bias": (inner,)} if activation else {}
    for name, shape in shapes.items():
        if name not in parameters or parameters[name].shape != shape:
            actual = tuple(parameters[name].shape) if name in parameters else "none"
            return f"its {name} has the shape {actual}, not {shape}"
    if count < 2 or raw.get("problem_type") == "regression":
        return "it gives a number (regression) and no classes"
    names = raw.get("id2label") or {str(i): f"LABEL_{i}" for i in range(count)}  # as transformers calls them
    labels = tuple(str(names.get(str(i), "")).strip() for i in range(count))
    if len(names) != count or not all(labels) or len(set(labels)) < count:
        return f"it scores {count} classes, and config.json (id2label) does not give {count} different names"
    several = raw.get("problem_type") == "multi_label_classification"
    return Classifier(labels, parameters, activation, match[1] == "Token", several)
