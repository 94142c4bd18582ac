"""The hub's names: those that the picker offers, and the older and shorter ways of writing them."""

from dataclasses import replace

from explorer.checkpoints import bundled
from explorer.trace import Ability, Checkpoint

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
