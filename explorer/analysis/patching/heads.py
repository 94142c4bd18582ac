"""Which heads and feed-forward layers carry the answer: each patched alone, and the fewest that suffice."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.patching.contrast import Contrast
from explorer.analysis.patching.runs import Sites, answers, in_rows, local, record, start_at
from explorer.models.base import Model
from explorer.models.family import Start
from explorer.models.interventions import Intervention, Interventions
from explorer.models.language_model import LanguageModel
from explorer.short_text import WithShortText
from explorer.trace import Edit

ENOUGH = 0.9  # of the first prompt's answer
MOST_HEADS = 20  # patched together
DRAWS = 5  # of random heads beside them


@dataclass(frozen=True, eq=False, repr=False)
class PatchedHeads(WithShortText):
    """The share that each head's output and each feed-forward layer's, at one `position`, brings back."""

    contrast: Contrast
    position: int
    share: Float[Tensor, "layer head"]
    mlp: Float[Tensor, "layer"]

    def ranking(self) -> list[tuple[int, int]]:
        """The heads, (layer, head) from zero, from the one that brings most back."""
        heads = self.share.shape[1]
        return [divmod(i, heads) for i in self.share.flatten().argsort(descending=True).tolist()]


@dataclass(frozen=True)
class Together:
    """Heads patched at once: `shares[n]` with the first n + 1 of `heads`, `random` with as many others.

    `random` is the mean of `DRAWS` draws for the whole number of heads, None if there are too few others.
    """

    heads: list[tuple[int, int]]
    shares: list[float]
    random: float | None


def patch_heads(model: Model, contrast: Contrast, position: int | None = None) -> PatchedHeads:
    """Every head's output, and every feed-forward layer's, at a position (by default the answer's).

    >>> from explorer.analysis.patching.contrast import contrast
    >>> gpt = explorer.load("gpt")
    >>> pair = contrast(gpt, "The dogs in the garden", "The dog in the garden", "were", "was")
    >>> patch_heads(gpt, pair).share.shape
    torch.Size([6, 8])
    """
    layers = dict(patch_heads_of_layers(model, contrast, position))
    every = torch.stack([layers[layer] for layer in sorted(layers)])
    place = contrast.position if position is None else position
    return PatchedHeads(contrast, place, every[:, :-1], every[:, -1])


def patch_heads_of_layers(
    model: Model, contrast: Contrast, position: int | None = None
) -> Iterator[tuple[int, Float[Tensor, "part"]]]:
    """The shares of a layer's heads, then of its feed-forward layer, from the last layer down."""
    own = local(model)
    place = contrast.position if position is None else position
    first = record(own, contrast.first, ["head_output", "mlp_output"])
    second = record(own, contrast.second, ["hidden", "embedding"], contrast.noise)
    parts = own.config.heads + 1
    for layer in reversed(range(own.config.layers)):
        share = torch.zeros(parts)
        for rows in in_rows(parts, len(contrast.second)):
            edit = _one_part_a_row(first, layer, place, rows)
            start = start_at(second, layer, len(rows))
            logits = answers(own, contrast.second, contrast.position, len(rows), edit, start)
            share[list(rows)] = contrast.share(logits)
        yield layer, share


def _one_part_a_row(outputs: Sites, layer: int, place: int, parts: range) -> Edit:
    """The edit that puts one of a layer's parts into each row: a head's output, or after these the MLP's."""
    output, mlp = outputs["head_output", layer][0, :, place], outputs["mlp_output", layer][0, place]
    heads = [part for part in parts if part < len(output)]
    changes = []
    if heads:
        rows = range(len(heads))
        changes.append(Intervention("head_output", layer, "set", output[heads], rows, heads, [place]))
    if len(heads) < len(parts):
        changes.append(Intervention("mlp_output", layer, "set", mlp, [len(heads)], positions=[place]))
    return Interventions(changes)


def patch_together(
    model: Model,
    patched: PatchedHeads,
    enough: float = ENOUGH,
    seed: int = 0,
    on_share: Callable[[float], object] = lambda share: None,
) -> Together:
    """Heads patched at once, one more at a time from the strongest, until they bring `enough` back.

    They are `MOST_HEADS` at most. Beside them as many heads drawn at random from all others, several times.
    `on_share` is called with the share after each head.

    >>> from explorer.analysis.patching.contrast import contrast
    >>> gpt = explorer.load("gpt")
    >>> pair = contrast(gpt, "The dogs in the garden", "The dog in the garden", "were", "was")
    >>> together = patch_together(gpt, patch_heads(gpt, pair), enough=0.3)
    >>> len(together.heads) == len(together.shares)
    True
    """
    own, contrast = local(model), patched.contrast
    outputs = record(own, contrast.first, ["head_output"])
    start = Start(0, record(own, contrast.second, ["embedding"], contrast.noise)["embedding", 0])
    ranking = patched.ranking()
    heads: list[tuple[int, int]] = []
    shares: list[float] = []
    for head in ranking[:MOST_HEADS]:
        heads.append(head)
        shares.append(_share_of(own, patched, heads, outputs, start))
        on_share(shares[-1])
        if shares[-1] >= enough:
            break
    others = ranking[len(heads) :]
    if len(others) < len(heads):
        return Together(heads, shares, None)
    generator = torch.Generator().manual_seed(seed)
    draws = [torch.randperm(len(others), generator=generator)[: len(heads)].tolist() for _ in range(DRAWS)]
    random = [_share_of(own, patched, [others[i] for i in draw], outputs, start) for draw in draws]
    return Together(heads, shares, sum(random) / DRAWS)


def _share_of(
    model: LanguageModel,
    patched: PatchedHeads,
    heads: Sequence[tuple[int, int]],
    outputs: Sites,
    start: Start,
) -> float:
    """What some heads at the position bring back at once."""
    contrast, place = patched.contrast, patched.position
    by_layer: dict[int, list[int]] = {}
    for layer, head in heads:
        by_layer.setdefault(layer, []).append(head)
    changes = []
    for layer, chosen in by_layer.items():
        output = outputs["head_output", layer][:, chosen, place]
        changes.append(Intervention("head_output", layer, "set", output, heads=chosen, positions=[place]))
    edit = Interventions(changes)
    logits = answers(model, contrast.second, contrast.position, edit=edit, start=start)
    return float(contrast.share(logits)[0])
