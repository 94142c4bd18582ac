"""The steps between a model's scores and the draw: each takes scores and gives scores, -inf for a cut token.

    logits -> repetition penalty -> grammar -> temperature -> top-k -> top-p -> min-p -> typical -> watermark

That is the usual order, in which transformers has them too; `Sampling.order` may name another. Softmax
and the draw follow. The modules `grammar` and `watermark` say what these two steps are.

Repetition penalty: Keskar, McCann, Varshney, Xiong, Socher, "CTRL" (2019), section 4.1. Top-k: Fan, Lewis,
Dauphin, "Hierarchical Neural Story Generation" (ACL 2018). Top-p, or nucleus sampling: Holtzman, Buys, Du,
Forbes, Choi, "The Curious Case of Neural Text Degeneration" (ICLR 2020). Min-p: Nguyen et al., "Turning Up
the Heat" (ICLR 2025). Typical: Meister, Pimentel, Wiher, Cotterell, "Locally Typical Sampling" (TACL 2023).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.generation.grammar import allowed
from explorer.generation.watermark import green_ids
from explorer.tokenizers.base import Tokenizer

Scores = Float[Tensor, "d_vocab"]
CUT = -torch.inf


class State(NamedTuple):
    """What a step knows beside the scores: its setting, and the ids of the text so far.

    The last of them, as many as `written`, are those for which a grammar holds; it asks for the `tokenizer`.
    """

    value: Any
    ids: Sequence[int]
    written: int = 0
    tokenizer: Tokenizer | None = None


def repetition_penalty(scores: Scores, state: State) -> Scores:
    """Divide the positive scores of tokens that are in the text by the penalty, and multiply the negative."""
    ids = torch.tensor(sorted(set(state.ids)), dtype=torch.long)
    before = scores[ids]
    return scores.index_put((ids,), torch.where(before < 0, before * state.value, before / state.value))


def grammar(scores: Scores, state: State) -> Scores:
    """Keep the tokens that may come next in a text that matches a pattern."""
    if state.tokenizer is None:
        raise ExplorerError("A grammar is about text, and there are ids only.", "Give the tokenizer, too.")
    written = state.ids[len(state.ids) - state.written :]
    return scores.masked_fill(~allowed(state.tokenizer, state.value, written, len(scores)), CUT)


def temperature(scores: Scores, state: State) -> Scores:
    """Divide by the temperature."""
    smallest = 1e-20  # a tiny temperature must not make a score infinite
    return scores.div(max(state.value, smallest))


def top_k(scores: Scores, state: State) -> Scores:
    """Keep the k most probable tokens."""
    return _keep(scores, scores.topk(min(state.value, len(scores))).indices)


def top_p(scores: Scores, state: State) -> Scores:
    """Keep the fewest tokens, the most probable first, that together reach p."""
    shares = scores.softmax(-1)
    return _keep_until(scores, shares, shares, state.value)


def min_p(scores: Scores, state: State) -> Scores:
    """Keep the tokens that are at least p times as probable as the most probable one."""
    shares = scores.softmax(-1)
    return scores.masked_fill(shares < state.value * shares.max(), CUT)


def typical_p(scores: Scores, state: State) -> Scores:
    """Keep the fewest tokens that together reach p, those first whose surprisal is nearest to the entropy."""
    log_shares = scores.log_softmax(-1)
    shares = log_shares.exp()
    entropy = -(log_shares * shares).nansum()  # of a cut token it is 0 times infinity
    return _keep_until(scores, -(log_shares + entropy).abs(), shares, state.value)


def watermark(scores: Scores, state: State) -> Scores:
    """Add the push to the scores of the green tokens, those that the last token of the text chooses."""
    if not state.ids:
        return scores
    ids = green_ids(state.ids[-1], len(scores), state.value)
    return scores.index_put((ids,), scores[ids] + state.value.push)


def greedy(scores: Scores) -> Scores:
    """Keep the most probable token alone."""
    return _keep(scores, scores.argmax()[None])


STEPS: dict[str, Callable[[Scores, State], Scores]] = {
    step.__name__: step
    for step in (repetition_penalty, grammar, temperature, top_k, top_p, min_p, typical_p, watermark)
}


def _keep(scores: Scores, ids: Int[Tensor, "kept"]) -> Scores:
    return torch.full_like(scores, CUT).index_put_((ids,), scores[ids])


def _keep_until(scores: Scores, merits: Scores, shares: Scores, p: float) -> Scores:
    """Keep the tokens of the highest merits whose shares together reach p, which 1 leaves to all."""
    if p >= 1:
        return scores
    for size in (64, 512, 4096):  # the best few nearly always reach p, and sorting all takes longer
        if size < len(scores):
            ids = merits.topk(size).indices
            if float(shares[ids].double().sum()) >= p:
                break
    else:
        ids = torch.from_numpy((-merits).cpu().numpy().argsort())  # several times as fast as torch's
    shares = shares[ids].double()
    return _keep(scores, ids[: int((shares.cumsum(0) - shares < p).sum())])
