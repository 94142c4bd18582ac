"""Translator: what speaks against trusting a translation, in words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.views.widgets.quoted import quoted

if TYPE_CHECKING:
    from explorer.analysis.translation import Doubt


def doubted(found: "Sequence[Doubt]") -> list[str]:
    """The signs as lines of HTML."""
    said = []
    for doubt in found:
        if doubt.kind == "long":
            said.append(f"{doubt.tokens} tokens: longer than what this translator has learnt to handle.")
        elif doubt.kind == "rare":
            words = ", ".join(f"“{quoted(word)}”" for word in doubt.words)
            said.append(f"Seen fewer than five times in training: {words}.")
        else:
            said.append(
                f"It is unsure: {doubt.score:.2f} nats per token".replace("-", "−")
                + ", lower than 95% of the sentences kept aside."
            )
    return said
