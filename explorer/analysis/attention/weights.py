"""What heads attend to: one head or a layer, with or without special tokens, by token or by word."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.attention.word_attention import word_pattern
from explorer.analysis.words import Word, words
from explorer.errors import AbilityError
from explorer.trace import Attention, Trace


@dataclass(frozen=True, eq=False)
class HeadView:
    """What one head attends to. Row q is what token q reads; it sums to 1, or is all 0 (`without_special`).

    `positions` are those of the trace that are shown. `dropped_mass` is, for each row, the share that went
    to hidden tokens before the row was renormalised.
    """

    tokens: list[str]
    pattern: Float[Tensor, "query_pos key_pos"]
    positions: list[int]
    dropped_mass: Float[Tensor, "query_pos"]


@dataclass(frozen=True, eq=False)
class Patterns:
    """Attention patterns as they are drawn: each row and column belongs to one token, or to one word.

    `groups[i]` are the trace's positions of row i. `dropped_mass` is, for each row, the share that went to
    hidden tokens before the row was renormalised.
    """

    groups: list[list[int]]
    pattern: Float[Tensor, "*layers query_pos key_pos"]
    dropped_mass: Float[Tensor, "*layers query_pos"]


def attention_of(trace: Trace) -> Attention:
    """The attention of a trace. Raises AbilityError for a trace without it.

    >>> attention_of(explorer.load("word2vec").trace("bank"))
    Traceback (most recent call last):
    explorer.errors.AbilityError: This trace holds no attention. ...
    """
    if trace.attention is None:
        raise AbilityError("This trace holds no attention.", "Trace the text with Capture.ATTENTION.")
    return trace.attention


def patterns(
    trace: Trace, layers: int | slice = slice(None), hide_special: bool = False, merge_words: bool = False
) -> Patterns:
    """The patterns of one layer, [head, query, key], or of several, [layer, head, query, key], for drawing.

    First, pieces are merged if `merge_words`: attention to a word is the sum over its pieces, attention from
    it their mean (Clark et al. 2019). Then, if `hide_special`, special tokens are left out and each row is
    rescaled to sum to 1.

    Raises AbilityError for a trace without attention.

    >>> trace = explorer.load("bert").trace("Two riverbanks")
    >>> patterns(trace, layers=2, hide_special=True, merge_words=True).groups
    [[1], [2, 3, 4]]
    """
    full, special = attention_of(trace).pattern[layers], trace.encoding.special
    groups = [[position] for position in range(len(special))]
    if merge_words:
        groups = [word.positions for word in words(trace.encoding)]
        full = word_pattern(full, groups)
        special = special[[group[0] for group in groups]]
    if not hide_special:
        return Patterns(groups, full, full.new_zeros(full.shape[:-1]))
    visible = (~special).nonzero().flatten().tolist()
    dropped = 1 - full[..., visible, :][..., visible].sum(-1)
    rescaled = without_special(full, special)
    return Patterns([groups[i] for i in visible], rescaled, dropped.clamp(0, 1))


def head_view(trace: Trace, layer: int, head: int, hide_special: bool = False) -> HeadView:
    """The pattern of one head, for drawing. Raises AbilityError for a trace without attention.

    >>> view = head_view(explorer.load("bert").trace("The bank"), layer=0, head=0, hide_special=True)
    >>> view.tokens, view.positions, view.pattern.shape  # [CLS] and [SEP] are left out
    (['the', 'bank'], [1, 2], torch.Size([2, 2]))
    """
    view = patterns(trace, layer, hide_special)
    positions = [group[0] for group in view.groups]
    return HeadView(
        tokens=[trace.tokens[position] for position in positions],
        pattern=view.pattern[head],
        positions=positions,
        dropped_mass=view.dropped_mass[head],
    )


def between_words(trace: Trace) -> tuple[list[Word], Float[Tensor, "layer head word_query word_key"]]:
    """A text's words without the special tokens, and the patterns of all heads between them.

    The rest of each row is on special tokens. Raises AbilityError for a trace without attention.
    """
    all_words = words(trace.encoding)
    pattern = patterns(trace, merge_words=True).pattern
    ordinary = [i for i, word in enumerate(all_words) if not word.special]
    return [all_words[i] for i in ordinary], pattern[..., ordinary, :][..., ordinary]


def without_special(
    pattern: Float[Tensor, "*layers query_pos key_pos"], special: Bool[Tensor, "pos"]
) -> Float[Tensor, "*layers kept_query kept_key"]:
    """Patterns restricted to ordinary tokens, each row renormalised to sum to 1.

    A row whose whole mass is on special tokens has nothing left and becomes all 0.

    >>> from torch import tensor
    >>> whole = tensor([[0.5, 0.1, 0.4], [0.2, 0.4, 0.4], [0.75, 0.0, 0.25]])  # [CLS] the bank
    >>> without_special(whole, tensor([True, False, False]))
    tensor([[0.5000, 0.5000],
            [0.0000, 1.0000]])
    """
    ordinary = ~special
    rest = pattern[..., ordinary, :][..., ordinary]
    mass = rest.sum(-1, keepdim=True)
    return (rest / mass.clamp_min(1e-12)).masked_fill(mass <= 1e-12, 0.0)
