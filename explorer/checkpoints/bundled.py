"""The bundled checkpoints: those in assets/checkpoints, and those that come as a Python package."""

from pathlib import Path

from explorer import assets
from explorer.catalogue.manifest import Manifest, manifests
from explorer.checkpoints.listed import did_you_mean
from explorer.checkpoints.packaged import locate_package
from explorer.errors import NotFoundError
from explorer.trace import Checkpoint


def available() -> list[Checkpoint]:
    """The bundled checkpoints whose files are here, and installed packages, in the lecture's order."""
    return [_checkpoint(model) for model in manifests().values() if model.is_available()]


def shipped() -> list[Checkpoint]:
    """The checkpoints in assets/checkpoints."""
    return [_checkpoint(model) for model in manifests().values() if model.ships()]


def locate(checkpoint: Checkpoint) -> Path:
    """The folder of a bundled checkpoint, or the file in its package.

    Raises NotFoundError with the nearest name, or for a package that is not installed; FormatError for
    a package with another file.
    """
    model = manifests().get(checkpoint.name)
    if model is None:
        names = [c.name for c in available()]
        raise NotFoundError(
            f"No checkpoint called “{checkpoint.name}” ships with Riverbank.", _hint(checkpoint.name, names)
        )
    if model.package:
        return locate_package(model.name, model.package)
    if not model.ships():
        raise NotFoundError(
            f"The checkpoint “{model.name}” is not in this copy of Riverbank.",
            "hub:organisation/name takes a model of its kind from the Hugging Face hub.",
        )
    return assets.CHECKPOINTS / model.name


def _checkpoint(model: Manifest) -> Checkpoint:
    return Checkpoint("bundled", model.name, abilities=model.abilities)


def _hint(name: str, names: list[str]) -> str:
    """What a name may have been meant for: a path, a model on the hub, or one that is bundled."""
    if "/" in name:
        return f"For a model on the Hugging Face hub, write hub:{name}."
    return did_you_mean(name, names) or "Write hub:organisation/name for a model on the Hugging Face hub."
