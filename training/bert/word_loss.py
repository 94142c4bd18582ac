"""Cross-entropy of masked words, computed a few words at a time.

A thousand masked words against 30,522 tokens are 120 MB of scores in float32, and softmax, loss and gradient
are as large again; on a CPU most of the step is spent on fetching that memory. Here each group of words goes
from scores to the gradient of its scores, which is stored in the precision of the products.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import FunctionCtx

# Words at a time: 64 have 4 MB of scores in bfloat16, which stay in a CPU's cache.
PIECE, PIECE_ON_GPU = 64, 4096


class _Context(FunctionCtx):
    """Values that the forward pass stores for the backward pass."""

    kinds: tuple[torch.dtype, torch.dtype, torch.dtype]
    saved_tensors: tuple[Tensor, ...]


class _WordLoss(torch.autograd.Function):
    """Loss and gradient in one pass; the backward pass only multiplies."""

    @staticmethod
    def forward(
        ctx: _Context, states: Tensor, embedding: Tensor, bias: Tensor, truth: Tensor
    ) -> tuple[Tensor, Tensor]:
        device = states.device.type
        kind = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else states.dtype
        states_, table, shift = states.to(kind), embedding.to(kind), bias.to(kind)
        slopes = torch.empty(len(states), len(table), dtype=kind, device=states.device)
        nats = torch.zeros((), device=states.device)
        hits = torch.zeros((), dtype=torch.long, device=states.device)
        step = PIECE_ON_GPU if states.is_cuda else PIECE
        for start in range(0, len(states), step):
            words = slice(start, start + step)
            scores = torch.addmm(shift, states_[words], table.T).float()
            answer = truth[words, None]
            true, total = scores.gather(1, answer), scores.logsumexp(1, keepdim=True)
            hits += (true[:, 0] == scores.amax(1)).sum()
            nats += (total - true).sum()
            # d loss / d scores = softmax(scores), less 1 at the true token
            slopes[words] = scores.sub_(total).exp_().scatter_add_(1, answer, torch.full_like(true, -1.0))
        ctx.save_for_backward(slopes, states_, table)
        ctx.kinds = states.dtype, embedding.dtype, bias.dtype
        ctx.mark_non_differentiable(hits)
        return nats / max(1, len(states)), hits

    @staticmethod
    def backward(ctx: _Context, upstream: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:
        slopes, states_, table = ctx.saved_tensors
        states, embedding, bias = ctx.kinds
        share = upstream / max(1, len(states_))
        return (
            (slopes @ table).to(states) * share.to(states),
            (slopes.T @ (states_ * share.to(states_.dtype))).to(embedding),
            slopes.sum(0, dtype=torch.float32).to(bias) * share.to(bias),
            None,
        )


def word_loss(
    states: Float[Tensor, "word d_model"],
    embedding: Float[Tensor, "d_vocab d_model"],
    bias: Float[Tensor, "d_vocab"],
    truth: Int[Tensor, "word"],
) -> tuple[Float[Tensor, ""], Int[Tensor, ""]]:
    """Mean cross-entropy of the true tokens in nats, and the number of words whose true token scores best.

    The scores are `states @ embedding.T + bias`, in bfloat16 under autocast, else in the states' precision;
    sums are in float32. The loss equals `F.cross_entropy` of the scores, and is 0 without words.
    """
    result: tuple[Tensor, Tensor] = _WordLoss.apply(states, embedding, bias, truth)  # type: ignore[no-untyped-call]  # by torch
    return result
