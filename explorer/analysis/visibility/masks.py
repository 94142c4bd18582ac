"""One set of weights under several masks: both ways, left to right, and a first text read both ways.

    both      every position reads every other                                   (BERT)
    left      a position reads itself and what comes before                      (GPT)
    prefix    the first text reads itself both ways; the second reads the first
              and itself from the left                                           (sequence to sequence)

Dong et al., "Unified Language Model Pre-training for Natural Language Understanding and Generation"
(NeurIPS 2019), figure 1. Their UniLM was trained under all of them; a model that was trained under one
meets something new under the others.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.prediction.masking import MASK
from explorer.errors import TextError
from explorer.models.base import Model
from explorer.trace import Ability, Capture, Edit, Encoding, captured

MASKS = ("both", "left", "prefix")


@dataclass(frozen=True, eq=False)
class Masked:
    """What a model makes of one text under one mask.

    `pattern` is the mean over the heads of each layer; `probabilities` is what is expected at the
    blank, and `moved` how much of it differs from what is expected where all read all: 1/2 sum |p - q|.

    >>> import explorer
    >>> left = compare(explorer.load("bert"), "We saw a [MASK].")[1]
    >>> left.name, bool(left.pattern.triu(1).any()), left.moved > 0  # nobody reads what comes later
    ('left', False, True)
    """

    name: str
    allowed: Bool[Tensor, "query_pos key_pos"]
    pattern: Float[Tensor, "layer query_pos key_pos"]
    probabilities: Float[Tensor, "d_vocab"]
    moved: float


def allowed(name: str, sides: Int[Tensor, "pos"]) -> Bool[Tensor, "query_pos key_pos"]:
    """Who may look at whom: row q is True at the positions that q reads; `sides` is the text of each.

    Raises TextError for a name that is not in `MASKS`.

    >>> allowed("prefix", torch.tensor([0, 0, 1, 1])).int().tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    """
    if name not in MASKS:
        raise TextError(f"There is no mask “{name}”.", f"Choose from: {', '.join(MASKS)}.")
    every = torch.ones(len(sides), len(sides), dtype=torch.bool)
    if name == "both":
        return every
    left = every.tril()
    if name == "left":
        return left
    return left | (sides == 0)[None, :].expand_as(every)


def under(seen: Bool[Tensor, "query_pos key_pos"]) -> Edit:
    """The edit that hides from each position what it may not look at, in every layer and head.

    >>> import explorer
    >>> itself = torch.eye(5).bool()  # every position reads itself alone
    >>> trace = explorer.load("bert").trace("We saw it", edit=under(itself))
    >>> bool(trace.attention.pattern.eq(itself).all())
    True
    """
    hidden = torch.zeros(seen.shape).masked_fill(~seen, -torch.inf)

    def edit(site: str, layer: int, tensor: Tensor) -> Tensor:
        return tensor + hidden.to(tensor) if site == "scores" else tensor

    return edit


def compare(model: Model, text: str, pair: str | None = None, limit: int | None = None) -> list[Masked]:
    """A text with a blank under each mask, in the order of `MASKS`; the last [MASK] is guessed.

    Raises TextError for a text without [MASK], AbilityError for a model that does not fill blanks.

    >>> import explorer
    >>> [found.name for found in compare(explorer.load("bert"), "We saw a [MASK].")]
    ['both', 'left', 'prefix']
    """
    model.require(Ability.FILL, "guess masked words")
    encoding = model.encode(text, pair, limit)
    at = blank(model, encoding)
    sides = torch.tensor([encoding.side(i) for i in range(len(encoding))])
    found: list[Masked] = []
    for name in MASKS:
        seen = allowed(name, sides)
        (trace,) = model.trace_encodings([encoding], Capture.HIDDEN | Capture.ATTENTION, under(seen))
        expected = model.unembed(captured(trace.hidden_states)[-1][at]).softmax(-1)
        first = found[0].probabilities if found else expected
        pattern = captured(trace.attention).pattern.mean(1)
        found.append(Masked(name, seen, pattern, expected, float((expected - first).abs().sum() / 2)))
    return found


def blank(model: Model, encoding: Encoding) -> int:
    """The position of the last [MASK] of a text. Raises TextError where there is none.

    >>> import explorer
    >>> bert = explorer.load("bert")
    >>> blank(bert, bert.encode("The [MASK] saw a [MASK]."))
    5
    """
    places = (encoding.ids == model.tokenizer.special_id("mask")).nonzero().flatten().tolist()
    if not places:
        cut = f" within the {len(encoding)} tokens that are read" if encoding.truncated else ""
        raise TextError(
            f"There is no {MASK} in the text{cut}.", f"Write {MASK} where a word is to be guessed."
        )
    return int(places[-1])
