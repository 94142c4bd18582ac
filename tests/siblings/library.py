"""Siblings from our library of sentences: other draws for bank, seeds 18 to 26, and nine other words."""

import torch

from explorer.views.senses.presets import A_SENSE, ALL, sentences
from tests.siblings import siblings

WORDS = siblings("senses")["four models"]
TOPIC_WORDS = siblings("senses")["topic and pairs"]


def plain(word: str) -> list[str]:
    """The library's sentences for a word, but for the minimal pairs."""
    return [line for line in sentences(word, ALL).splitlines() if "~" not in line]


def drawn(word: str, seed: int) -> str:
    """Other sentences for a word: so many a sense as the page opens with, at random."""
    kept = plain(word)
    order = torch.randperm(len(kept), generator=torch.Generator().manual_seed(seed)).tolist()
    lines = [kept[i] for i in order]
    kinds = [line.rpartition("#")[2] for line in lines]
    return "\n".join(line for i, line in enumerate(lines) if kinds[:i].count(kinds[i]) < A_SENSE)


DRAWS = [sentences("bank"), *(drawn("bank", seed) for seed in range(18, 27))]
