"""The functions that the page prints under “Show the code”."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.models import LanguageModel


def shares_of_states(
    model: "LanguageModel", first: str, second: str, answer: str, instead: str, kind: str
) -> list[list[float]]:
    """What each state of the first prompt, put into the second, brings back: [layer][token]."""
    from explorer.analysis import patching

    pair = patching.contrast(model, first, second, answer, instead)
    share = patching.patch_states(model, pair, kind).share
    return [[round(value, 3) for value in row] for row in share.tolist()]


def trace_causes(
    model: "LanguageModel", text: str, subject: str, answer: str, kind: str, seeds: int
) -> list[list[float]]:
    """What each undisturbed state brings back of the answer's probability, the mean of several seeds."""
    import torch

    from explorer.analysis import patching

    pairs = [patching.disturb(model, text, subject, answer, seed) for seed in range(seeds)]
    share = torch.stack([patching.patch_states(model, pair, kind).share for pair in pairs]).mean(0)
    return [[round(value, 3) for value in row] for row in share.tolist()]
