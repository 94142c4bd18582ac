"""Masked words, the views beside its first: with nine siblings, a preset's point holds for seven of ten."""

from collections.abc import Callable
from functools import cache

import pytest
import torch

from explorer.analysis import prediction
from explorer.analysis.prediction import corruption, logit_lens, template_bias
from explorer.views.masked.next_sentence import seconds
from explorer.views.masked.presets import BY_VIEW
from explorer.views.masked.sentence import listed
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

SENTENCES = siblings("masked_views")
HE, MANY, SUMMER = BY_VIEW["sets"]
LAST, REPEATS, IS = BY_VIEW["layers"]
FEW, EVERY, HAIRY = BY_VIEW["training"]
FOLLOWS, NONSENSE, PAPER = BY_VIEW["next"]
GPT = "gpt"
THROWS = 30  # of the dice, at each sentence


def values(preset) -> dict:
    return DEFAULTS | preset.values


def bits_of_sets(preset, template: str, fillers: str = "") -> tuple[dict[str, float], float]:
    """How many bits each word of the slot leans to the first set, and how many an empty slot, in one pass."""
    bert, chosen = model("bert"), values(preset)
    slot, mask = template_bias.SLOT, bert.tokenizer.special_id("mask")
    words = listed(fillers or chosen["fillers"])
    encodings = [bert.encode(template.replace(slot, word)) for word in [*words, "[MASK]"]]
    blanks = [(one.ids == mask).nonzero().flatten().tolist() for one in encodings]
    if template.index(slot) < template.index("[MASK]"):
        blanks[-1] = blanks[-1][1:]  # the slot's own mask
    states = bert.states_at(encodings, [some[:1] for some in blanks])
    probabilities = bert.unembed(torch.stack([one[-1, 0] for one in states])).softmax(-1)
    one, other = (
        probabilities[:, [bert.tokenizer.id(word) for word in listed(chosen[name])]].sum(-1)
        for name in ("one", "other")
    )
    *bits, prior = (one / other).log2().tolist()
    return dict(zip(words, bits, strict=True)), prior


def he_is_expected(template: str) -> bool:
    bits, prior = bits_of_sets(HE, template)
    ends = max(bits, key=bits.get), min(bits, key=bits.get)
    return prior > 0 and ends == ("soldier", "maid") and bits["nurse"] < prior


def plurals_part(template: str, fillers: str) -> bool:
    bits, _ = bits_of_sets(MANY, template, fillers)
    words = list(bits)  # a singular, then its plural
    return all(bits[one] > 0 > bits[many] for one, many in zip(words[::2], words[1::2], strict=True))


def warm_seasons(template: str) -> bool:
    """Summer and July are warmer than winter and January; Africa and Norway are less far apart."""
    bits, _ = bits_of_sets(SUMMER, template)
    seasons = (bits["summer"] - bits["winter"], bits["July"] - bits["January"])
    return min(seasons) > 0 and abs(bits["Africa"] - bits["Norway"]) < min(seasons)


@cache
def lens(text: str) -> logit_lens.Lens:
    return logit_lens.at_mask(model("bert"), text)


def first(name: str, found: logit_lens.Lens, layer: int) -> str:
    return prediction.ranked(model(name), found.probabilities[layer], 1)[0].token.strip()


def gpt_reads(text: str) -> logit_lens.Lens:
    return logit_lens.at_end(model(GPT), text.split("[MASK]")[0].rstrip())


def only_at_the_end(text: str, accepted: str) -> bool:
    """The right word comes first after the last layer or not at all, and not at all to GPT."""
    fit = accepted.split(",")
    firsts = [first("bert", lens(text), layer) for layer in range(len(lens(text).probabilities) - 1)]
    return not set(firsts) & set(fit) and first(GPT, gpt_reads(text), -1) not in fit


