"""Text generation from left to right, with the alternatives at each step.

steps                Sampling, generate: token by token, with the candidates of each step
beam                 beam search
contrastive          contrastive search
caching              what the key/value cache saves
ngrams               a model made by counting words, to compare
tree                 a prompt with all branches that were taken from it
repetition           how much a text repeats itself
writing              what all decoders have in common
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.analysis.generation.steps import (
        Choice,
        Ending,
        Generation,
        Sampling,
        Step,
        chances,
        generate,
    )

__all__ = ["Choice", "Ending", "Generation", "Sampling", "Step", "chances", "generate"]


def __getattr__(name: str) -> Any:
    """Import `steps` when it is first needed: counting repetitions needs no torch."""
    if name in __all__:
        from explorer.analysis.generation import steps

        return getattr(steps, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
