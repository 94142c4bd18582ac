"""A discriminator's verdicts as the component draws them under each token, and in a few sentences."""

from collections.abc import Sequence
from typing import Any

from explorer.locale import N_, _, localised, ngettext, translate
from explorer.views.types import Detection, Replacement
from explorer.views.widgets.numbers import whole_percent

FULL_MASKED, FULL_DETECTION = 12.0, 3.0  # nats of a full bar
READS = N_("The discriminator reads")
VERDICT = {"name": N_("“replaced”"), "scale": N_("0 to 100%, line: 50%"), "middle": True}
LOSSES = {N_("Loss, masked words"): FULL_MASKED, N_("Loss, replaced or not"): FULL_DETECTION}
# Who found how many: without and with others that were suspected.
YOU = N_("You found {found} of {count}."), N_("You found {found} of {count}, and wrongly suspected {others}.")
DISCRIMINATOR = (
    N_("The discriminator found {found} of {count}."),
    N_("The discriminator found {found} of {count}, and wrongly suspected {others}."),
)


def scales() -> list[dict[str, Any]]:
    """The labels of the rows of bars."""
    losses = [
        {"name": _(name), "scale": _("0 to {most} nats", most=f"{most:.0f}")} for name, most in LOSSES.items()
    ]
    return [translate(VERDICT), *losses]


def word_data(
    detection: "Detection", position: int, text: str, replacement: "Replacement | None", revealed: bool
) -> dict[str, Any]:
    """A token as the component draws it; its verdict and its original are left out before the reveal."""
    replaced = bool(detection.replaced[position])
    original = detection.encoding.tokens[position]
    return {
        "at": position,
        "text": text,
        "replaced": revealed and replaced,
        "selected": False,
        "suspected": False,
        "was": original if revealed and replaced and replacement is not None else "",
        "tip": _tip(detection, position, original, replacement) if revealed else "",
        "bars": bars(detection, position, replacement) if revealed else [],
    }


def bars(
    detection: "Detection", position: int, replacement: "Replacement | None"
) -> list[dict[str, Any] | None]:
    """A token's bars: the verdict, the masked-word loss (None if it was not hidden), the detection loss."""
    probability, loss = float(detection.probabilities[position]), float(detection.losses[position])
    masked = None
    if replacement:
        masked = {"share": replacement.loss / FULL_MASKED, "number": localised(f"{replacement.loss:.1f}")}
    return [
        verdict(probability),
        masked,
        {"share": loss / FULL_DETECTION, "number": localised(f"{loss:.2f}")},
    ]


def verdict(probability: float) -> dict[str, Any]:
    """The probability of “replaced” as a bar."""
    return {"share": probability, "number": whole_percent(probability)}


def summary(replacements: "list[Replacement]", detection: "Detection", suspects: list[int]) -> list[str]:
    """How many replacements the class and the discriminator found, and the losses of both objectives."""
    replaced = {at for at, is_replaced in enumerate(detection.replaced.tolist()) if is_replaced}
    detected = {at for at, is_suspected in enumerate(detection.suspected.tolist()) if is_suspected}
    total = int((~detection.encoding.special).sum())
    unchanged = len(replacements) - len(replaced)
    sentences = [ngettext("{count} replaced.", "{count} replaced.", len(replaced))]
    if unchanged:
        sentences = [
            ngettext(
                "{count} replaced ({unchanged} drawn unchanged: original).",
                "{count} replaced ({unchanged} drawn unchanged: original).",
                len(replaced),
                unchanged=unchanged,
            )
        ]
    if suspects:
        sentences.append(score(YOU, set(suspects), replaced))
    sentences.append(score(DISCRIMINATOR, detected, replaced))
    masked_loss = sum(replacement.loss for replacement in replacements)
    detection_loss = float(detection.losses.sum())
    losses = _(
        "Masked words: a loss at {count} of {total} tokens, {masked} nats together. "
        "Replaced or not: a loss at all {total}, {detection} nats; "
        "in training it weighs 50 times as much.",
        count=len(replacements),
        total=total,
        masked=localised(f"{masked_loss:.1f}"),
        detection=localised(f"{detection_loss:.1f}"),
    )
    return [" ".join(sentences), losses]


def score(who: Sequence[str], suspects: set[int], replaced: set[int]) -> str:
    """How many replaced words somebody found, and how many others were suspected."""
    others = len(suspects - replaced)
    return _(who[others > 0], found=len(suspects & replaced), count=len(replaced), others=others)


def _tip(detection: "Detection", position: int, original: str, replacement: "Replacement | None") -> str:
    lines = [
        _(
            "probability of “replaced”: {probability}; loss {loss} nats",
            probability=localised(f"{float(detection.probabilities[position]):.6g}"),
            loss=localised(f"{float(detection.losses[position]):.4f}"),
        )
    ]
    if replacement is not None:
        unchanged = replacement.id == int(detection.encoding.ids[position])
        text = N_(
            "hidden from the generator, was {word}; it gave the drawn token {drawn}, "
            "the original {other}: loss {loss} nats"
        )
        if unchanged:
            text = N_(
                "hidden from the generator, drawn as it was, so it counts as original; "
                "it gave the drawn token {drawn}, the original {other}: loss {loss} nats"
            )
        numbers = {
            "drawn": localised(f"{replacement.probability:.3g}"),
            "other": localised(f"{replacement.original:.3g}"),
        }
        lines.append(_(text, word=original, loss=localised(f"{replacement.loss:.4f}"), **numbers))
    return "\n".join(lines)