def repeats_first(text: str, before: str) -> bool:
    """The word just read ranks higher before the first layer than half-way up, and is not the answer."""
    found = gpt_reads(text)
    ranks = found.ranks(logit_lens.tracked_word(model(GPT), before).id)
    return ranks[0] < ranks[len(ranks) // 2] and first(GPT, found, -1) != before


def are_overtakes(text: str) -> bool:
    ids = (logit_lens.tracked_word(model("bert"), word).id for word in ("are", "is"))
    are, is_ = (lens(text).probabilities[:, id] for id in ids)
    return bool(is_[3] > are[3] and (are[4:] > is_[4:]).all())


def losses(text: str, share: int, seeds: range) -> dict[corruption.Treatment, list[float]]:
    """The losses of many throws of the dice at one sentence, in one pass."""
    bert = model("bert")
    encoding, rates = bert.encode(text), corruption.Rates(chosen=share / 100)
    thrown = [corruption.corrupt(bert, encoding, seed, rates) for seed in seeds]
    last = bert.run(torch.stack([one.input_ids for one in thrown])).last
    chosen = [
        (row, at, how)
        for row, one in enumerate(thrown)
        for at, how in enumerate(one.treatments)
        if how is not corruption.Treatment.NOT_CHOSEN
    ]
    rows, places = ([one[i] for one in chosen] for i in (0, 1))
    logs = bert.unembed(last[rows, places]).log_softmax(-1)
    lost = -logs[torch.arange(len(chosen)), encoding.ids[places]]
    found: dict[corruption.Treatment, list[float]] = {one: [] for one in corruption.Treatment}
    for (_, _, how), loss in zip(chosen, lost.tolist(), strict=True):
        found[how].append(loss)
    return found


@cache
def at_fifteen(text: str) -> dict[corruption.Treatment, list[float]]:
    return losses(text, 15, range(THROWS))


def few_teach(text: str) -> bool:
    """Fewer than three in ten are chosen; of those kept, four in five are likelier than not."""
    found = at_fifteen(text)
    kept = found[corruption.Treatment.KEPT]
    chosen = sum(map(len, found.values())) / (THROWS * len(model("bert").encode(text)))
    return chosen < 0.3 and sum(loss < 0.7 for loss in kept) > 0.8 * len(kept) > 1


def much_hidden_costs_more(text: str) -> bool:
    """Half a nat more where everything is chosen."""
    found = [
        hidden[corruption.Treatment.MASKED] for hidden in (at_fifteen(text), losses(text, 100, range(4)))
    ]
    few, every = (sum(some) / len(some) for some in found)
    return every > few + 0.5


def nonsense_passes(one: str, silly: str, other: str) -> bool:
    """Nonsense of the same words follows more likely than not, and likelier than sense of other words."""
    follows = [prediction.next_sentence(model("bert"), one, second) for second in (silly, other)]
    return follows[0] > max(0.5, follows[1])


def hidden_adjective(text: str) -> float:
    """The probability of the last word where it is masked."""
    word = text.rstrip(".").split()[-1]
    asked = prediction.blanks(model("bert"), text.replace(f"{word}.", "[MASK]."))
    return prediction.probe(model("bert"), asked, word).probability


def many_fit(text: str) -> bool:
    return hidden_adjective(text) < 0.05


def is_ahead(one: str, right: str, other: str) -> bool:
    """What goes on follows more likely than not, and likelier than a sentence from elsewhere."""
    return nonsense_passes(one, right, other)


OWN_NEXT = [DEFAULTS["first"], seconds(DEFAULTS)[0], seconds(DEFAULTS)[2]]
OWN_SECONDS = [NONSENSE.values["first"], *(NONSENSE.values["seconds"].splitlines()[at] for at in (3, 1))]
LEARNT = "sentences to learn from"
POINTS: dict[str, tuple[Callable[..., bool], list]] = {
    HE.label: (he_is_expected, [values(HE)["template"], *SENTENCES[HE.label]]),
    MANY.label: (
        plurals_part,
        [[values(MANY)["template"], values(MANY)["fillers"]], *SENTENCES[MANY.label]],
    ),
    SUMMER.label: (warm_seasons, [values(SUMMER)["template"], *SENTENCES[SUMMER.label]]),
    LAST.label: (only_at_the_end, [[values(LAST)["text"], "hospital"], *SENTENCES[LAST.label]]),
    REPEATS.label: (repeats_first, [[values(REPEATS)["text"], "little"], *SENTENCES[REPEATS.label]]),
    IS.label: (are_overtakes, [values(IS)["text"], *SENTENCES[IS.label]]),
    FEW.label: (few_teach, [values(FEW)["sentence"], *SENTENCES[LEARNT]]),
    EVERY.label: (much_hidden_costs_more, [values(EVERY)["sentence"], *SENTENCES[LEARNT]]),
    HAIRY.label: (many_fit, [values(HAIRY)["sentence"], *SENTENCES[HAIRY.label]]),
    FOLLOWS.label: (is_ahead, [OWN_NEXT, *SENTENCES[FOLLOWS.label]]),
    NONSENSE.label: (nonsense_passes, [OWN_SECONDS, *SENTENCES[NONSENSE.label]]),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])


def test_of_the_papers_sentences_milk_is_ahead_and_penguins_pass():
    milk, penguins = (
        prediction.next_sentence(model("bert"), PAPER.values["first"], second)
        for second in PAPER.values["seconds"].splitlines()
    )
    assert milk > penguins > 0.5
