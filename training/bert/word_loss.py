"""The cross-entropy of masked words, without the large matrices it is usually made of.

A thousand masked words against 30,522 tokens are 120 MB of scores in float32, and softmax, loss and
gradient are as large again: on a CPU, most of such a step is spent on fetching pages of memory. Here a
few words at a time go all the way from scores to the gradient of their scores, which is kept in the
precision of the products.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import FunctionCtx

# Words at a time: 64 of them have 4 MB of scores in bfloat16, which stay in a CPU's cache.
PIECE, PIECE_ON_GPU = 64, 4096
MOST = 0.99  # chance of a wrong token that the term for wrong tokens reckons with: it has no end at 1


class _Context(FunctionCtx):
    """What the way forward leaves for the way back."""

    kinds: tuple[torch.dtype, torch.dtype, torch.dtype]
    saved_tensors: tuple[Tensor, ...]


class _WordLoss(torch.autograd.Function):
    """Loss and gradient in one pass; the backward pass only multiplies."""

    @staticmethod
    def forward(
        ctx: _Context,
        states: Tensor,
        embedding: Tensor,
        bias: Tensor,
        truth: Tensor,
        wrong: Tensor | None,
        weight: float,
    ) -> tuple[Tensor, Tensor, Tensor]:
        device = states.device.type
        kind = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else states.dtype
        lean, table, shift = states.to(kind), embedding.to(kind), bias.to(kind)
        surplus = torch.empty(len(states), len(table), dtype=kind, device=states.device)
        nats, avoided = torch.zeros(2, device=states.device)
        hits = torch.zeros((), dtype=torch.long, device=states.device)
        step = PIECE_ON_GPU if states.is_cuda else PIECE
        for start in range(0, len(states), step):
            here = slice(start, start + step)
            scores = torch.addmm(shift, lean[here], table.T).float()
            answer = truth[here, None]
            true, total = scores.gather(1, answer), scores.logsumexp(1, keepdim=True)
            hits += (true[:, 0] == scores.amax(1)).sum()
            nats += (total - true).sum()
            # d loss / d scores = softmax(scores) - 1 where the true token stands
            scores.sub_(total).exp_()
            if wrong is not None:
                avoided += _avoid(scores, wrong[here], weight)
            surplus[here] = scores.scatter_add_(1, answer, torch.full_like(true, -1.0))
        ctx.save_for_backward(surplus, lean, table)
        ctx.kinds = states.dtype, embedding.dtype, bias.dtype
        nats, avoided = nats / max(1, len(states)), avoided / max(1, len(states))
        ctx.mark_non_differentiable(nats, hits)
        return nats + weight * avoided, nats, hits

    @staticmethod
    def backward(ctx: _Context, upstream: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:
        surplus, lean, table = ctx.saved_tensors
        states, embedding, bias = ctx.kinds
        share = upstream / max(1, len(lean))
        return (
            (surplus @ table).to(states) * share.to(states),
            (surplus.T @ (lean * share.to(lean.dtype))).to(embedding),
            surplus.sum(0, dtype=torch.float32).to(bias) * share.to(bias),
            None,
            None,
            None,
        )


def _avoid(
    shares: Float[Tensor, "word d_vocab"], wrong: Int[Tensor, "word pos"], weight: float
) -> Float[Tensor, ""]:
    """The sum of -log(1 - p) over wrong tokens, in nats; its gradient is added to `shares`, in place.

    d -log(1 - p_c) / d score_j = p_c / (1 - p_c) x ([j = c] - p_j).
    """
    here = wrong >= 0
    chance = (shares.gather(1, wrong.clamp_min(0)) * here).clamp_max(MOST)
    odds = weight * chance / (1 - chance)
    shares.mul_(1 - odds.sum(1, keepdim=True)).scatter_add_(1, wrong.clamp_min(0), odds)
    return -torch.log1p(-chance).sum()


def word_loss(
    states: Float[Tensor, "word d_model"],
    embedding: Float[Tensor, "d_vocab d_model"],
    bias: Float[Tensor, "d_vocab"],
    truth: Int[Tensor, "word"],
) -> tuple[Float[Tensor, ""], Int[Tensor, ""]]:
    """The mean cross-entropy of the true tokens, in nats, and of how many none scores higher.

    The scores are `states @ embedding.T + bias`, in bfloat16 under autocast, else in the states' own
    precision; sums are in float32. It equals `F.cross_entropy` of those scores, and is 0 without words.
    """
    loss, _, hits = unlikely_loss(states, embedding, bias, truth)
    return loss, hits


def unlikely_loss(
    states: Float[Tensor, "word d_model"],
    embedding: Float[Tensor, "d_vocab d_model"],
    bias: Float[Tensor, "d_vocab"],
    truth: Int[Tensor, "word"],
    wrong: Int[Tensor, "word pos"] | None = None,
    weight: float = 0.0,
) -> tuple[Float[Tensor, ""], Float[Tensor, ""], Int[Tensor, ""]]:
    """`word_loss` with a term for tokens that are wrong: (loss, its cross-entropy alone, hits).

    The term is `weight` times the sum of -log(1 - p) over a word's `wrong` tokens, a mean over the words in
    nats (Welleck et al. 2020, "Neural text generation with unlikelihood training", equation 4). Places of
    `wrong` below 0 are empty; without `wrong` there is no such term.
    """
    found: tuple[Tensor, Tensor, Tensor] = _WordLoss.apply(  # type: ignore[no-untyped-call]  # by torch
        states, embedding, bias, truth, wrong, weight
    )
    return found
