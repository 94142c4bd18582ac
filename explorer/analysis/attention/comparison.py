"""Two patterns side by side: which word of one text corresponds to which of the other, and the difference.

Words are compared, not tokens, so that two tokenizers can be: attention to a word is summed over its
pieces, from it averaged (Clark et al. 2019, section 4.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attention.weights import without_special
from explorer.analysis.attention.word_attention import word_pattern
from explorer.analysis.words import words
from explorer.errors import AbilityError
from explorer.text.folding import fold
from explorer.trace import Trace

Pair = tuple[int | None, int | None]


@dataclass(frozen=True, eq=False)
class WordPatterns:
    """Every head of a trace, between words. Rows sum to 1.

    `groups` are the token positions of each word.
    """

    words: list[str]
    groups: list[list[int]]
    special: list[bool]
    pattern: Float[Tensor, "layer head word_query word_key"]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two patterns on common words: row or column i stands for `pairs[i]`, one word of each text.

    A word that only one text has is (place, None) or (None, place): nan in the other's pattern and
    in `difference`, which is the second minus the first.
    """

    pairs: list[Pair]
    first: Float[Tensor, "query key"]
    second: Float[Tensor, "query key"]

    @property
    def difference(self) -> Float[Tensor, "query key"]:
        """The second minus the first; nan where one of them lacks the word."""
        return self.second - self.first


def by_word(trace: Trace) -> WordPatterns:
    """All heads between words. Raises AbilityError for a trace without attention."""
    if trace.attention is None:
        raise AbilityError("This trace holds no attention.", "Trace the text with Capture.ATTENTION.")
    kept, groups = [], []
    spaces: list[int] = []  # byte pieces that are only space belong to the word after them
    for word in words(trace.encoding):
        if not word.text.strip():
            spaces += word.positions
        else:
            kept.append(word)
            groups.append(spaces + word.positions)
            spaces = []
    if spaces and groups:
        groups[-1] = groups[-1] + spaces
    pattern = word_pattern(trace.attention.pattern, groups)
    return WordPatterns([word.text for word in kept], groups, [word.special for word in kept], pattern)


def ordinary(
    patterns: WordPatterns, pattern: Float[Tensor, "*heads word_query word_key"]
) -> tuple[list[str], Float[Tensor, "*heads kept_query kept_key"]]:
    """The words that are no special tokens, and one of the patterns between them, its rows rescaled.

    Average heads first: one that attends mostly to special tokens says little about the other words.
    """
    kept = [word for word, special in zip(patterns.words, patterns.special) if not special]
    return kept, without_special(pattern, torch.tensor(patterns.special, dtype=torch.bool))


def align(first: Sequence[str], second: Sequence[str]) -> list[Pair]:
    """Which word corresponds to which, in the order of the texts (Ratcliff and Obershelp, difflib).

    Words that differ only in case are the same; a stretch replaced by as many others is paired one by one.

    >>> align(["a", "big", "dog"], ["A", "small", "dog", "barks"])
    [(0, 0), (1, 1), (2, 2), (None, 3)]
    """
    folded = list(map(fold, first)), list(map(fold, second))
    pairs: list[Pair] = []
    for what, start, end, begin, stop in SequenceMatcher(None, *folded, autojunk=False).get_opcodes():
        if what in ("equal", "replace") and end - start == stop - begin:
            pairs += zip(range(start, end), range(begin, stop))
        else:
            pairs += [(i, None) for i in range(start, end)] + [(None, i) for i in range(begin, stop)]
    return pairs


def compare(
    first: Float[Tensor, "query key"], second: Float[Tensor, "other_query other_key"], pairs: Sequence[Pair]
) -> Comparison:
    """Two patterns, each laid out by the pairs of `align`."""
    return Comparison(list(pairs), _laid(first, [i for i, _ in pairs]), _laid(second, [j for _, j in pairs]))


def _laid(pattern: Float[Tensor, "*heads query key"], places: list[int | None]) -> Tensor:
    known = torch.tensor([place is not None for place in places], dtype=torch.bool)
    index = torch.tensor([place or 0 for place in places], dtype=torch.long)
    laid = pattern[..., index, :][..., index]
    return laid.masked_fill(~(known[:, None] & known), torch.nan)


def changes(
    first: Float[Tensor, "layer head query key"],
    second: Float[Tensor, "layer head other_query other_key"],
    pairs: Sequence[Pair],
) -> Float[Tensor, "layer head"]:
    """How differently each head attends in two texts, 0 to 1: the mean over the words that both have.

    The total variation distance of a word's two rows: half of the sum of what each place gained or
    lost; a word that only one text has is a place of its own. nan without a common word.
    """
    common = [(i, j) for i, j in pairs if i is not None and j is not None]
    if not common:
        return torch.full(first.shape[:2], torch.nan)
    here, there = ([pair[side] for pair in common] for side in (0, 1))
    before, after = first[..., here, :], second[..., there, :]
    kept, moved = before[..., here], after[..., there]
    lost, gained = before.sum(-1) - kept.sum(-1), after.sum(-1) - moved.sum(-1)
    distance = (moved - kept).abs().sum(-1) + lost.clamp_min(0) + gained.clamp_min(0)
    return (distance / 2).mean(-1)
