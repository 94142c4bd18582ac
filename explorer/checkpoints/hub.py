"""Checkpoints on the Hugging Face hub."""

from pathlib import Path

from explorer.trace import Checkpoint


def modernise(checkpoint: Checkpoint) -> Checkpoint:
    return checkpoint


def listed() -> list[Checkpoint]:
    return []


def locate(checkpoint: Checkpoint) -> Path:
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(checkpoint.name, revision=checkpoint.revision))
