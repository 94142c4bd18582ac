"""The checkpoints that ship in assets/checkpoints, or come as a Python package (see `packaged`)."""

from pathlib import Path

from explorer.assets import CHECKPOINTS
from explorer.checkpoints.packaged import PACKAGES, is_installed, locate_package
from explorer.checkpoints.partner import DISCRIMINATOR, GENERATOR
from explorer.checkpoints.suggest import did_you_mean
from explorer.errors import NotFoundError
from explorer.trace import Ability, Checkpoint

# Known without opening the weights, so that a picker costs nothing; a test keeps it true.
ABILITIES = {
    "word2vec": Ability.VECTORS,
    "elmo": Ability.CONTEXT | Ability.CHARACTERS | Ability.NEXT_WORD | Ability.PREVIOUS_WORD,
    "bert": Ability.CONTEXT | Ability.ATTENTION | Ability.FILL | Ability.NEXT_SENTENCE,
    "bert-mini": Ability.CONTEXT | Ability.ATTENTION | Ability.FILL | Ability.NEXT_SENTENCE,
    "bert-zh": Ability.CONTEXT | Ability.ATTENTION | Ability.FILL | Ability.NEXT_SENTENCE,
    "bert-en-zh": Ability.CONTEXT | Ability.ATTENTION | Ability.FILL | Ability.NEXT_SENTENCE,
    "electra-generator": Ability.CONTEXT | Ability.ATTENTION | Ability.FILL,
    "electra-discriminator": Ability.CONTEXT | Ability.ATTENTION | Ability.DETECT,
    "gpt": Ability.CONTEXT | Ability.ATTENTION | Ability.GENERATE,
    "smollm2": Ability.CONTEXT | Ability.ATTENTION | Ability.GENERATE,
    "translator": Ability.CONTEXT | Ability.ATTENTION | Ability.TRANSLATE,
}


def available() -> list[Checkpoint]:
    """The bundled checkpoints whose files are there, and installed packages, in the lecture's order."""
    return [
        Checkpoint("bundled", name, abilities=abilities)
        for name, abilities in ABILITIES.items()
        if _ships(name) or is_installed(name)
    ]


def shipped() -> list[Checkpoint]:
    """Those that lie in assets/checkpoints.

    >>> "bert" in [checkpoint.name for checkpoint in shipped()]
    True
    """
    return [checkpoint for checkpoint in available() if _ships(checkpoint.name)]


def _ships(name: str) -> bool:
    return (CHECKPOINTS / name / "config.json").exists()


def missing() -> list[str]:
    """The models that come as a package which is not installed; `packaged.BRING` is the line that brings it.

    >>> "bert" in missing()
    False
    """
    return [name for name in PACKAGES if not is_installed(name)]


def locate(checkpoint: Checkpoint) -> Path:
    """The folder of a bundled checkpoint, or the file in its package.

    Raises NotFoundError with the nearest name, or for a package that is not installed; FormatError for
    a package whose file is another one.
    """
    if checkpoint.name in PACKAGES:
        return locate_package(checkpoint.name)
    names = [c.name for c in available()]
    if checkpoint.name in ABILITIES and checkpoint.name not in names:
        raise NotFoundError(
            f"The checkpoint “{checkpoint.name}” is not in this copy of Riverbank.",
            f"{_training(checkpoint.name)} makes it; hub:organisation/name takes a model of its kind from "
            "the Hugging Face hub.",
        )
    if checkpoint.name not in names:
        raise NotFoundError(
            f"No checkpoint called “{checkpoint.name}” ships with Riverbank.", _hint(checkpoint.name, names)
        )
    return CHECKPOINTS / checkpoint.name


def _training(name: str) -> str:
    """The command that trains a checkpoint."""
    pair, _, half = name.partition("-")
    task = pair if half in (DISCRIMINATOR, GENERATOR) else name
    return f"python -m training {task}"


def _hint(name: str, names: list[str]) -> str:
    """What a name may have been meant for: a path, a model on the hub, or one that is bundled."""
    if "/" in name:
        return f"For a model on the Hugging Face hub, write hub:{name}."
    return did_you_mean(name, names) or "Write hub:organisation/name for a model on the Hugging Face hub."
