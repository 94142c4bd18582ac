"""A model's memory on this computer, and the time that a short sentence takes."""

import time
from typing import TYPE_CHECKING

from explorer.server import memory
from explorer.server.kept import kept

if TYPE_CHECKING:
    from explorer.models import LanguageModel

SENTENCE = "We sat on the bank of the river and watched the boats."  # twelve words
RUNS = 3


@kept(64, of="models")
def cost(name: str) -> str:
    """The cost of a model in memory as a sentence for its card, measured once for all visitors."""
    return measure(memory.get(name))


def measure(model: "LanguageModel") -> str:
    """The parameters and bytes of a model, and the shortest time of its trace of twelve words."""
    from explorer.errors import ExplorerError

    try:
        time_taken = f". A sentence of 12 words takes {min(_timed(model) for _ in range(RUNS)):.2g} s here"
    except ExplorerError:  # word vectors of another language know none of the words
        time_taken = ""
    count = getattr(model.config, "layers", None)
    layers = f" in {count} layers" if count else ""
    if not model.parameters:  # a model on a server
        return f"The parameters{layers} are on another machine{time_taken}."
    return f"{model.parameters:,} parameters{layers} take {model.nbytes / 1e6:.4g} MB of memory{time_taken}."


def _timed(model: "LanguageModel") -> float:
    start = time.perf_counter()
    model.trace(SENTENCE)
    return time.perf_counter() - start
