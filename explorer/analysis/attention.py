"""One head's attention, with or without the special tokens that heads rest on."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from explorer.errors import AbilityError
from explorer.trace import Trace


@dataclass(frozen=True, eq=False)
class HeadView:
    """What one head looks at. Row q is what token q reads; it sums to 1 (or is all 0, see below).

    `positions` are those of the trace that were kept. `dropped_mass` is, for each row, the share
    that went to hidden tokens before the row was renormalised.
    """

    layer: int
    head: int
    tokens: list[str]
    pattern: Float[Tensor, "query_pos key_pos"]
    positions: list[int]
    dropped_mass: Float[Tensor, "query_pos"]


def head_view(trace: Trace, layer: int, head: int, hide_special: bool = False) -> HeadView:
    """One head of a trace, for drawing. Raises AbilityError for a trace without attention."""
    if trace.attention is None:
        raise AbilityError("This trace holds no attention.", "Trace the text with Capture.ATTENTION.")
    full = trace.attention.pattern[layer, head]
    special = trace.encoding.special
    kept = (~special).nonzero().flatten().tolist() if hide_special else list(range(len(special)))
    dropped = 1 - full[kept][:, kept].sum(-1) if hide_special else full.new_zeros(len(kept))
    return HeadView(
        layer=layer,
        head=head,
        tokens=[trace.tokens[position] for position in kept],
        pattern=without_special(full, special) if hide_special else full,
        positions=kept,
        dropped_mass=dropped.clamp(0, 1),
    )


def without_special(
    pattern: Float[Tensor, "*layers query_pos key_pos"], special: Bool[Tensor, "pos"]
) -> Float[Tensor, "*layers kept_query kept_key"]:
    """Patterns restricted to ordinary tokens, each row renormalised to sum to 1.

    A row whose whole mass lies on special tokens has nothing left to show and stays all 0.
    """
    kept = ~special
    rest = pattern[..., kept, :][..., kept]
    mass = rest.sum(-1, keepdim=True)
    return (rest / mass.clamp_min(1e-12)).masked_fill(mass <= 1e-12, 0.0)
