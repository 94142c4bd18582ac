"""The functions that the page prints under “Show the code”."""

from explorer.views.types import LanguageModel


def shares_of_states(
    model: "LanguageModel", first: str, second: str, answer: str, instead: str, measure: str, kind: str
) -> list[list[float]]:
    """What each state of the first prompt, put into the second, brings back: [layer][token]."""
    from explorer.analysis import patching

    pair = patching.contrast(model, first, second, answer, instead, measure)
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


def shares_of_heads(
    model: "LanguageModel",
    first: str,
    second: str,
    answer: str,
    instead: str,
    measure: str,
    position: int | None,
    top: int,
) -> list[tuple[str, float]]:
    """The heads whose outputs, put into the second prompt's run, bring back most."""
    from explorer.analysis import patching

    pair = patching.contrast(model, first, second, answer, instead, measure)
    patched = patching.patch_heads(model, pair, position)
    best = patched.ranking()[:top]
    return [(f"L{layer + 1}H{head + 1}", round(float(patched.share[layer, head]), 3)) for layer, head in best]


def parts_of_logit(
    model: "LanguageModel", first: str, second: str, answer: str, instead: str, alone: bool
) -> dict[str, float]:
    """What the embedding and each layer write of the answer's logit, and the logit that they add up to."""
    from explorer.analysis import patching

    pair = patching.contrast(model, first, second, answer, instead)
    result = patching.direct_logits_of(model, pair, alone)
    layers = {f"layer {n}": value for n, value in enumerate(result.by_layer().tolist(), 1)}
    parts = {"embedding": result.embedding} | layers | {"norms": result.constant, "rest": result.rest}
    return {name: round(value, 3) for name, value in parts.items()} | {"logit": round(result.logit, 3)}
