"""A map of patched states that fills in from the last layer down, while the page shows what is there.

What is finished is kept for all visitors. A run belongs to its session: it goes on when the browser asks for
more, so a visitor who leaves ends the work.
"""

import itertools
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.server import caching

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.patching import Contrast, PatchedStates
    from explorer.models import LanguageModel

SLICE_S = 0.25  # of computing before what is there is drawn
MOST_KEPT = 48
SESSION_KEY = "why/run"

_numbers = itertools.count(1)
_finished: "OrderedDict[Any, PatchedStates]" = OrderedDict()
_lock = Lock()
caching.forget_with_texts(_finished)


class PatchRun:
    """One map: `estimate` at once, then the exact layers; the mean of several contrasts, such as seeds."""

    def __init__(self, model: "LanguageModel", request: Any, contrasts: "Sequence[Contrast]", kind: str):
        from explorer.analysis import patching

        self.model, self.request, self.contrasts, self.kind = model, request, contrasts, kind
        self.number = next(_numbers)
        self.layers: dict[int, Tensor] = {}
        self.total = model.config.layers
        estimates = [patching.estimate_states(model, one, kind).share for one in contrasts]
        self.estimate: Tensor = sum(estimates[1:], estimates[0]) / len(estimates)
        self._steps = self._exact()

    @property
    def count(self) -> int:
        """How many layers are exact."""
        return len(self.layers)

    @property
    def finished(self) -> bool:
        """Whether all layers are."""
        return len(self.layers) == int(self.total)

    def extend(self, seconds: float = SLICE_S) -> None:
        """Compute more layers, for a while."""
        until = time.monotonic() + seconds
        for layer, share in self._steps:
            self.layers[layer] = share
            if time.monotonic() > until:
                break
        if self.finished:
            with _lock:
                _finished[self.request] = self.result()
                while len(_finished) > MOST_KEPT:
                    _finished.popitem(last=False)

    def result(self) -> "PatchedStates":
        """The map as it is: exact where it has been computed."""
        import torch

        from explorer.analysis.patching import PatchedStates

        rows = [self.layers.get(layer, self.estimate[layer]) for layer in range(self.total)]
        return PatchedStates(self.contrasts[0], self.kind, torch.stack(rows), not self.finished)

    def _exact(self) -> "Iterator[tuple[int, Tensor]]":
        from explorer.analysis import patching

        every = [patching.patch_layers(self.model, one, self.kind) for one in self.contrasts]
        for layers in zip(*every, strict=True):
            shares = [share for _, share in layers]
            yield layers[0][0], sum(shares[1:], shares[0]) / len(shares)


def current(
    model: "LanguageModel", contrasts: "Sequence[Contrast]", kind: str
) -> "tuple[PatchedStates, PatchRun | None]":
    """The map for some contrasts, and the run that is still computing it, if one is."""
    request = (str(model.checkpoint), kind, *(id_of(one) for one in contrasts))
    with _lock:
        patched = _finished.get(request)
    if patched is not None:
        st.session_state.pop(SESSION_KEY, None)
        return patched, None
    run: PatchRun | None = st.session_state.get(SESSION_KEY)
    if run is None or run.request != request:
        run = st.session_state[SESSION_KEY] = PatchRun(model, request, contrasts, kind)
    return run.result(), run


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
