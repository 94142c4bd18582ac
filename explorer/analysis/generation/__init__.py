"""Text from left to right, and what a model might have written instead.

steps         Sampling, generate: token by token, with every candidate
beam          the most probable text that a few hypotheses at a time can find
contrastive   a probable token that is unlike the text so far
tree          one prompt, and every branch that was taken from it
repetition    how much a text repeats itself
writing       what all ways of writing on have in common
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
    """Import what writes when it is first asked for: counting repeats needs no torch."""
    if name in __all__:
        from explorer.analysis.generation import steps

        return getattr(steps, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
