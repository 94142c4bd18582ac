"""One direction of ELMo's LSTM over many texts, with a hand-written derivative.

It gives the numbers of `explorer.models.elmo.Reader` (a test compares values and derivatives).
`torch.nn.LSTM` with `proj_size` can neither clip nor reset its state, and has no bfloat16 on a CPU, which
saves two fifths of a step. Each weight's gradient is one product over all positions.
"""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import FunctionCtx


class _Context(FunctionCtx):
    """Values that the forward pass stores for the backward pass."""

    clips: tuple[float, float]
    saved_tensors: tuple[Tensor, ...]


class Scan(torch.autograd.Function):
    """Outputs at all positions, from the words' contributions to the gates.

    `keep` is 0 where the state is reset before a position is read, else 1.
    """

    @staticmethod
    def forward(
        ctx: _Context,
        entered: Float[Tensor, "pos batch gates"],
        recurrent: Float[Tensor, "half gates"],
        projection: Float[Tensor, "hidden half"],
        keep: Float[Tensor, "pos batch 1"],
        cell_clip: float,
        half_clip: float,
    ) -> Float[Tensor, "pos batch half"]:
        length, batch, width = entered.shape
        hidden, half = projection.shape
        kind = entered.dtype
        gates, tanh_c, raised = (entered.new_empty(length, batch, n) for n in (width, hidden, hidden))
        before, after = entered.new_empty(length, batch, half), entered.new_empty(length, batch, half)
        cells = torch.zeros(length + 1, batch, hidden, device=entered.device)
        h = entered.new_zeros(batch, half)
        for t in range(length):
            torch.mul(h, keep[t], out=before[t])
            i, j, f, o = gates[t].split(hidden, dim=1)
            inputs = torch.addmm(entered[t], before[t], recurrent).split(hidden, dim=1)
            torch.sigmoid(inputs[0], out=i)
            torch.tanh(inputs[1], out=j)
            torch.sigmoid(inputs[2] + 1, out=f)
            torch.sigmoid(inputs[3], out=o)
            c = torch.mul(cells[t], keep[t], out=cells[t + 1])
            c.mul_(f).addcmul_(i, j).clamp_(-cell_clip, cell_clip)
            torch.tanh(c.to(kind), out=tanh_c[t])
            torch.mul(o, tanh_c[t], out=raised[t])
            h = torch.mm(raised[t], projection, out=after[t]).clamp_(-half_clip, half_clip)
        ctx.clips = cell_clip, half_clip
        ctx.save_for_backward(recurrent, projection, keep, gates, cells, tanh_c, raised, before, after)
        return after

    @staticmethod
    def backward(ctx: _Context, upstream: Float[Tensor, "pos batch half"]) -> tuple[Tensor | None, ...]:
        recurrent, projection, keep, gates, cells, tanh_c, raised, before, after = ctx.saved_tensors
        cell_clip, half_clip = ctx.clips
        length, batch, _ = gates.shape
        hidden, half = projection.shape
        d_gates, d_after = torch.empty_like(gates), torch.empty_like(after)
        d_h, d_c = after.new_zeros(batch, half), torch.zeros_like(cells[0])
        for t in reversed(range(length)):
            i, j, f, o = gates[t].split(hidden, dim=1)
            d_i, d_j, d_f, d_o = d_gates[t].split(hidden, dim=1)
            torch.add(upstream[t], d_h, out=d_after[t])
            d_after[t].masked_fill_(after[t].abs() >= half_clip, 0)
            d_raised = d_after[t] @ projection.T
            torch.mul(d_raised, tanh_c[t], out=d_o)
            d_o.mul_(o).addcmul_(d_o, o, value=-1)  # x o (1 - o), like the next ones
            d_tanh = d_raised * o
            d_c.add_(d_tanh).addcmul_(d_tanh * tanh_c[t], tanh_c[t], value=-1)
            d_c.masked_fill_(cells[t + 1].abs() >= cell_clip, 0)
            d = d_c.to(gates.dtype)
            torch.mul(d, j, out=d_i)
            d_i.mul_(i).addcmul_(d_i, i, value=-1)
            torch.mul(d, i, out=d_j)
            d_j.addcmul_(d_j * j, j, value=-1)
            torch.mul(d, (cells[t] * keep[t]).to(gates.dtype), out=d_f)
            d_f.mul_(f).addcmul_(d_f, f, value=-1)
            d_c.mul_(f).mul_(keep[t])
            d_h = (d_gates[t] @ recurrent.T) * keep[t]
        d_recurrent = before.flatten(0, 1).T @ d_gates.flatten(0, 1)
        d_projection = raised.flatten(0, 1).T @ d_after.flatten(0, 1)
        return d_gates, d_recurrent, d_projection, None, None, None
