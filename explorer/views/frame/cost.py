"""A model's memory on this computer, and the time that a short sentence takes."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import memory

if TYPE_CHECKING:
    from explorer.models import LanguageModel

SENTENCE = "We sat on the bank of the river and watched the boats."  # twelve words
RUNS = 3


@dataclass(frozen=True)
class Cost:
    """The parameters, their bytes, the layers, and the shortest time for a sentence that it can read."""

    parameters: int
    bytes: int
    layers: int | None
    seconds: float | None


@st.cache_resource(max_entries=64, show_spinner=False)
def cost(name: str) -> Cost:
    """The cost of a model in memory, measured once for all visitors."""
    return measure(memory.get(name))


def measure(model: "LanguageModel") -> Cost:
    """Count a model's parameters, and time its trace of a sentence of twelve words."""
    from explorer.errors import ExplorerError

    try:
        seconds = min(_timed(model) for _ in range(RUNS))
    except ExplorerError:  # word vectors of another language know none of the words
        seconds = None
    return Cost(model.parameters, model.nbytes, getattr(model.config, "layers", None), seconds)


def sentence(cost: Cost) -> str:
    """A cost in a sentence, for a model's card.

    >>> sentence(Cost(124_697_433, 498_789_732, 12, 0.1483))
    '124,697,433 parameters in 12 layers take 498.8 MB of memory; a sentence of 12 words takes 0.15 s here.'
    """
    layers = f" in {cost.layers} layers" if cost.layers else ""
    took = "" if cost.seconds is None else f"; a sentence of 12 words takes {cost.seconds:.2g} s here"
    if not cost.parameters:  # a model on a server
        return f"The parameters{layers} are on another machine{took}."
    return f"{cost.parameters:,} parameters{layers} take {cost.bytes / 1e6:.4g} MB of memory{took}."


def _timed(model: "LanguageModel") -> float:
    start = time.perf_counter()
    model.trace(SENTENCE)
    return time.perf_counter() - start
