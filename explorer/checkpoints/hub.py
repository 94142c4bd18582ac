"""Checkpoints on the Hugging Face hub: the listed names, the local cache, and the way to a folder."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from explorer.checkpoints import bundled
from explorer.checkpoints.format import CONFIG, INDEX, WEIGHTS, weight_files
from explorer.errors import CheckpointError, NotFoundError
from explorer.tokenizers import TOKENIZER_FILES, complete
from explorer.trace import Ability, Checkpoint

# Called while files are fetched: progress(done_bytes, total_bytes, file_name).
Progress = Callable[[int, int, str], None]

BERT = Ability.CONTEXT | Ability.ATTENTION | Ability.FILL | Ability.NEXT_SENTENCE
GPT = Ability.CONTEXT | Ability.ATTENTION | Ability.GENERATE

# Offered in the picker: each has safetensors weights, and is small enough for a laptop.
LISTED = {
    "google-bert/bert-base-uncased": BERT,
    "google-bert/bert-base-cased": BERT,
    "google-bert/bert-base-chinese": BERT,
    "google-bert/bert-base-multilingual-cased": BERT,
    "openai-community/gpt2": GPT,
    "distilbert/distilgpt2": GPT,
    "openai-community/gpt2-medium": GPT,
}
# Before organisations had names of their own, these stood on the hub without one.
OLD_NAMES = {name.split("/")[1]: name for name in LISTED}


def listed() -> list[Checkpoint]:
    """The hub checkpoints that the picker offers, with their abilities."""
    return [Checkpoint("hub", name, abilities=abilities) for name, abilities in LISTED.items()]


def modernise(checkpoint: Checkpoint) -> Checkpoint:
    """A listed model written in an older or a shorter way, under its full name.

    >>> str(modernise(Checkpoint.parse("gpt2"))), str(modernise(Checkpoint.parse("hub:gpt2@v1")))
    ('hub:openai-community/gpt2', 'hub:openai-community/gpt2@v1')
    """
    if checkpoint.source == "folder" or checkpoint.name in bundled.ABILITIES:
        return checkpoint
    name = OLD_NAMES.get(checkpoint.name, checkpoint.name)
    if checkpoint.source == "hub" or name in LISTED:
        return replace(checkpoint, source="hub", name=name, abilities=LISTED.get(name))
    return checkpoint


def locate(checkpoint: Checkpoint, progress: Progress | None = None) -> Path:
    """The folder with a hub checkpoint's files: from the local cache, else fetched into it.

    A complete copy in the cache is used as it is, without asking the network. Raises a
    CheckpointError that says why the files cannot be had.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    try:
        validate_repo_id(checkpoint.name)
    except HFValidationError as error:
        raise NotFoundError(
            f"“{checkpoint.name}” cannot be a name on the hub.",
            "Write organisation/name, in letters, digits, “-”, “_” and “.”.",
        ) from error
    folder = cached(checkpoint)
    if folder is None:
        from explorer.checkpoints.fetch import fetch

        folder = fetch(checkpoint, progress)
    return folder


def cached(checkpoint: Checkpoint) -> Path | None:
    """The checkpoint's folder in the local cache, under its name or its old one, where complete."""
    old = [old for old, name in OLD_NAMES.items() if name == checkpoint.name]
    for name in (checkpoint.name, *old):
        folder = _snapshot(name, checkpoint.revision)
        if folder is not None and _is_complete(folder):
            return folder
    return None


def _snapshot(name: str, revision: str | None) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(name, CONFIG, revision=revision)
    return Path(config).parent if isinstance(config, str) else None


def _is_complete(folder: Path) -> bool:
    if not complete([name for name in TOKENIZER_FILES if (folder / name).exists()]):
        return False
    if not (folder / WEIGHTS).exists() and not (folder / INDEX).exists():
        return False
    try:
        return bool(weight_files(folder))
    except CheckpointError:  # an index whose shards are not all there
        return False
