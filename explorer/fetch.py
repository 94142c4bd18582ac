"""`python -m explorer.fetch bert-base-uncased gpt2`: fetch models from the hub before they are needed.

They go into the cache of the Hugging Face library, where the app finds them without a network. Without a
name, the models that the picker offers are listed, with their sizes and whether they are here.
"""

import argparse
import sys
from collections.abc import Callable, Sequence

from explorer.checkpoints import hub
from explorer.checkpoints.listed import LISTED, modernise
from explorer.errors import CheckpointError, NotFoundError
from explorer.system.console import report
from explorer.trace import Checkpoint

STEP = 5  # percent: a line is written no more often


def main(arguments: Sequence[str] | None = None) -> None:
    """Fetch the models named, one after the other; exits with 1 if one of them could not be fetched."""
    parser = argparse.ArgumentParser(prog="python -m explorer.fetch", description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="such as gpt2, or organisation/name")
    options = parser.parse_args(arguments)
    if not options.models:
        report(offer())
    failed = [name for name in options.models if not _fetched(name)]
    if failed:
        sys.exit(1)


def offer() -> str:
    """The models that the picker offers, one in a line."""
    lines = [
        f"{model.megabytes:6,} MB  {'here' if is_here(name) else '    '}  {name}"
        for name, model in LISTED.items()
    ]
    return "\n".join(lines)


def is_here(name: str) -> bool:
    """Whether a hub model is complete in the local cache."""
    return hub.cached(checkpoint_of(name)) is not None


def checkpoint_of(name: str) -> Checkpoint:
    """The hub's checkpoint of this name. Raises NotFoundError for the name of any other.

    >>> str(checkpoint_of("gpt2"))
    'hub:openai-community/gpt2'
    """
    checkpoint = modernise(Checkpoint.parse(name))
    if checkpoint.source not in ("hub", "folder", "serve") and "/" in name:
        checkpoint = modernise(Checkpoint.parse(f"hub:{name}"))
    if checkpoint.source != "hub":
        raise NotFoundError(f"“{name}” is not a model on the hub.", "Write its name as organisation/name.")
    return checkpoint


def fetch(name: str, progress: Callable[[int, int, str], None] | None = None) -> None:
    """Fetch a hub model into the local cache, unless it is there. Raises a CheckpointError."""
    hub.locate(checkpoint_of(name), progress)


def _fetched(name: str) -> bool:
    """Fetch one model and say how far it is; False, with the reason written, if that fails."""
    last = -STEP

    def show(fetched: int, total: int, file: str) -> None:
        nonlocal last
        percent = 100 * fetched // max(total, 1)
        if percent >= last + STEP:
            last = percent
            report(f"{name}: {percent:3} % of {total / 1e6:,.0f} MB")

    try:
        if is_here(name):
            report(f"{name} is here already.")
            return True
        report(f"{name}: asking the hub")
        fetch(name, show)
    except CheckpointError as error:
        report(f"{name}: {error.message} {error.hint}", file=sys.stderr)
        return False
    report(f"{name} is here now.")
    return True


if __name__ == "__main__":
    main()
