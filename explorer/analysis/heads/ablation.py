"""Switch heads off and see what the model then predicts.

off = switch_off([(2, 9)], "zero")               an edit for the network's forward pass
question = ask(model, "The boat is [MASK].")     the text, and the position to predict
before, after = answer(model, question), answer(model, question, off)

After Michel, Levy, Neubig, "Are Sixteen Heads Really Better than One?" (NeurIPS 2019), section 3.2.
A drop shows what the head contributed here. The rest of the network was trained with the head: it may
compensate for the loss, or be disturbed by a value that never occurred in training.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.prediction.masking import MASK, mask_positions
from explorer.analysis.prompt import encode_prompt
from explorer.errors import AbilityError, TextError, at_least_one
from explorer.locale import _
from explorer.models.base import Model, context_length
from explorer.models.interventions import Intervention, Interventions
from explorer.trace import Ability, Capture, Edit, Encoding, captured

# The ways to switch a head off, and the site of the forward pass that each edits.
METHODS = {"zero": "head_output", "mean": "head_output", "uniform": "scores"}


@dataclass(frozen=True, eq=False)
class Question:
    """A text as the model reads it, and the position whose state predicts a token."""

    encoding: Encoding
    position: int


@dataclass(frozen=True)
class Change:
    """One token's probability and rank (from 1) with all heads on, and with some off."""

    id: int
    token: str
    before: float
    after: float
    rank_before: int
    rank_after: int


class Changes(list[Change]):
    """The tokens that a change of the heads concerns, in their order."""


def switch_off(
    heads: Iterable[tuple[int, int]],
    method: str = "zero",
    means: Float[Tensor, "layer head d_head"] | None = None,
) -> Edit:
    """The edit that switches off heads, given as (layer, head) from zero.

        zero      softmax(Q K^T / sqrt(d_head)) V  ->  0
        mean      ... -> means[layer, head], at every position
        uniform   Q K^T -> 0, so that the softmax is uniform over all tokens that the head may read

    Raises TextError for an unknown method, and for `mean` without `means` (see `mean_outputs`).
    """
    if method not in METHODS:
        raise TextError(
            f"A head cannot be switched off by “{method}”.", f"Choose from: {', '.join(METHODS)}."
        )
    if method == "mean" and means is None:
        raise TextError(
            "The mean output of every head is needed.", "Measure it with mean_outputs(model, texts)."
        )
    chosen: dict[int, list[int]] = {}
    for layer, head in heads:
        chosen.setdefault(layer, []).append(head)

    def numbers(layer: int) -> Tensor:
        return torch.zeros(()) if method != "mean" or means is None else means[layer, chosen[layer], None]

    return Interventions(
        [Intervention(METHODS[method], layer, "set", numbers(layer), heads=chosen[layer]) for layer in chosen]
    )


def mean_outputs(model: Model, texts: Sequence[str]) -> Float[Tensor, "layer head d_head"]:
    """Each head's mean output over all tokens of some texts, including special tokens."""
    model.require(Ability.ATTENTION, "show what its heads give")
    total, count = torch.zeros(()), 0
    for text in texts:
        attention = captured(model.trace(text, capture=Capture.ATTENTION).attention)
        total = total + (attention.pattern @ attention.values).sum(2)
        count += attention.pattern.shape[-1]
    return total / count


def ask(model: Model, text: str, which: int = 0, limit: int | None = None) -> Question:
    """The question which token is at [MASK] number `which` (BERT), or comes after the text (GPT).

    Of a text longer than the limit, BERT reads the beginning and GPT the end. Raises TextError if there is
    no [MASK] for BERT, AbilityError for a model that predicts no tokens or has no heads.
    """
    at_least_one(limit=limit)
    if Ability.ATTENTION not in model.abilities:
        raise AbilityError(
            _("{model} has no heads to switch off.", model=model.checkpoint),
            _("Choose a Transformer, such as BERT or GPT."),
        )
    model.require(Ability.FILL | Ability.GENERATE, "predict words")
    if Ability.GENERATE in model.abilities:
        room = min(limit or context_length(model.config), model.config.positions)
        encoding = encode_prompt(model, text, room)
        return Question(encoding, len(encoding) - 1)
    encoding = model.encode(text, limit=limit)
    masks = mask_positions(model, encoding)
    if not masks:
        if MASK in text:
            message = _(
                "There is no {mask} in the text, or it comes after the {count} tokens that are read.",
                mask=MASK,
                count=len(encoding),
            )
        else:
            message = _("There is no {mask} in the text.", mask=MASK)
        raise TextError(message, _("Press a word to hide it."))
    return Question(encoding, masks[min(which, len(masks) - 1)])


def answer(model: Model, question: Question, edit: Edit | None = None) -> Float[Tensor, "d_vocab"]:
    """The probability of every token as the answer, with an `edit` of the forward pass."""
    trace = model.trace_encodings([question.encoding], Capture.HIDDEN, edit)[0]
    return model.unembed(captured(trace.hidden_states)[-1][question.position]).softmax(-1)


def changes(
    model: Model, before: Float[Tensor, "d_vocab"], after: Float[Tensor, "d_vocab"], top: int = 5
) -> Changes:
    """The likeliest tokens before, in their order, then those that only `after` has among its likeliest."""
    at_least_one(top=top)
    best = [p.topk(min(top, len(p))).indices.tolist() for p in (before, after)]
    return Changes(change(model, before, after, i) for i in dict.fromkeys(best[0] + best[1]))


def change(
    model: Model, before: Float[Tensor, "d_vocab"], after: Float[Tensor, "d_vocab"], token: int
) -> Change:
    """The probabilities and ranks of one token, given by its id."""
    ranks = (int((p > p[token]).sum()) + 1 for p in (before, after))
    name = model.tokenizer.whole_or_bytes(token, model.tokenizer.readable(token))
    return Change(token, name, float(before[token]), float(after[token]), *ranks)


def moved(before: Float[Tensor, "d_vocab"], after: Float[Tensor, "d_vocab"]) -> float:
    """Total variation distance of two distributions: 1/2 sum |after - before|, 0 to 1."""
    return float((after - before).abs().sum() / 2)
