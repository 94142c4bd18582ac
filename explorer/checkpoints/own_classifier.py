"""The classifier in a fine-tuned checkpoint's files, as `transformers` writes and computes it.

    XForSequenceClassification   classifier, after the pooler (BERT, ALBERT, ERNIE) or after a hidden layer of
                                 its own (DistilBERT, RoBERTa, ELECTRA); score, on the last token (GPT-2, Llama)
    XForTokenClassification      classifier, or score, on every token
"""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from explorer.models import Family
from explorer.models.classifier import Classifier

POOLED = ("bert", "albert", "ernie")
# The hidden layer of other families, and what follows it.
HIDDEN = {
    "distilbert": ("pre_classifier", "relu"),
    "roberta": ("classifier.dense", "tanh"),
    "xlm-roberta": ("classifier.dense", "tanh"),
    "camembert": ("classifier.dense", "tanh"),
    "electra": ("classifier.dense", "gelu"),
}


class _Misfit(Exception):
    """Why a classifier is not read, as the end of a sentence."""


def read_classifier(
    raw: Mapping[str, Any], spare: Mapping[str, Tensor], state: Mapping[str, Tensor], family: Family, width: int
) -> tuple[Classifier | None, tuple[str, ...], str]:
    """The classifier among the `spare` parameters of a file, their names, and why there is none, if it is odd.

    `state` are the parameters of the network below it, and `width` is that of its states.
    """
    match = re.search(r"For(Sequence|Token)Classification", str(raw.get("architectures")))
    output = next((n for n in ("classifier", "classifier.out_proj", "score") if f"{n}.weight" in spare), None)
    if match is None or output is None:
        return None, (), ""
    try:
        classifier, names = _classifier(raw, spare, state, family, output, match[1] == "Token")
        _check(classifier, width)
    except _Misfit as misfit:
        return None, (), f"Its classifier is not used: {misfit}."
    return classifier, names, ""


def _classifier(
    raw: Mapping[str, Any],
    spare: Mapping[str, Tensor],
    state: Mapping[str, Tensor],
    family: Family,
    output: str,
    every_token: bool,
) -> tuple[Classifier, tuple[str, ...]]:
    weight = spare[f"{output}.weight"]
    bias = spare.get(f"{output}.bias", torch.zeros(weight.shape[:1]))
    parameters, activation = {"weight": weight, "bias": bias}, ""
    hidden = ""
    if not every_token and output != "score":
        if family.model_type in POOLED:
            below, hidden, activation = state, "pooler", "tanh"
        elif family.model_type in HIDDEN:
            below, (hidden, activation) = spare, HIDDEN[family.model_type]
        else:
            raise _Misfit(f"that of {family.model_type} is not read here")
        if f"{hidden}.weight" not in below or f"{hidden}.bias" not in below:
            raise _Misfit(f"{hidden}, which it reads, is missing")
        parameters |= {f"dense.{kind}": below[f"{hidden}.{kind}"] for kind in ("weight", "bias")}
    several = raw.get("problem_type") == "multi_label_classification"
    names = tuple(name for name in spare if name.startswith((f"{output}.", f"{hidden or output}.")))
    return Classifier(_labels(raw, len(weight)), parameters, activation, every_token, several), names


def _labels(raw: Mapping[str, Any], count: int) -> tuple[str, ...]:
    """The names in `id2label`, by number; `LABEL_0` and so on where there are none, as in `transformers`."""
    if count < 2 or raw.get("problem_type") == "regression":
        raise _Misfit("it gives a number (regression) and no classes")
    named = raw.get("id2label")
    named = named if isinstance(named, Mapping) and named else {str(i): f"LABEL_{i}" for i in range(count)}
    if len(named) != count:
        raise _Misfit(f"it scores {count} classes, and config.json names {len(named)} (id2label)")
    labels = tuple(str(named.get(str(i), "")).strip() for i in range(count))
    if not all(labels) or len(set(labels)) < count:
        raise _Misfit("a class in config.json (id2label) has no name, or the name of another")
    return labels


def _check(classifier: Classifier, width: int) -> None:
    """Raise _Misfit unless the shapes fit one another, and the states of the network."""
    parameters, count = classifier.parameters, len(classifier.labels)
    inner = parameters["dense.bias"].numel() if "dense.bias" in parameters else width
    needed = {"weight": (count, inner), "bias": (count,), "dense.weight": (inner, width), "dense.bias": (inner,)}
    for name, tensor in parameters.items():
        if tuple(tensor.shape) != needed[name]:
            raise _Misfit(f"its {name} has the shape {tuple(tensor.shape)}, not {needed[name]}")
