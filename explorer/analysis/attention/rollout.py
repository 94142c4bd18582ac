"""Attention rollout: how much each token has read of each word by a layer, directly or through others.

Abnar and Zuidema, "Quantifying Attention Flow in Transformers" (ACL 2020), section 3. It assumes that all
heads of a layer count equally, that the residual connection keeps one half of a token and the heads bring
the other half, and that values, the output matrix and the MLP can be ignored.

    A_l = heads' mean of layer l / 2 + identity / 2          one layer's step
    R_l = A_l R_(l-1),  R_0 = identity                       from layer l back to the words
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.attention.weights import attention_of, without_special
from explorer.errors import ExplorerError, TextError
from explorer.short_text import WithShortText
from explorer.trace import Encoding, Trace

KEPT = 0.5  # the share of a token that the residual connection keeps


@dataclass(frozen=True)
class Strand:
    """What passes from one token to another in one layer, as a share of the rolled-out token."""

    layer: int
    upper: int
    lower: int
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class TokenRollout(WithShortText):
    """How much one token at a layer has read of each word.

    `positions` are those of the tokens that take part; the token is the one at `positions[place]`. `weights`
    are the mean over the heads of the layer alone.
    """

    encoding: Encoding
    positions: list[int]
    layer: int
    place: int
    causal: bool
    steps: Float[Tensor, "layer kept_query kept_key"]
    weights: Float[Tensor, "kept_query kept_key"]

    @property
    def levels(self) -> Float[Tensor, "depth kept"]:
        """The token's shares in those of each layer on the way, from the words to the token itself."""
        return token_levels(self.steps, self.layer, self.place)

    @property
    def shares(self) -> Float[Tensor, "kept"]:
        """The share of each word in the token."""
        return self.levels[0]

    def strands(self, least: float = 0.0) -> list[Strand]:
        """What passes between tokens of neighbouring layers, if it is at least `least`."""
        return token_rollout(self.steps, self.layer, self.place, least)[1]


def at_token(
    trace: Trace, position: int, layer: int | None = None, hide_special: bool = True
) -> TokenRollout:
    """The rollout of the token at a position at a layer (counted from 1), or at the last one.

    Special tokens are left out unless `hide_special` is off, or there are no others. Raises TextError for a
    token that is left out, ExplorerError for a layer that the model lacks, AbilityError for a trace without
    attention.

    >>> bank = at_token(explorer.load("bert").trace("The river bank"), position=3)
    >>> bank.positions, bool(bank.shares.sum().isclose(torch.tensor(1.0)))
    ([1, 2, 3], True)
    """
    attention, special = attention_of(trace), trace.encoding.special
    positions = kept_positions(special, hide_special)
    hide = len(positions) < len(special)
    if position not in positions:
        message = f"There is no ordinary token at position {position}."
        raise TextError(message, "Choose another one, or count special tokens.")
    layers = len(attention.pattern)
    layer = layers if layer is None else layer
    if not 1 <= layer <= layers:
        raise ExplorerError(f"There is no layer {layer}.", f"Choose one from 1 to {layers}.")
    weights = attention.pattern[layer - 1].mean(0)
    return TokenRollout(
        trace.encoding,
        positions,
        layer,
        positions.index(position),
        attention.causal,
        steps(trace, special if hide else None),
        without_special(weights, special) if hide else weights,
    )


def kept_positions(special: Bool[Tensor, "pos"], hide_special: bool) -> list[int]:
    """The positions of the tokens that take part: without the special ones, unless there are no others.

    >>> kept_positions(torch.tensor([True, False, False]), hide_special=True)
    [1, 2]
    """
    hide = hide_special and not bool(special.all())
    return [i for i in range(len(special)) if not (hide and special[i])]


def steps(
    trace: Trace, without: Bool[Tensor, "pos"] | None = None
) -> Float[Tensor, "layer kept_query kept_key"]:
    """Every layer's step, heads averaged and the residual added; its rows sum to 1.

    Tokens in `without` are left out, and rows are rescaled; a row without any weight left reads itself.
    Raises AbilityError for a trace without attention.
    """
    return with_residual(attention_of(trace).pattern.mean(1), without)


def with_residual(
    attention: Float[Tensor, "layer query_pos key_pos"], without: Bool[Tensor, "pos"] | None = None
) -> Float[Tensor, "layer kept_query kept_key"]:
    """Each row half for the token itself and half for what the heads bring.

    >>> with_residual(torch.tensor([[[1.0, 0.0], [0.6, 0.4]]])).tolist()
    [[[1.0, 0.0], [0.30000001192092896, 0.699999988079071]]]
    """
    if without is not None:
        attention = attention[:, ~without][:, :, ~without]
        mass = attention.sum(-1, keepdim=True)
        itself = torch.eye(attention.shape[-1]).expand_as(attention)
        attention = torch.where(mass > 1e-6, attention / mass.clamp_min(1e-6), itself)
    return KEPT * torch.eye(attention.shape[-1]) + (1 - KEPT) * attention


def rollout(steps: Float[Tensor, "layer query_pos key_pos"]) -> Float[Tensor, "depth query_pos key_pos"]:
    """How much of each word is in each token at each layer; at the embedding (0), only itself.

    Row q of entry l sums to 1. Two layers of [[.5, .5], [0, 1]] give [[.25, .75], [0, 1]].
    """
    reached = [torch.eye(steps.shape[-1])]
    for step in steps:
        reached.append(step @ reached[-1])
    return torch.stack(reached)


def token_rollout(
    steps: Float[Tensor, "layer query_pos key_pos"], layer: int, position: int, least: float = 0.0
) -> tuple[Float[Tensor, "depth pos"], list[Strand]]:
    """One token's rollout, layer by layer: how much of it comes from each position of every layer below.

    The first result has a row for each layer up to `layer`, and each sums to 1: at the top all is at
    `position`, at the bottom it is the token's row of the rollout. The second one has the strands between
    the rows with a share of at least `least`.
    """
    levels, strands = token_levels(steps, layer, position), []
    for below in reversed(range(layer)):
        passing = levels[below + 1][:, None] * steps[below]
        for upper, lower in (passing >= max(least, 1e-9)).nonzero().tolist():
            strands.append(Strand(below, upper, lower, float(passing[upper, lower])))
    return levels, strands


def token_levels(
    steps: Float[Tensor, "layer query_pos key_pos"], layer: int, position: int
) -> Float[Tensor, "depth pos"]:
    """One token's rollout alone, without strands: the first result of `token_rollout`.

    >>> token_levels(torch.tensor([[[1.0, 0.0], [0.25, 0.75]]]), layer=1, position=1).tolist()
    [[0.25, 0.75], [0.0, 1.0]]
    """
    level = torch.zeros(steps.shape[-1])
    level[position] = 1.0
    levels = [level]
    for below in reversed(range(layer)):
        levels.append((levels[-1][:, None] * steps[below]).sum(0))
    return torch.stack(levels[::-1])
