"""Two attention patterns compared: the words that correspond in both texts, and the difference.

Words are compared, not tokens, so that the models may have different tokenizers. Attention to a word is the
sum over its pieces, attention from it their mean (Clark et al. 2019, section 4.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attention.weights import attention_of, without_special
from explorer.analysis.attention.word_attention import word_pattern
from explorer.analysis.words import words
from explorer.errors import ExplorerError
from explorer.short_text import WithShortText
from explorer.text.folding import fold
from explorer.trace import Trace

Pair = tuple[int | None, int | None]


@dataclass(frozen=True, eq=False)
class WordPatterns:
    """The patterns of all heads of a trace, between words. Rows sum to 1.

    `groups` are the token positions of each word.
    """

    words: list[str]
    groups: list[list[int]]
    special: list[bool]
    pattern: Float[Tensor, "layer head word_query word_key"]


@dataclass(frozen=True, eq=False)
class Side:
    """What one of two patterns is of: a head on the words of a text; without a head, all of the layer."""

    checkpoint: str
    text: str
    words: list[str]
    layer: int
    head: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(WithShortText):
    """Two patterns on common words: row and column i belong to `pairs[i]`, one word of each text.

    A word that only one text has is (index, None) or (None, index): nan in the other's pattern and in
    `difference`. `sides` say what the patterns are of.
    """

    pairs: list[Pair]
    first: Float[Tensor, "query key"]
    second: Float[Tensor, "query key"]
    sides: tuple[Side, Side] | None = None

    @property
    def difference(self) -> Float[Tensor, "query key"]:
        """The second minus the first; nan for a word that one of them lacks."""
        return self.second - self.first

    @property
    def words(self) -> list[str]:
        """The word of each row: the first text's, or the second's where the first has none."""
        if self.sides is None:
            return []
        words, others = (side.words for side in self.sides)
        return [words[i] if i is not None else others[j or 0] for i, j in self.pairs]


def by_word(trace: Trace) -> WordPatterns:
    """The patterns of all heads between words. Raises AbilityError for a trace without attention."""
    attention = attention_of(trace)
    visible, groups = [], []
    spaces: list[int] = []  # byte pieces that are only space belong to the word after them
    for word in words(trace.encoding):
        if not word.text.strip():
            spaces += word.positions
        else:
            visible.append(word)
            groups.append(spaces + word.positions)
            spaces = []
    if spaces and groups:
        groups[-1] = groups[-1] + spaces
    pattern = word_pattern(attention.pattern, groups)
    return WordPatterns([word.text for word in visible], groups, [word.special for word in visible], pattern)


def ordinary(
    patterns: WordPatterns, pattern: Float[Tensor, "*heads word_query word_key"]
) -> tuple[list[str], Float[Tensor, "*heads kept_query kept_key"]]:
    """The words without special tokens, and a pattern between them, its rows rescaled to sum to 1.

    Average heads first: one that attends mostly to special tokens says little about the other words.
    """
    ordinary_words = [word for word, special in zip(patterns.words, patterns.special) if not special]
    return ordinary_words, without_special(pattern, torch.tensor(patterns.special, dtype=torch.bool))


def align(first: Sequence[str], second: Sequence[str]) -> list[Pair]:
    """Pairs of corresponding words, in the order of the texts (Ratcliff and Obershelp, difflib).

    Case is ignored. A stretch of words replaced by equally many others is paired one by one.

    >>> align(["a", "big", "dog"], ["A", "small", "dog", "barks"])
    [(0, 0), (1, 1), (2, 2), (None, 3)]
    """
    folded = list(map(fold, first)), list(map(fold, second))
    pairs: list[Pair] = []
    for tag, start, end, begin, stop in SequenceMatcher(None, *folded, autojunk=False).get_opcodes():
        if tag in ("equal", "replace") and end - start == stop - begin:
            pairs += zip(range(start, end), range(begin, stop))
        else:
            pairs += [(i, None) for i in range(start, end)] + [(None, i) for i in range(begin, stop)]
    return pairs


def compare(
    first: Float[Tensor, "query key"], second: Float[Tensor, "other_query other_key"], pairs: Sequence[Pair]
) -> Comparison:
    """Two patterns, their rows and columns arranged by the pairs of `align`."""
    return Comparison(
        list(pairs), _arranged(first, [i for i, _ in pairs]), _arranged(second, [j for _, j in pairs])
    )


def compare_traces(
    first: Trace,
    second: Trace,
    layer: int,
    head: int | None = None,
    other_layer: int | None = None,
    hide_special: bool = True,
) -> Comparison:
    """The pattern of a head in two traces, of two texts or by two models; without a head, the layer's mean.

    The second one is of the same layer unless it has `other_layer`. Layers and heads are counted from 0.
    Raises AbilityError for a trace without attention, ExplorerError for a layer or a head that is not there.

    >>> bert = explorer.load("bert")
    >>> tired, wide = bert.trace("It was too tired."), bert.trace("It was too wide.")
    >>> compare_traces(tired, wide, layer=4, head=2).pairs[3]
    (3, 3)
    """
    sides, patterns = [], []
    for trace, number in ((first, layer), (second, layer if other_layer is None else other_layer)):
        heads = by_word(trace)
        _check(trace.checkpoint, "layer", number, len(heads.pattern))
        if head is not None:
            _check(trace.checkpoint, "head", head, heads.pattern.shape[1])
        pattern = heads.pattern[number].mean(0) if head is None else heads.pattern[number, head]
        names, pattern = ordinary(heads, pattern) if hide_special else (heads.words, pattern)
        text = "  ".join(filter(None, [trace.encoding.text, trace.encoding.pair]))
        sides.append(Side(trace.checkpoint, text, names, number, head))
        patterns.append(pattern)
    pairs = align(sides[0].words, sides[1].words)
    return replace(compare(patterns[0], patterns[1], pairs), sides=(sides[0], sides[1]))


def _check(checkpoint: str, kind: str, number: int, count: int) -> None:
    """Raise ExplorerError for a layer or a head that a model does not have."""
    if not 0 <= number < count:
        raise ExplorerError(
            f"{checkpoint} has no {kind} {number}.", f"It has {count}, counted from 0 to {count - 1}."
        )


def _arranged(pattern: Float[Tensor, "*heads query key"], indices: list[int | None]) -> Tensor:
    present = torch.tensor([place is not None for place in indices], dtype=torch.bool)
    index = torch.tensor([place or 0 for place in indices], dtype=torch.long)
    arranged = pattern[..., index, :][..., index]
    return arranged.masked_fill(~(present[:, None] & present), torch.nan)


def changes(
    first: Float[Tensor, "layer head query key"],
    second: Float[Tensor, "layer head other_query other_key"],
    pairs: Sequence[Pair],
) -> Float[Tensor, "layer head"]:
    """How differently each head attends in two texts, 0 to 1: the mean over the words that both have.

    It is the total variation distance of a word's two rows: half the sum of the absolute differences. A word
    that only one text has is a column of its own. nan without a common word.
    """
    common = [(i, j) for i, j in pairs if i is not None and j is not None]
    if not common:
        return torch.full(first.shape[:2], torch.nan)
    here, there = ([pair[side] for pair in common] for side in (0, 1))
    before, after = first[..., here, :], second[..., there, :]
    common_before, common_after = before[..., here], after[..., there]
    lost, gained = before.sum(-1) - common_before.sum(-1), after.sum(-1) - common_after.sum(-1)
    distance = (common_after - common_before).abs().sum(-1) + lost.clamp_min(0) + gained.clamp_min(0)
    return (distance / 2).mean(-1)
