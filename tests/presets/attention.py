"""What the presets of Attention promise of one head, and of all layers."""

from functools import cache

import torch

from explorer.analysis.attention import comparison, rollout
from explorer.analysis.attention.inside_head import inside
from explorer.analysis.attention.weights import head_view
from explorer.views.attention.sentence import words
from tests.shared_models import model


@cache
def traced(text: str):
    return model("bert").trace(text)


def filled(template: str, a: str, b: str, x: str, y: str) -> str:
    return template.format(a=a, b=b, x=x, y=y)


def from_it(text: str, layer: int, head: int) -> dict[str, float]:
    """What “it” gives each other word; of one that occurs twice, the larger weight."""
    found = head_view(traced(text), layer, head)
    row = found.pattern[found.tokens.index("it")].tolist()
    ranked = sorted(zip(row, found.tokens))
    return {token: weight for weight, token in ranked if token not in ("[CLS]", "[SEP]", "it")}


def the_last_word_decides(template: str, a: str, b: str, x: str, y: str, layer: int, head: int) -> bool:
    """Once the last word fits the second noun, “it” gives it more than the first, and the first has lost."""
    before, after = (from_it(template.format(last), layer, head) for last in (x, y))
    return after[b] > after[a] and after[a] / after[b] < before[a] / before[b]


def whatever_comes_last(template: str, a: str, b: str, x: str, y: str, layer: int, head: int) -> bool:
    """Of all other words “it” gives the first noun most, whichever noun the last word fits."""
    rows = [from_it(template.format(last), layer, head) for last in (x, y)]
    return all(max(row, key=row.__getitem__) == a for row in rows)


def equal_words_attend(template: str, a: str, b: str, c: str, layer: int, head: int) -> bool:
    """Both nouns find each other; a word that occurs once rests on [CLS] or on itself."""
    found = head_view(traced(filled(template, a, b, b, a)), layer, head)
    for word in (a, b):
        first, second = (i for i, token in enumerate(found.tokens) if token == word)
        for query, key in [(first, second), (second, first)]:
            if found.pattern[query, 1:].argmax() + 1 != key or found.pattern[query, key] <= 0.2:
                return False
    alone = [i for i, token in enumerate(found.tokens) if found.tokens.count(token) == 1 and token.isalpha()]
    return bool((found.pattern[alone, 0] + found.pattern[alone, alone]).mean() > 0.8)


def one_step_left(text: str, layer: int, head: int) -> bool:
    return bool(head_view(traced(text), layer, head).pattern.diagonal(offset=-1).mean() > 0.9)


def on_cls(text: str, layer: int, head: int) -> bool:
    return bool(head_view(traced(text), layer, head).pattern[:, 0].mean() > 0.7)


def key_that_fits(template: str, a: str, b: str, c: str, layer: int, head: int) -> bool:
    """The second of two equal words finds the first, by products that are nearly all positive."""
    trace = traced(filled(template, a, b, b, a))
    head = inside(trace, layer, head)
    first, second = (i for i, word in enumerate(words(trace.encoding)) if word == a)
    weights = head.weights.clone().fill_diagonal_(0)
    weights[:, trace.encoding.special] = 0
    products = head.products(second, first)
    return bool(
        weights[second].argmax() == first and products[products > 0].sum() > 5 * -products[products < 0].sum()
    )


def scores_by_position(text: str, layer: int, head: int) -> bool:
    head = inside(traced(text), layer, head)
    return all(int(head.scores(query).argmax()) == query - 1 for query in range(2, len(head.weights) - 1))


def small_value(text: str, layer: int, head: int) -> bool:
    head = inside(traced(text), layer, head)
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


def changes_most(one: str, other: str, layer: int, head: int) -> bool:
    """Of all heads this one changes most between two sentences."""
    first, second = (comparison.by_word(traced(text)) for text in (one, other))
    pairs = comparison.align(first.words, second.words)
    moved = comparison.changes(first.pattern, second.pattern, pairs)
    return divmod(int(moved.argmax()), moved.shape[1]) == (layer, head)


def swapped_words_change_most(template: str, a: str, b: str, c: str, layer: int, head: int) -> bool:
    return changes_most(filled(template, a, b, b, a), filled(template, a, b, a, b), layer, head)


def a_word_alone(template: str, a: str, b: str, c: str, layer: int, head: int) -> bool:
    """With the second of two equal words gone, the first looks at itself and at [CLS] instead."""
    one, other = (comparison.by_word(traced(filled(template, a, b, b, last))) for last in (a, c))
    first, second = (i for i, word in enumerate(one.words) if word == a)
    return bool(
        one.pattern[layer, head, first, second] > 0.5
        and other.pattern[layer, head, first, [0, first]].sum() > 0.8
    )


def gpt_reads_no_later_word(text: str, layer: int) -> bool:
    """Every cell above the diagonal is darker for BERT, and has nothing for GPT."""
    first, second = (comparison.by_word(model(name).trace(text)) for name in ("bert", "gpt"))
    (words, here), (others, there) = (
        comparison.ordinary(patterns, patterns.pattern[layer].mean(0)) for patterns in (first, second)
    )
    result = comparison.compare(here, there, comparison.align(words, others))
    above = torch.ones_like(result.difference).triu(1).bool()
    return bool(result.second.nan_to_num().triu(1).sum() == 0 and (result.difference[above] < 0).all())


def has_about_as_much_of_every_word(text: str, word: str) -> bool:
    """By rollout a word has from half of the even share to twice of each, and not most of itself."""
    trace = traced(text)
    tokens = [token for token, special in zip(trace.tokens, trace.encoding.special) if not special]
    row = rollout.rollout(rollout.steps(trace, trace.encoding.special))[-1][tokens.index(word)] * len(tokens)
    return 0.5 < float(row.min()) < float(row.max()) < 2 and tokens[int(row.argmax())] != word
