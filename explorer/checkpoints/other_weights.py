"""Weights that are not read: pickles, those of other frameworks, and their makers' own forms.

Each error says what to do.
"""

import re
from collections.abc import Collection

from explorer.errors import FormatError

PICKLES = (".bin", ".pt", ".pth", ".ckpt")
# Endings of other frameworks' files.
OTHERS = {
    "TensorFlow": (".h5", ".hdf5", ".ckpt.index", ".ckpt.meta", ".pb"),
    "Flax": (".msgpack",),
    "ONNX": (".onnx",),
    "MLX": (".npz",),
}
# A trainer's other files, which are not models.
NO_WEIGHTS = ("training_args.bin", "optimizer.pt", "optimizer.bin", "scheduler.pt", "scaler.pt")
# How some publish or write a model: patterns of its files' names, what that is, and what to do.
HUB_FORM = "Choose the model’s config.json with model.safetensors, or with model-00001-of-… and so on: "
OWN_FORMS = (
    (
        (r"options\.json$", r"weights\.hdf5$"),
        "an ELMo as its authors published it, in HDF5",
        "Convert it to model.safetensors, once: docs/own-model.md has the few lines that do it.",
    ),
    (
        (r"consolidated[.-].*safetensors$",),
        "a model in Mistral’s own form (consolidated.safetensors)",
        f"{HUB_FORM}the same repository mostly has them.",
    ),
    (
        (r"consolidated\.\d+\.pth$",),
        "a model in Meta’s own form, pickles (consolidated.00.pth)",
        f"{HUB_FORM}the hub has them under the model’s name, or with -hf behind it.",
    ),
    (
        (r"(^|/)ckpt\.pt$",),
        "a pickle as nanoGPT writes it (ckpt.pt)",
        "If you trust it, copy its matrices, transposed, into a GPT2LMHeadModel of transformers and call its "
        "save_pretrained.",
    ),
)


def other_weights(names: Collection[str], name: str) -> FormatError | None:
    """The error for the model `name` if these files contain only weights that are never read; else None."""
    if (own := own_form(names, name)) is not None:
        return own
    if any(file.endswith(PICKLES) for file in names if file.rpartition("/")[2] not in NO_WEIGHTS):
        return FormatError(
            f"{name} has no safetensors weights, only older files (pickles), which can run code when opened.",
            "Choose a checkpoint, or a revision, with model.safetensors; or, if you trust these, load the "
            "model in transformers and call its save_pretrained.",
        )
    frameworks = [
        framework for framework, endings in OTHERS.items() if any(file.endswith(endings) for file in names)
    ]
    if not frameworks:
        return None
    keras = ", which can run code when opened" if "TensorFlow" in frameworks else ""
    return FormatError(
        f"{name} has no safetensors weights, only those of {' and '.join(frameworks)}{keras}.",
        "Choose a checkpoint, or a revision, with model.safetensors.",
    )


def own_form(names: Collection[str], name: str) -> FormatError | None:
    """The error for the model `name` if these files are a model in its maker's own form; else None."""
    for patterns, form, hint in OWN_FORMS:
        if all(any(re.search(pattern, file) for file in names) for pattern in patterns):
            return FormatError(f"{name} holds {form}, which Riverbank does not read.", hint)
    return None
