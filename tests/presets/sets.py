"""What the presets of “Word sets” promise."""

import torch

from explorer.analysis.prediction import template_bias
from explorer.views.masked.sentence import listed
from tests.shared_models import model


def bits_of_sets(template: str, fillers: str, one: str, other: str) -> tuple[dict[str, float], float]:
    """How many bits each word of the slot leans to the first set, and how many an empty slot, in one pass."""
    bert = model("bert")
    slot, mask = template_bias.SLOT, bert.tokenizer.special_id("mask")
    words = listed(fillers)
    encodings = [bert.encode(template.replace(slot, word)) for word in [*words, "[MASK]"]]
    blanks = [(one.ids == mask).nonzero().flatten().tolist() for one in encodings]
    if template.index(slot) < template.index("[MASK]"):
        blanks[-1] = blanks[-1][1:]  # the slot's own mask
    states = bert.states_at(encodings, [some[:1] for some in blanks])
    probabilities = bert.unembed(torch.stack([one[-1, 0] for one in states])).softmax(-1)
    first, second = (
        probabilities[:, [bert.tokenizer.id(word) for word in listed(of)]].sum(-1) for of in (one, other)
    )
    *bits, prior = (first / second).log2().tolist()
    return dict(zip(words, bits, strict=True)), prior


def expect_he(template: str, *sets: str) -> bool:
    bits, prior = bits_of_sets(template, *sets)
    ends = max(bits, key=bits.get), min(bits, key=bits.get)
    return prior > 0 and ends == ("soldier", "maid") and bits["nurse"] < prior


def part_plurals(template: str, *sets: str) -> bool:
    bits, _ = bits_of_sets(template, *sets)
    words = list(bits)  # a singular, then its plural
    return all(bits[one] > 0 > bits[many] for one, many in zip(words[::2], words[1::2], strict=True))


def has_last(word: str, template: str, *sets: str) -> bool:
    """Whether a word of the slot leans farthest to the second set."""
    bits, _ = bits_of_sets(template, *sets)
    return min(bits, key=bits.get) == word


def know_seasons(template: str, *sets: str) -> bool:
    """Summer and July are warmer than winter and January; Africa and Norway are less far apart."""
    bits, _ = bits_of_sets(template, *sets)
    seasons = (bits["summer"] - bits["winter"], bits["July"] - bits["January"])
    return min(seasons) > 0 and abs(bits["Africa"] - bits["Norway"]) < min(seasons)


def leans_alone(first: str, alone: str, template: str, *sets: str) -> bool:
    """One word leans farthest to the first set, and only one to the second."""
    bits, _ = bits_of_sets(template, *sets)
    return max(bits, key=bits.get) == first and [word for word in bits if bits[word] < 0] == [alone]
