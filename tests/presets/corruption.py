"""What the presets of “How it was trained” promise."""

from functools import cache

import torch

from explorer.analysis import prediction
from explorer.analysis.prediction import corruption
from tests.shared_models import model

THROWS = 30  # of the dice, at each sentence


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
    by_treatment: dict[corruption.Treatment, list[float]] = {one: [] for one in corruption.Treatment}
    for (_, _, how), loss in zip(chosen, lost.tolist(), strict=True):
        by_treatment[how].append(loss)
    return by_treatment


@cache
def at_fifteen(text: str) -> dict[corruption.Treatment, list[float]]:
    return losses(text, 15, range(THROWS))


def has_few_to_learn_from(text: str) -> bool:
    """Fewer than three in ten are chosen; of those kept, four in five are likelier than not."""
    found = at_fifteen(text)
    kept = found[corruption.Treatment.KEPT]
    chosen = sum(map(len, found.values())) / (THROWS * len(model("bert").encode(text)))
    return chosen < 0.3 and sum(loss < 0.7 for loss in kept) > 0.8 * len(kept) > 1


def costs_more_with_much_hidden(text: str) -> bool:
    """Half a nat more where everything is chosen."""
    found = [
        hidden[corruption.Treatment.MASKED] for hidden in (at_fifteen(text), losses(text, 100, range(4)))
    ]
    few, every = (sum(some) / len(some) for some in found)
    return every > few + 0.5


def hidden_adjective(text: str) -> float:
    """The probability of the last word where it is masked."""
    word = text.rstrip(".").split()[-1]
    asked = prediction.blanks(model("bert"), text.replace(f"{word}.", "[MASK]."))
    return prediction.probe(model("bert"), asked, word).probability


def has_a_last_word_that_many_fit(text: str) -> bool:
    return hidden_adjective(text) < 0.05


def hides_alone(text: str, seed: int, word: str) -> bool:
    """With this seed the word is chosen and masked, and no other is."""
    bert, how = model("bert"), corruption.Treatment
    encoding = bert.encode(text)
    treatments = corruption.corrupt(bert, encoding, seed).treatments
    chosen = {encoding.tokens[i]: one for i, one in enumerate(treatments) if one is not how.NOT_CHOSEN}
    return chosen == {word: how.MASKED}


def hides_one_and_replaces_one(text: str, share: int, seed: int, tokens: int) -> bool:
    bert, how = model("bert"), corruption.Treatment
    encoding = bert.encode(text)
    treatments = corruption.corrupt(bert, encoding, seed, corruption.Rates(chosen=share / 100)).treatments
    counts = [treatments.count(one) for one in (how.MASKED, how.RANDOM, how.KEPT)]
    return counts == [1, 1, 0] and int((~encoding.special).sum()) == tokens
