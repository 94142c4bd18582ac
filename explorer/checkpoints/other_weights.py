"""Weights that are not read: pickles, and those of other frameworks; each error says what to do."""

from collections.abc import Collection

from explorer.errors import FormatError

PICKLES = (".bin", ".pt", ".pth", ".ckpt")
# Endings of other frameworks' files.
OTHERS = {
    "TensorFlow": (".h5", ".hdf5", ".ckpt.index", ".ckpt.meta", ".pb"),
    "Flax": (".msgpack",),
    "ONNX": (".onnx",),
}
# A trainer's other files, which are not models.
NO_WEIGHTS = ("training_args.bin", "optimizer.pt", "optimizer.bin", "scheduler.pt", "scaler.pt")


def other_weights(names: Collection[str], name: str) -> FormatError | None:
    """The error for the model `name` if these files contain only weights that are never read; else None.

    >>> other_weights(["flax_model.msgpack"], "folder:a").message
    'folder:a has no safetensors weights, only those of Flax.'
    """
    if (elmo := published_elmo(names, name)) is not None:
        return elmo
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


def published_elmo(names: Collection[str], name: str) -> FormatError | None:
    """The error for the model `name` if these files are an ELMo as its authors published it; else None.

    >>> published_elmo(["elmo_options.json", "elmo_weights.hdf5"], "folder:a").message
    'folder:a holds an ELMo as its authors published it, in HDF5, which Riverbank does not read.'
    """
    if not all(any(file.endswith(ending) for file in names) for ending in ("options.json", "weights.hdf5")):
        return None
    return FormatError(
        f"{name} holds an ELMo as its authors published it, in HDF5, which Riverbank does not read.",
        "Convert it to model.safetensors, once: docs/own-model.md has the few lines that do it.",
    )
