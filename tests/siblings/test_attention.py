"""Attention's presets that look into BERT: with nine siblings, the point holds for seven of ten."""

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from explorer.analysis.attention import comparison, rollout
from explorer.analysis.attention.inside_head import inside
from explorer.analysis.attention.weights import head_view
from explorer.views.attention.presets import PRESETS
from explorer.views.attention.sentence import words
from explorer.views.attention.view_presets import ACROSS, COMPARE, INSIDE
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

DEFAULTS = defaults("attention")

WHO, ALWAYS, AGAIN, BEFORE, REST = PRESETS
SENTENCES = siblings("heads")
OWN_TWINS = ["Our {a} is behind the {b}, and nobody sees the {x} from the {y}.", "boat", "bridge", "shore"]
TWINS = [OWN_TWINS, *SENTENCES["twins"]]


@cache
def traced(text: str):
    return model("bert").trace(text)


def plain(preset) -> list[str]:
    """A preset's own sentence, and nine others."""
    return [preset.values.get("text", DEFAULTS["text"]), *SENTENCES["plain"]]


def place(preset) -> tuple[int, int]:
    chosen = DEFAULTS | preset.values
    return chosen["layer"], chosen["head"]


def filled(template: str, a: str, b: str, x: str, y: str) -> str:
    return template.format(a=a, b=b, x=x, y=y)


def from_it(preset, text: str) -> dict[str, float]:
    """What “it” gives each other word; of one that occurs twice, the larger weight."""
    found = head_view(traced(text), *place(preset))
    row = found.pattern[found.tokens.index("it")].tolist()
    ranked = sorted(zip(row, found.tokens))
    return {token: weight for weight, token in ranked if token not in ("[CLS]", "[SEP]", "it")}


def the_last_word_decides(template: str, a: str, b: str, x: str, y: str) -> bool:
    """Once the last word fits the second noun, “it” gives it more than the first, and the first has lost."""
    before, after = (from_it(WHO, template.format(last)) for last in (x, y))
    return after[b] > after[a] and after[a] / after[b] < before[a] / before[b]


def whatever_comes_last(template: str, a: str, b: str, x: str, y: str) -> bool:
    """Of all other words “it” gives the first noun most, whichever noun the last word fits."""
    rows = [from_it(ALWAYS, template.format(last)) for last in (x, y)]
    return all(max(row, key=row.__getitem__) == a for row in rows)


def again(template: str, a: str, b: str, c: str) -> bool:
    """Both nouns find each other; a word that occurs once rests on [CLS] or on itself."""
    found = head_view(traced(filled(template, a, b, b, a)), *place(AGAIN))
    for word in (a, b):
        first, second = (i for i, token in enumerate(found.tokens) if token == word)
        for query, key in [(first, second), (second, first)]:
            if found.pattern[query, 1:].argmax() + 1 != key or found.pattern[query, key] <= 0.2:
                return False
    alone = [i for i, token in enumerate(found.tokens) if found.tokens.count(token) == 1 and token.isalpha()]
    return bool((found.pattern[alone, 0] + found.pattern[alone, alone]).mean() > 0.8)


def one_step_left(text: str) -> bool:
    return bool(head_view(traced(text), *place(BEFORE)).pattern.diagonal(offset=-1).mean() > 0.9)


def on_cls(text: str) -> bool:
    return bool(head_view(traced(text), *place(REST)).pattern[:, 0].mean() > 0.7)


def key_that_fits(template: str, a: str, b: str, c: str) -> bool:
    """The second of two equal words finds the first, by products that are nearly all positive."""
    trace = traced(filled(template, a, b, b, a))
    head = inside(trace, *place(INSIDE[0]))
    first, second = (i for i, word in enumerate(words(trace.encoding)) if word == a)
    weights = head.weights.clone().fill_diagonal_(0)
    weights[:, trace.encoding.special] = 0
    products = head.products(second, first)
    return bool(
        weights[second].argmax() == first and products[products > 0].sum() > 5 * -products[products < 0].sum()
    )


def by_place(text: str) -> bool:
    head = inside(traced(text), *place(INSIDE[1]))
    return all(int(head.scores(query).argmax()) == query - 1 for query in range(2, len(head.weights) - 1))


def small_value(text: str) -> bool:
    head = inside(traced(text), *place(INSIDE[2]))
    lengths = head.values.norm(dim=1)
    return bool(lengths[0] < 0.2 * lengths[1:-1].median() and head.weights[1:-1, 0].mean() > 0.6)


def half_itself(text: str) -> bool:
    itself = rollout.rollout(rollout.steps(traced(text)))[1].diagonal()[1:-1]
    return bool(((itself >= 0.5) & (itself < 0.6)).all())


def mostly_cls(text: str) -> bool:
    return bool((rollout.rollout(rollout.steps(traced(text)))[-1][1:-1, 0] > 0.5).all())


def all_mixed(text: str) -> bool:
    trace = traced(text)
    layers = rollout.steps(trace, trace.encoding.special)
    size = layers.shape[-1]
    read = rollout.rollout(layers)[-1, size - 2] * size
    return bool(((read > 0.5) & (read < 2)).all())


def changes_most(one: str, other: str) -> bool:
    """Of all heads the page's own changes most between two sentences."""
    first, second = (comparison.by_word(traced(text)) for text in (one, other))
    pairs = comparison.align(first.words, second.words)
    moved = comparison.changes(first.pattern, second.pattern, pairs)
    return divmod(int(moved.argmax()), moved.shape[1]) == place(COMPARE[0])


def swapped(template: str, a: str, b: str, c: str) -> bool:
    return changes_most(filled(template, a, b, b, a), filled(template, a, b, a, b))


def alone(template: str, a: str, b: str, c: str) -> bool:
    """With the second of two equal words gone, the first looks at itself and at [CLS] instead."""
    layer, head = place(COMPARE[1])
    one, other = (comparison.by_word(traced(filled(template, a, b, b, last))) for last in (a, c))
    first, second = (i for i, word in enumerate(one.words) if word == a)
    return bool(
        one.pattern[layer, head, first, second] > 0.5
        and other.pattern[layer, head, first, [0, first]].sum() > 0.8
    )


TIRED_OR_WIDE = [
    ["The animal didn't cross the street because it was too {}.", "animal", "street", "tired", "wide"],
    *SENTENCES["tired or wide"],
]
POINTS: dict[str, tuple[Callable[..., bool], Sequence]] = {
    WHO.label: (the_last_word_decides, TIRED_OR_WIDE),
    ALWAYS.label: (whatever_comes_last, TIRED_OR_WIDE),
    AGAIN.label: (again, TWINS),
    BEFORE.label: (one_step_left, plain(BEFORE)),
    REST.label: (on_cls, plain(REST)),
    INSIDE[0].label: (key_that_fits, TWINS),
    INSIDE[1].label + ", inside": (by_place, plain(INSIDE[1])),
    INSIDE[2].label: (small_value, plain(INSIDE[2])),
    ACROSS[0].label: (half_itself, plain(ACROSS[0])),
    ACROSS[1].label: (mostly_cls, plain(ACROSS[1])),
    ACROSS[2].label: (all_mixed, plain(ACROSS[2])),
    COMPARE[0].label: (swapped, TWINS),
    COMPARE[1].label: (alone, TWINS),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])
