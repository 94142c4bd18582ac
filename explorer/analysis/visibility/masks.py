"""One set of weights under several attention masks: bidirectional, left to right, and prefix.

    both      every position reads all positions                                 (BERT)
    left      a position reads itself and those before it                        (GPT)
    prefix    the first text reads itself in both directions; the second reads
              the first, and itself from the left                                (sequence to sequence)

Dong et al., "Unified Language Model Pre-training for Natural Language Understanding and Generation"
(NeurIPS 2019), figure 1. Their UniLM was trained under all of them; for a model trained under one mask the
others are new.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.prediction.masking import MASK, mask_positions
from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model
from explorer.models.interventions import Intervention, Interventions
from explorer.trace import Ability, Capture, Edit, Encoding, captured

MASKS = ("both", "left", "prefix")


@dataclass(frozen=True, eq=False)
class MaskResult:
    """The attention and the prediction of a model for one text under one mask.

    `pattern` is the mean over the heads of each layer; `probabilities` is the distribution at the blank, and
    `moved` its total variation distance from that without a mask: 1/2 sum |p - q|.

    >>> left = compare(explorer.load("bert"), "We saw a [MASK].")[1]
    >>> left.name, bool(left.pattern.triu(1).any()), left.moved > 0  # no position reads a later one
    ('left', False, True)
    """

    name: str
    allowed: Bool[Tensor, "query_pos key_pos"]
    pattern: Float[Tensor, "layer query_pos key_pos"]
    probabilities: Float[Tensor, "d_vocab"]
    moved: float


def allowed(name: str, sides: Int[Tensor, "pos"]) -> Bool[Tensor, "query_pos key_pos"]:
    """Which keys each query may read under a mask; `sides` is 0 or 1, the text of each position.

    Raises TextError for a name outside `MASKS`.

    >>> allowed("prefix", torch.tensor([0, 0, 1, 1])).int().tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    """
    if name not in MASKS:
        raise TextError(f"There is no mask “{name}”.", f"Choose from: {', '.join(MASKS)}.")
    everything = torch.ones(len(sides), len(sides), dtype=torch.bool)
    if name == "both":
        return everything
    left = everything.tril()
    if name == "left":
        return left
    return left | (sides == 0)[None, :].expand_as(everything)


def under(allowed_keys: Bool[Tensor, "query_pos key_pos"]) -> Edit:
    """The edit that masks all other keys of each query, in every layer and head.

    >>> itself = torch.eye(5).bool()  # every position reads only itself
    >>> trace = explorer.load("bert").trace("We saw it", edit=under(itself))
    >>> bool(trace.attention.pattern.eq(itself).all())
    True
    """
    hidden = torch.zeros(allowed_keys.shape).masked_fill(~allowed_keys, -torch.inf)
    return Interventions([Intervention("scores", None, "add", hidden)])


def compare(model: Model, text: str, pair: str | None = None, limit: int | None = None) -> list[MaskResult]:
    """The results for a text under each of `MASKS`; the last [MASK] is predicted.

    Raises TextError for a text without [MASK], AbilityError for a model that does not fill blanks.

    >>> [result.name for result in compare(explorer.load("bert"), "We saw a [MASK].")]
    ['both', 'left', 'prefix']
    """
    model.require(Ability.FILL, "guess masked words")
    encoding = model.encode(text, pair, limit)
    at = blank(model, encoding)
    sides = torch.tensor([encoding.side(i) for i in range(len(encoding))])
    results: list[MaskResult] = []
    for name in MASKS:
        keys = allowed(name, sides)
        (trace,) = model.trace_encodings([encoding], Capture.HIDDEN | Capture.ATTENTION, under(keys))
        expected = model.unembed(captured(trace.hidden_states)[-1][at]).softmax(-1)
        first = results[0].probabilities if results else expected
        pattern = captured(trace.attention).pattern.mean(1)
        results.append(MaskResult(name, keys, pattern, expected, float((expected - first).abs().sum() / 2)))
    return results


def blank(model: Model, encoding: Encoding) -> int:
    """The position of the last [MASK] of a text. Raises TextError if there is none.

    >>> bert = explorer.load("bert")
    >>> blank(bert, bert.encode("The [MASK] saw a [MASK]."))
    5
    """
    places = mask_positions(model, encoding)
    if not places:
        if encoding.truncated:
            message = _(
                "There is no {mask} in the text within the {count} tokens that are read.",
                mask=MASK,
                count=len(encoding),
            )
        else:
            message = _("There is no {mask} in the text.", mask=MASK)
        raise TextError(message, _("Write {mask} where a word is to be guessed.", mask=MASK))
    return int(places[-1])
