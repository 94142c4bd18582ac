"""Masks: scores that become −∞, so that the softmax gives them no weight."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor

from explorer.analysis.transformer.operation import Operation, operation
from explorer.analysis.transformer.operations.shapes import Pattern
from explorer.analysis.transformer.rules import masked_score
from explorer.locale import N_


def _mask(formula: str, caption: str) -> Callable[[Callable[..., Any]], Operation]:
    """Decorator that makes a function the operation of a mask."""
    figure, one_word = ("scores → masked",), ("scores", "→ masked")
    return operation(N_("Mask"), formula, caption, figure, {"masked": masked_score}, one_word)


@_mask(
    formula=N_("S_{{ij}} = −∞ for j > i"),
    caption=N_("No token may read a later one: those scores become −∞."),
)
def causal_mask(scores: Pattern, n: int) -> Pattern:
    """The causal mask: no position reads a later one."""
    later = torch.ones(n, n).triu(1).bool()
    masked = scores.masked_fill(later, -math.inf)
    return masked


@_mask(
    formula=N_("S_{{ij}} = −∞ for j > i or j ≤ i − {window}"),
    caption=N_("No token may read a later one, or one outside a window of {window}: those become −∞."),
)
def causal_window_mask(scores: Pattern, n: int, window: int) -> Pattern:
    """The causal mask of a layer with a window: each position reads the last few, and no others."""
    readable = torch.ones(n, n).tril().triu(1 - window).bool()
    masked = scores.masked_fill(~readable, -math.inf)
    return masked


@_mask(
    formula=N_("S_{{ij}} = −∞ for |i − j| > {window}"),
    caption=N_("No token may read one outside a window of {window}: those become −∞."),
)
def window_mask(scores: Pattern, n: int, window: int, padding: Bool[Tensor, "pos"]) -> Pattern:
    """The mask of a layer that reads a window to either side."""
    readable = torch.ones(n, n).tril(window).triu(-window).bool()
    masked = scores.masked_fill(~readable | padding, -math.inf)
    return masked


padded_window_mask = replace(
    window_mask,
    formula=N_("S_{{ij}} = −∞ for |i − j| > {window} or padding j"),
    caption=N_("No token may read one outside a window of {window}, or padding: those become −∞."),
)


@_mask(
    formula=N_("S_{{ij}} = −∞ for padding j"),
    caption=N_("Padding holds no word: its scores become −∞, and no token reads it."),
)
def padding_mask(scores: Pattern, padding: Bool[Tensor, "pos"]) -> Pattern:
    """The padding mask: no position reads those that only fill the row."""
    masked = scores.masked_fill(padding, -math.inf)
    return masked
