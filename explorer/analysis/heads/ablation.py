"""Switch heads off and see what the model then predicts.

off = switch_off([(2, 9)], "zero")               an edit for the network's forward pass
question = ask(model, "The boat is [MASK].")     which token is wanted, and where
before, after = answer(model, question), answer(model, question, off)

After Michel, Levy, Neubig, "Are Sixteen Heads Really Better than One?" (NeurIPS 2019), section 3.2.
What falls when a head goes is what the model did with it there; the rest of the network was
trained to have it, and may make up for it or be thrown off by a value it never met.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.prediction.masking import MASK
from explorer.errors import AbilityError, TextError, at_least_one
from explorer.models.base import Model, context_length
from explorer.tokenizers.prompt import prompt_or_start
from explorer.trace import Ability, Capture, Edit, Encoding, captured

# What a head gives when it is off, and the site of the forward pass where that is said.
METHODS = {
    "zero": "its output is 0",
    "mean": "its output is the same everywhere: its mean over our 50 sentences, every token counted",
    "uniform": "it looks at everything it sees alike, and reads the mean of that",
}
SITES = {"zero": "head_output", "mean": "head_output", "uniform": "scores"}


@dataclass(frozen=True, eq=False)
class Question:
    """A text as the model reads it, and the position whose state is to name a token."""

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


def switch_off(
    heads: Iterable[tuple[int, int]],
    method: str = "zero",
    means: Float[Tensor, "layer head d_head"] | None = None,
) -> Edit:
    """The edit that switches off heads, given as (layer, head) from zero.

        zero      softmax(Q K^T / sqrt(d_head)) V  ->  0
        mean      ... -> means[layer, head], at every position
        uniform   Q K^T -> 0, so that the softmax is even over all that the head may see

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

    def edit(site: str, layer: int, tensor: Tensor) -> Tensor:
        if site != SITES[method] or layer not in chosen:
            return tensor
        changed = tensor.clone()
        off = chosen[layer]
        if method == "mean":
            assert means is not None, "this method has been refused without means"
            changed[:, off] = means[layer, off, None].to(tensor)
        else:
            changed[:, off] = 0.0
        return changed

    return edit


def mean_outputs(model: Model, texts: Sequence[str]) -> Float[Tensor, "layer head d_head"]:
    """Each head's mean output over every token of some texts, special tokens among them."""
    model.require(Ability.ATTENTION, "show what its heads give")
    total, count = torch.zeros(()), 0
    for text in texts:
        found = captured(model.trace(text, capture=Capture.ATTENTION).attention)
        total = total + (found.pattern @ found.values).sum(2)
        count += found.pattern.shape[-1]
    return total / count


def ask(model: Model, text: str, which: int = 0, limit: int | None = None) -> Question:
    """What stands at [MASK] number `which` (BERT), or what comes after the text (GPT).

    A text that GPT continues is read from its end, where it is longer than the limit. Raises
    TextError for a text without [MASK] where one is wanted, AbilityError for a model that
    predicts nothing or has no heads.
    """
    at_least_one(limit=limit)
    if Ability.ATTENTION not in model.abilities:
        raise AbilityError(
            f"{model.checkpoint} has no heads to switch off.", "Choose a Transformer, such as BERT or GPT."
        )
    model.require(Ability.FILL | Ability.GENERATE, "predict words")
    if Ability.GENERATE in model.abilities:
        encoding = _end(model, text, min(limit or context_length(model.config), model.config.positions))
        return Question(encoding, len(encoding) - 1)
    encoding = model.encode(text, limit=limit)
    places = (encoding.ids == model.tokenizer.special_id("mask")).nonzero().flatten().tolist()
    if not places:
        beyond = f", or it stands after the {len(encoding)} tokens that are read" if MASK in text else ""
        raise TextError(f"There is no {MASK} in the text{beyond}.", "Click a word to hide it.")
    return Question(encoding, places[min(which, len(places) - 1)])


def answer(model: Model, question: Question, edit: Edit | None = None) -> Float[Tensor, "d_vocab"]:
    """The probability of every token as the answer, with the heads as `edit` leaves them."""
    trace = model.trace_encodings([question.encoding], Capture.HIDDEN, edit)[0]
    return model.unembed(captured(trace.hidden_states)[-1][question.position]).softmax(-1)


def changes(
    model: Model, before: Float[Tensor, "d_vocab"], after: Float[Tensor, "d_vocab"], top: int = 5
) -> list[Change]:
    """The likeliest tokens of both: those of `before` in their order, then newcomers in that of `after`."""
    at_least_one(top=top)
    best = [p.topk(min(top, len(p))).indices.tolist() for p in (before, after)]
    return [change(model, before, after, i) for i in dict.fromkeys(best[0] + best[1])]


def change(
    model: Model, before: Float[Tensor, "d_vocab"], after: Float[Tensor, "d_vocab"], token: int
) -> Change:
    """One token, by its id."""
    ranks = (int((p > p[token]).sum()) + 1 for p in (before, after))
    return Change(token, model.tokenizer.readable(token), float(before[token]), float(after[token]), *ranks)


def moved(before: Float[Tensor, "d_vocab"], after: Float[Tensor, "d_vocab"]) -> float:
    """How much probability has gone from some tokens to others: 1/2 sum |after - before|, 0 to 1."""
    return float((after - before).abs().sum() / 2)


def _end(model: Model, text: str, limit: int) -> Encoding:
    encoding = prompt_or_start(model.tokenizer, text, limit)
    return encoding if len(encoding) else model.encode("")
