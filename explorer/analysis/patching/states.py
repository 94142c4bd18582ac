"""What one state of the first prompt, put into the run on the second, brings back of the first answer.

hidden      the state after a layer (the residual stream)
attention   what a layer's attention added
mlp         what its feed-forward layer added
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.patching.contrast import Contrast
from explorer.analysis.patching.runs import Sites, answers, in_rows, local, record, run, start_at, unembed
from explorer.errors import TextError
from explorer.models.base import Model
from explorer.models.family import Start
from explorer.models.interventions import Intervention, Interventions
from explorer.models.language_model import LanguageModel
from explorer.short_text import WithShortText
from explorer.trace import Capture, Encoding, captured

HALF = 0.5
SITES = {"hidden": "hidden", "attention": "attention_output", "mlp": "mlp_output"}


@dataclass(frozen=True, eq=False, repr=False)
class PatchedStates(WithShortText):
    """The share of the first prompt's answer that each state brings back; `estimated` if by a gradient.

    0 is the second prompt's preference, 1 the first's (see `Contrast.share`); either may be overshot.
    """

    contrast: Contrast
    kind: str
    share: Float[Tensor, "layer pos"]
    estimated: bool = False

    def handover(self) -> tuple[int, int] | None:
        """The layers, from zero, between which the answer goes from the differing tokens to its own place.

        The last layer at which one of the differing tokens brings back at least half, and the first from
        which on the answer's place does. None if either never does, or if they are the same place.
        """
        place, word = self.contrast.position, self.contrast.differing
        if place in word:
            return None
        there = (self.share[:, word].amax(1) >= HALF).nonzero().flatten().tolist()
        missing = (self.share[:, place] < HALF).nonzero().flatten().tolist()
        first = missing[-1] + 1 if missing else 0
        return (there[-1], first) if there and first < len(self.share) else None


def patch_states(model: Model, contrast: Contrast, kind: str = "hidden") -> PatchedStates:
    """Every state of a kind, patched alone: one pass for each layer and token.

    Raises TextError for an unknown kind.

    >>> from explorer.analysis.patching.contrast import contrast
    >>> gpt = explorer.load("gpt")
    >>> pair = contrast(gpt, "The dogs in the garden", "The dog in the garden", "were", "was")
    >>> share = patch_states(gpt, pair).share
    >>> share.shape, float(share[-1, -1].round(decimals=3))  # the last state decides the answer alone
    (torch.Size([6, 5]), 1.0)
    """
    layers = dict(patch_layers(model, contrast, kind))
    return PatchedStates(contrast, kind, torch.stack([layers[layer] for layer in sorted(layers)]))


def patch_layers(
    model: Model, contrast: Contrast, kind: str = "hidden"
) -> Iterator[tuple[int, Float[Tensor, "pos"]]]:
    """The layers of `patch_states` one by one, from the last down: the upper ones take the least time.

    A run starts at the patched layer, from the second prompt's kept states. A model that reads from the left
    has the same states in both runs before the first token that differs: they bring nothing back.
    """
    own, site = local(model), _site(kind)
    first = record(own, contrast.first, [site])
    second = record(own, contrast.second, ["hidden", "embedding"], contrast.noise)
    length, begin = len(contrast.second), contrast.differing[0] if own.causal else 0
    for layer in reversed(range(own.config.layers)):
        share = torch.zeros(length)
        for rows in in_rows(length - begin, length):
            places = [begin + row for row in rows]
            share[places] = contrast.share(_patched(own, contrast, site, layer, places, first, second))
        yield layer, share


def patch_state(
    model: Model, contrast: Contrast, layer: int, position: int, kind: str = "hidden"
) -> Float[Tensor, "d_vocab"]:
    """The logits at the answer's place with one state put in; layers and positions are counted from 0.

    >>> from explorer.analysis.patching.contrast import contrast
    >>> gpt = explorer.load("gpt")
    >>> pair = contrast(gpt, "The dogs in the garden", "The dog in the garden", "were", "was")
    >>> float(pair.share(patch_state(gpt, pair, 5, 4)).round(decimals=3))
    1.0
    """
    own, site = local(model), _site(kind)
    first = record(own, contrast.first, [site])
    second = record(own, contrast.second, ["hidden", "embedding"], contrast.noise)
    return _patched(own, contrast, site, layer, [position], first, second)[0]


def states_with(
    model: Model, encoding: Encoding, source: Encoding, layer: int, place: int, at: int
) -> list[Float[Tensor, "1 pos d_model"]]:
    """A text's states, the embedding (layer 0) first, once the one at `at` is that of `source` at `place`.

    The texts may differ in length. Below the layer nothing changes.

    >>> gpt = explorer.load("gpt")
    >>> dogs, dog = gpt.encode("The dogs in the garden"), gpt.encode("The dog in the garden")
    >>> len(states_with(gpt, dog, dogs, layer=2, place=1, at=1))
    7
    """
    own = local(model)
    with torch.no_grad():
        put, states = (
            captured(run(own, one, capture=Capture.HIDDEN).hidden_states) for one in (source, encoding)
        )
        patched = states[layer].clone()
        patched[:, at] = put[layer][:, place]
        above = run(own, encoding, start=Start(layer, patched), capture=Capture.HIDDEN)
    return [*states[:layer], *captured(above.hidden_states)]


def _patched(
    model: LanguageModel,
    contrast: Contrast,
    site: str,
    layer: int,
    places: list[int],
    first: Sites,
    second: Sites,
) -> Float[Tensor, "place d_vocab"]:
    """The answers with a layer's state at each of some places, one a row."""
    count = len(places)
    patch = Intervention(site, layer, "set", first[site, layer][0, places], range(count), positions=places)
    if site == "hidden":
        patched = patch.apply(second["hidden", layer].expand(count, -1, -1))
        start, edit = Start(layer + 1, patched), None
    else:
        start, edit = start_at(second, layer, count), Interventions([patch])
    return answers(model, contrast.second, contrast.position, len(places), edit, start)


def estimate_states(model: Model, contrast: Contrast, kind: str = "hidden") -> PatchedStates:
    """The same by one backward pass: the change of a state times the gradient there.

        share ~ (first - second) . d(answer - instead)/d(state) / (high - low)

    Attribution patching: Nanda, "Attribution Patching: Activation Patching At Industrial Scale" (2023). It is
    exact where the answer is linear in the state, and may be far off below that. Raises TextError for an
    unknown kind.
    """
    own, site = local(model), _site(kind)
    first = record(own, contrast.first, [site])
    second = record(own, contrast.second, [site, "embedding"], contrast.noise)
    probes = [torch.zeros_like(second[site, layer]).requires_grad_() for layer in range(own.config.layers)]
    edit = Interventions([Intervention(site, layer, "add", probe) for layer, probe in enumerate(probes)])
    with torch.enable_grad():
        start = Start(0, second["embedding", 0])
        last = run(own, contrast.second, edit=edit, start=start).last[:, contrast.position]
        gradients = torch.autograd.grad(contrast.value(unembed(own, last)[0]), probes)
    moved = [first[site, layer] - second[site, layer] for layer in range(own.config.layers)]
    products = [(change * slope)[0].sum(-1) for change, slope in zip(moved, gradients, strict=True)]
    share = torch.stack(products).float().cpu() / (contrast.high - contrast.low)
    return PatchedStates(contrast, kind, share, estimated=True)


def _site(kind: str) -> str:
    if kind not in SITES:
        raise TextError(f"There is no kind of state “{kind}”.", f"Choose from: {', '.join(SITES)}.")
    return SITES[kind]
