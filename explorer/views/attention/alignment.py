"""The patterns of one head on two sentences, or of two models on one sentence, aligned word by word."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.locale import N_, _
from explorer.server import memory
from explorer.server.kept import kept
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
from explorer.views.settings.setting import LIVE_TOKENS
from explorer.views.settings.settings import Settings
from explorer.views.types import LanguageModel, Trace
from explorer.views.widgets.layer_names import head_name
from explorer.views.widgets.token_text import distinct

if TYPE_CHECKING:
    from explorer.analysis.attention.comparison import Comparison, Pair, Side

CHANGED = 6  # heads in the list of those that change most


@dataclass(frozen=True, eq=False)
class AlignedPatterns:
    """Two patterns with common rows and columns, and the heads that differ most between the two texts."""

    words: list[dict[str, Any]]
    comparison: "Comparison"
    titles: tuple[str, str]
    changed: list[tuple[int, int, float]]  # layer, head, and how much of its attention has moved
    cut: int  # tokens that did not fit

    @property
    def notes(self) -> list[str]:
        """What each pattern is of."""
        return list(map(_heads, self.comparison.sides or ()))


def aligned_patterns(settings: Settings, model: "LanguageModel", other: "LanguageModel") -> AlignedPatterns:
    """The patterns between words of two texts by `model`, or of one text by `model` and `other`.

    Each comparison is computed once for all visitors.
    """
    text, hide = settings[TEXT], settings[HIDE]
    if settings[COMPARE] == "texts":
        return _two_texts(model, text, settings[COMPARE_TEXT], settings[LAYER], settings[HEAD], hide)
    chosen = settings[LAYER], settings[COMPARE_LAYER], settings[COMPARE_HEAD]
    return _two_models(model, other, text, *chosen, hide)


@kept(32)
def _two_texts(
    model: "LanguageModel", text: str, other: str, layer: int, head: int, hide: bool
) -> AlignedPatterns:
    from explorer.analysis.attention.comparison import by_word, changes, compare_traces, ordinary

    first, second = _trace(model, text), _trace(model, other)
    comparison = compare_traces(first, second, layer, head, hide_special=hide)
    heads = [by_word(trace) for trace in (first, second)]
    before, after = (ordinary(side, side.pattern)[1] if hide else side.pattern for side in heads)
    moved = changes(before, after, comparison.pairs)
    order = moved.nan_to_num().flatten().argsort(descending=True).tolist()[:CHANGED]
    changed = [(*divmod(at, moved.shape[1]), float(moved.flatten()[at])) for at in order]
    return aligned(
        comparison,
        (N_("your sentence"), N_("the other sentence")),
        [row for row in changed if row[2] > 0],
        first.encoding.truncated + second.encoding.truncated,
    )


@kept(32)
def _two_models(
    model: "LanguageModel",
    other: "LanguageModel",
    text: str,
    layer: int,
    other_layer: int,
    head: int,
    hide: bool,
) -> AlignedPatterns:
    from explorer.analysis.attention.comparison import compare_traces

    first, second = _trace(model, text), _trace(other, text)
    comparison = compare_traces(first, second, layer, None if head < 0 else head, other_layer, hide)
    titles = memory.short_label(str(model.checkpoint)), memory.short_label(str(other.checkpoint))
    return aligned(comparison, titles, [], max(first.encoding.truncated, second.encoding.truncated))


def _trace(model: "LanguageModel", text: str) -> "Trace":
    from explorer.trace import Capture

    return memory.trace(model, text, None, Capture.ATTENTION, LIVE_TOKENS)


def aligned(
    comparison: "Comparison", titles: tuple[str, str], changed: list[tuple[int, int, float]], cut: int
) -> AlignedPatterns:
    """A comparison of two traces with its words."""
    assert comparison.sides is not None
    first, second = comparison.sides
    words = _words(comparison.pairs, first.words, second.words)
    return AlignedPatterns(words, comparison, titles, changed, cut)


def _heads(side: "Side") -> str:
    """What a pattern is of: one head, or all heads of a layer."""
    if side.head is None:
        return _("all heads of layer {layer}", layer=side.layer + 1)
    return _("head {head}", head=head_name(side.layer, side.head))


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
