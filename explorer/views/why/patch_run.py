"""A map of patched states or heads that fills in from the last layer down, while what is there is shown.

What is finished is kept for all visitors. A run belongs to its session: it goes on when the browser asks for
more, so a visitor who leaves ends the work.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from explorer import analysis
from explorer.server import growing
from explorer.server.growing import Growing
from explorer.views import kit
from explorer.views.types import Contrast, LanguageModel, PatchedHeads, PatchedStates, Tensor

SLICE_S = 0.25  # of computing before what is there is drawn
MOST_KEPT = 48
RUN = kit.Session["PatchRun | None"]("why/run", None)

_finished: "kit.Kept[Tensor]" = kit.Kept(MOST_KEPT)


class PatchRun(Growing["tuple[int, Tensor]"]):
    """One map, [layer, column]: `estimate` at once (nan where there is none), then the exact `layers`."""

    def __init__(self, request: Any, estimate: "Tensor", layers: "Iterator[tuple[int, Tensor]]"):
        super().__init__(request, layers, SLICE_S, len(estimate))
        self.estimate = estimate

    @property
    def layers(self) -> "dict[int, Tensor]":
        """The exact layers so far."""
        return dict(self.done)

    def extend(self, seconds: float | None = None) -> None:
        """Compute more layers, for a while."""
        super().extend(seconds)
        if self.finished:
            _finished.put(self.request, self.share())

    def share(self) -> "Tensor":
        """The map as it is: exact where it has been computed."""
        import torch

        layers = self.layers
        return torch.stack([layers.get(at, row) for at, row in enumerate(self.estimate)])


def current(request: Any, begin: Callable[[], PatchRun]) -> "tuple[Tensor, PatchRun | None]":
    """The map of a request, and the run that is still computing it, if one is."""
    share = _finished.look_up(request)
    if share is not None:
        RUN.take()
        return share, None
    run = growing.current(RUN, request, begin)
    return run.share(), run


def states(
    model: "LanguageModel", contrasts: "Sequence[Contrast]", kind: str
) -> "tuple[PatchedStates, PatchRun | None]":
    """The states of a kind, the mean of several contrasts, and the run that is still computing them."""

    def begin() -> PatchRun:
        estimates = [analysis.patching.estimate_states(model, one, kind).share for one in contrasts]
        return PatchRun(request, _mean(estimates), exact())

    def exact() -> "Iterator[tuple[int, Tensor]]":
        every = [analysis.patching.patch_layers(model, one, kind) for one in contrasts]
        for layers in zip(*every, strict=True):
            yield layers[0][0], _mean([share for _, share in layers])

    request = (str(model.checkpoint), kind, *(id_of(one) for one in contrasts))
    share, run = current(request, begin)
    estimated = run is not None and not run.finished
    return analysis.patching.PatchedStates(contrasts[0], kind, share, estimated), run


def heads(model: "LanguageModel", pair: "Contrast", place: int) -> "tuple[PatchedHeads, PatchRun | None]":
    """All heads and MLPs at a position, nan where they are not known yet, and the run that computes them."""
    import torch

    def begin() -> PatchRun:
        unknown = torch.full((model.config.layers, model.config.heads + 1), torch.nan)
        return PatchRun(request, unknown, analysis.patching.patch_heads_of_layers(model, pair, place))

    request = (str(model.checkpoint), "heads", place, id_of(pair))
    share, run = current(request, begin)
    return analysis.patching.PatchedHeads(pair, place, share[:, :-1], share[:, -1]), run


def progress_data(run: PatchRun | None, layers: int) -> dict[str, Any]:
    """What a component draws of a run: which layers are exact, and what it has to ask for more with."""
    exact = range(layers) if run is None else run.layers
    asked = run.asked if run else {"run": 0, "count": 0}
    return {"exact": sorted(exact), "total": layers, **asked}


def continued(run: Growing[Any] | None, key: str) -> Callable[[], None]:
    """The callback for a component that asks for more."""

    def more() -> None:
        if run is not None and kit.component_value(key, "more", run.asked):
            run.extend()

    return more


def id_of(contrast: "Contrast") -> tuple[Any, ...]:
    """What tells one contrast from another."""
    noise = None if contrast.noise is None else float(contrast.noise.double().sum())
    return (
        tuple(contrast.first.ids.tolist()),
        tuple(contrast.second.ids.tolist()),
        contrast.answer,
        contrast.instead,
        contrast.measure,
        noise,
    )


def _mean(shares: "Sequence[Tensor]") -> "Tensor":
    return sum(shares[1:], shares[0]) / len(shares)
