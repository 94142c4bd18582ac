"""The hub's names: those that the picker offers, and the older and shorter ways of writing them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from explorer.catalogue.manifest import manifests
from explorer.tokenizers.languages import Language
from explorer.trace import Ability, Checkpoint

READS = Ability.CONTEXT | Ability.ATTENTION
BERT = READS | Ability.FILL | Ability.NEXT_SENTENCE
MLM = READS | Ability.FILL
GPT = READS | Ability.GENERATE
ENGLISH: frozenset[Language] = frozenset({"en"})
CHINESE: frozenset[Language] = frozenset({"zh"})


@dataclass(frozen=True)
class Listed:
    """A hub model in the picker, before anything is fetched.

    `megabytes` is the rounded size of its weights on the hub; `languages` are those of English and
    Chinese that it reads.
    """

    abilities: Ability
    megabytes: int
    languages: frozenset[Language] = ENGLISH


# Offered in the picker: with safetensors weights, and small enough for a laptop.
LISTED = {
    "google-bert/bert-base-uncased": Listed(BERT, 440),
    "google-bert/bert-base-cased": Listed(BERT, 436),
    "google-bert/bert-base-chinese": Listed(BERT, 412, CHINESE),
    "google-bert/bert-base-multilingual-cased": Listed(BERT, 714, ENGLISH | CHINESE),
    "FacebookAI/roberta-base": Listed(MLM, 499),
    "FacebookAI/xlm-roberta-base": Listed(MLM, 1116, ENGLISH | CHINESE),
    "distilbert/distilbert-base-uncased": Listed(MLM, 268),
    "distilbert/distilbert-base-multilingual-cased": Listed(MLM, 542, ENGLISH | CHINESE),
    "distilbert/distilroberta-base": Listed(MLM, 331),
    "albert/albert-base-v2": Listed(MLM, 47),
    "answerdotai/ModernBERT-base": Listed(MLM, 599),
    "openai-community/gpt2": Listed(GPT, 548),
    "distilbert/distilgpt2": Listed(GPT, 353),
    "openai-community/gpt2-medium": Listed(GPT, 1520),
    "EleutherAI/pythia-160m": Listed(GPT, 375),
    "HuggingFaceTB/SmolLM2-360M-Instruct": Listed(GPT, 724),
    "Qwen/Qwen2.5-0.5B": Listed(GPT, 988),
    "Qwen/Qwen3-0.6B": Listed(GPT, 1503),
    "allenai/OLMo-2-0425-1B-Instruct": Listed(GPT, 2970),
    "HuggingFaceTB/SmolLM3-3B": Listed(GPT, 6150),
}
# Older names on the hub, without an organisation.
OLD_NAMES = {name.split("/")[1]: name for name in LISTED}


def listed() -> list[Checkpoint]:
    """The hub checkpoints that the picker offers, with their abilities."""
    return [Checkpoint("hub", name, abilities=model.abilities) for name, model in LISTED.items()]


def modernise(checkpoint: Checkpoint) -> Checkpoint:
    """A checkpoint under its full name, if it has an older or shorter name of a listed model."""
    if checkpoint.source in ("folder", "serve") or checkpoint.name in manifests():
        return checkpoint
    name = OLD_NAMES.get(checkpoint.name, checkpoint.name)
    if checkpoint.source == "hub" or name in LISTED:
        abilities = LISTED[name].abilities if name in LISTED else None
        return replace(checkpoint, source="hub", name=name, abilities=abilities)
    return checkpoint


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """“Did you mean …?” with the closest name; else the choices; empty if there are none."""
    if close := get_close_matches(name, names, n=1, cutoff=0.5):
        return f"Did you mean {close[0]}?"
    return f"There are: {', '.join(names)}." if names else ""
