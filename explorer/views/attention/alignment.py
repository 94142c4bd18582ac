"""The patterns of one head on two sentences, or of two models on one sentence, aligned word by word."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.views.attention.settings import (
    COMPARE,
    COMPARE_HEAD,
    COMPARE_LAYER,
    COMPARE_TEXT,
    HEAD,
    HIDE,
    LAYER,
    TEXT,
)
from explorer.views.frame import caching, memory
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.settings import Settings
from explorer.views.widgets.layer_names import head_name
from explorer.views.widgets.token_names import distinct

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.attention.comparison import Comparison, Pair, WordPatterns
    from explorer.models import LanguageModel

CHANGED = 6  # heads in the list of those that change most


@dataclass(frozen=True, eq=False)
class AlignedPatterns:
    """Two patterns with common rows and columns, and the heads that differ most between the two texts."""

    words: list[dict[str, Any]]
    comparison: "Comparison"
    titles: tuple[str, str]
    notes: tuple[str, str]
    changed: list[tuple[int, int, float]]  # layer, head, and how much of its attention has moved
    cut: int  # tokens that did not fit


def aligned_patterns(settings: Settings, model: "LanguageModel", other: "LanguageModel") -> AlignedPatterns:
    """The patterns between words of two texts by `model`, or of one text by `model` and `other`.

    Each comparison is computed once for all visitors.
    """
    text, hide = settings[TEXT], settings[HIDE]
    if settings[COMPARE] == "texts":
        return _two_texts(model, text, settings[COMPARE_TEXT], settings[LAYER], settings[HEAD], hide)
    chosen = settings[LAYER], settings[COMPARE_LAYER], settings[COMPARE_HEAD]
    return _two_models(model, other, text, *chosen, hide)


@caching.resource(max_entries=32)
def _two_texts(
    model: "LanguageModel", text: str, other: str, layer: int, head: int, hide: bool
) -> AlignedPatterns:
    from explorer.analysis.attention.comparison import align, changes, compare

    (first, cut), (second, cut_too) = _word_patterns(model, text), _word_patterns(model, other)
    (words, before), (others, after) = (
        _words_and_pattern(side, side.pattern, hide) for side in (first, second)
    )
    pairs = align(words, others)
    moved = changes(before, after, pairs)
    order = moved.nan_to_num().flatten().argsort(descending=True).tolist()[:CHANGED]
    changed = [(*divmod(at, moved.shape[1]), float(moved.flatten()[at])) for at in order]
    return AlignedPatterns(
        _words(pairs, words, others),
        compare(before[layer, head], after[layer, head], pairs),
        ("your sentence", "the other sentence"),
        (_heads(layer, head), _heads(layer, head)),
        [row for row in changed if row[2] > 0],
        cut + cut_too,
    )


@caching.resource(max_entries=32)
def _two_models(
    model: "LanguageModel",
    other: "LanguageModel",
    text: str,
    layer: int,
    other_layer: int,
    head: int,
    hide: bool,
) -> AlignedPatterns:
    from explorer.analysis.attention.comparison import align, compare

    (first, cut), (second, cut_too) = _word_patterns(model, text), _word_patterns(other, text)
    (words, here), (others, there) = (
        _words_and_pattern(
            side, side.pattern[number].mean(0) if head < 0 else side.pattern[number, head], hide
        )
        for side, number in ((first, layer), (second, other_layer))
    )
    pairs = align(words, others)
    return AlignedPatterns(
        _words(pairs, words, others),
        compare(here, there, pairs),
        (memory.short_label(str(model.checkpoint)), memory.short_label(str(other.checkpoint))),
        (_heads(layer, head), _heads(other_layer, head)),
        [],
        max(cut, cut_too),
    )


def _heads(layer: int, head: int) -> str:
    """What a pattern is of: one head, or all heads of a layer."""
    return f"all heads of layer {layer + 1}" if head < 0 else f"head {head_name(layer, head)}"


def _word_patterns(model: "LanguageModel", text: str) -> "tuple[WordPatterns, int]":
    from explorer.analysis.attention.comparison import by_word
    from explorer.trace import Capture

    trace = memory.trace(model, text, None, Capture.ATTENTION, LIVE_TOKENS)
    return by_word(trace), trace.encoding.truncated


def _words_and_pattern(patterns: "WordPatterns", pattern: "Tensor", hide: bool) -> "tuple[list[str], Tensor]":
    """The words and the pattern, with special tokens or without."""
    from explorer.analysis.attention.comparison import ordinary

    return ordinary(patterns, pattern) if hide else (patterns.words, pattern)


def _words(pairs: "list[Pair]", first: list[str], second: list[str]) -> list[dict[str, Any]]:
    """The labels of rows and columns: one word, or the two that correspond."""
    texts = []
    for i, j in pairs:
        here = "" if i is None else first[i]
        there = "" if j is None else second[j]
        same = here.casefold() == there.casefold()
        texts.append(here if same else f"{here or '–'} / {there or '–'}")
    return [
        {
            "text": text,
            "name": name,
            "first": "" if i is None else first[i],
            "second": "" if j is None else second[j],
            "alike": i is not None and j is not None and first[i].casefold() == second[j].casefold(),
        }
        for text, name, (i, j) in zip(texts, distinct(texts), pairs)
    ]
