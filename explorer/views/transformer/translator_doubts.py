"""Translator: warnings that a translation may be wrong."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.views.widgets.quoted import quoted

if TYPE_CHECKING:
    from explorer.analysis.translation import Doubt


def warnings(doubts: "Sequence[Doubt]") -> list[str]:
    """The warnings as lines of HTML."""
    lines = []
    for doubt in doubts:
        if doubt.kind == "long":
            lines.append(f"{doubt.tokens} tokens: longer than what this translator has learnt to handle.")
        elif doubt.kind == "rare":
            words = ", ".join(f"“{quoted(word)}”" for word in doubt.words)
            lines.append(f"Seen fewer than five times in training: {words}.")
        else:
            lines.append(
                f"It is unsure: {doubt.score:.2f} nats per token".replace("-", "−")
                + ", lower than 95% of the sentences kept aside."
            )
    return lines
