"""The hub's names: those that the picker offers, and the older and shorter ways of writing them."""

from dataclasses import dataclass, replace

from explorer.manifest import manifests
from explorer.tokenizers.languages import Language
from explorer.trace import Ability, Checkpoint

READS = Ability.CONTEXT | Ability.ATTENTION
BERT = READS | Ability.FILL | Ability.NEXT_SENTENCE
KIN = READS | Ability.FILL
GPT = READS | Ability.GENERATE
ENGLISH: frozenset[Language] = frozenset({"en"})
CHINESE: frozenset[Language] = frozenset({"zh"})


@dataclass(frozen=True)
class Listed:
    """A hub model as the picker knows it before anything is fetched.

    `megabytes` is the size of its weights on the hub, rounded; `languages` says which of English and
    Chinese it reads.
    """

    abilities: Ability
    megabytes: int
    languages: frozenset[Language] = ENGLISH


# Offered in the picker: each has safetensors weights, and is small enough for a laptop.
LISTED = {
    "google-bert/bert-base-uncased": Listed(BERT, 440),
    "google-bert/bert-base-cased": Listed(BERT, 436),
    "google-bert/bert-base-chinese": Listed(BERT, 412, CHINESE),
    "google-bert/bert-base-multilingual-cased": Listed(BERT, 714, ENGLISH | CHINESE),
    "FacebookAI/roberta-base": Listed(KIN, 499),
    "FacebookAI/xlm-roberta-base": Listed(KIN, 1116, ENGLISH | CHINESE),
    "distilbert/distilbert-base-uncased": Listed(KIN, 268),
    "distilbert/distilbert-base-multilingual-cased": Listed(KIN, 542, ENGLISH | CHINESE),
    "distilbert/distilroberta-base": Listed(KIN, 331),
    "albert/albert-base-v2": Listed(KIN, 47),
    "answerdotai/ModernBERT-base": Listed(KIN, 599),
    "openai-community/gpt2": Listed(GPT, 548),
    "distilbert/distilgpt2": Listed(GPT, 353),
    "openai-community/gpt2-medium": Listed(GPT, 1520),
    "EleutherAI/pythia-160m": Listed(GPT, 375),
    "HuggingFaceTB/SmolLM2-360M-Instruct": Listed(GPT, 724),
    "Qwen/Qwen2.5-0.5B": Listed(GPT, 988),
}
# Before organisations had names of their own, these stood on the hub without one.
OLD_NAMES = {name.split("/")[1]: name for name in LISTED}


def listed() -> list[Checkpoint]:
    """The hub checkpoints that the picker offers, with their abilities."""
    return [Checkpoint("hub", name, abilities=one.abilities) for name, one in LISTED.items()]


def modernise(checkpoint: Checkpoint) -> Checkpoint:
    """A listed model written in an older or a shorter way, under its full name.

    >>> str(modernise(Checkpoint.parse("gpt2"))), str(modernise(Checkpoint.parse("hub:gpt2@v1")))
    ('hub:openai-community/gpt2', 'hub:openai-community/gpt2@v1')
    """
    if checkpoint.source in ("folder", "serve") or checkpoint.name in manifests():
        return checkpoint
    name = OLD_NAMES.get(checkpoint.name, checkpoint.name)
    last = checkpoint.name.removeprefix("models/").removeprefix("model/")
    if last != checkpoint.name and (last in manifests() or last in OLD_NAMES):
        return modernise(replace(checkpoint, name=last))
    if checkpoint.source == "hub" or name in LISTED:
        abilities = LISTED[name].abilities if name in LISTED else None
        return replace(checkpoint, source="hub", name=name, abilities=abilities)
    return checkpoint
