"""A discriminator's verdicts as the component draws them under each token, and in a few sentences."""

from typing import Any

from explorer.views.types import Detection, Replacement

FULL_MASKED, FULL_DETECTION = 12.0, 3.0  # nats of a full bar
READS = "The discriminator reads"
VERDICT = {"name": "“replaced”", "scale": "0 to 100%, line: 50%", "middle": True}
LOSSES = (
    {"name": "Loss, masked words", "scale": f"0 to {FULL_MASKED:.0f} nats"},
    {"name": "Loss, replaced or not", "scale": f"0 to {FULL_DETECTION:.0f} nats"},
)


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
        masked = {"share": replacement.loss / FULL_MASKED, "number": f"{replacement.loss:.1f}"}
    return [verdict(probability), masked, {"share": loss / FULL_DETECTION, "number": f"{loss:.2f}"}]


def verdict(probability: float) -> dict[str, Any]:
    """The probability of “replaced” as a bar."""
    return {"share": probability, "number": f"{probability:.0%}"}


def summary(replacements: "list[Replacement]", detection: "Detection", suspects: list[int]) -> list[str]:
    """How many replacements the class and the discriminator found, and the losses of both objectives."""
    replaced = {at for at, is_replaced in enumerate(detection.replaced.tolist()) if is_replaced}
    detected = {at for at, is_suspected in enumerate(detection.suspected.tolist()) if is_suspected}
    total = int((~detection.encoding.special).sum())
    unchanged = len(replacements) - len(replaced)
    note = f" ({unchanged} drawn unchanged: original)" if unchanged else ""
    sentences = [f"{len(replaced)} replaced{note}."]
    if suspects:
        sentences.append(score("You", set(suspects), replaced))
    sentences.append(score("The discriminator", detected, replaced))
    masked_loss = sum(replacement.loss for replacement in replacements)
    detection_loss = float(detection.losses.sum())
    losses = (
        f"Masked words: a loss at {len(replacements)} of {total} tokens, {masked_loss:.1f} nats together. "
        f"Replaced or not: a loss at all {total}, {detection_loss:.1f} nats; "
        "in training it weighs 50 times as much."
    )
    return [" ".join(sentences), losses]


def score(who: str, suspects: set[int], replaced: set[int]) -> str:
    """How many replaced words somebody found, and how many others were suspected."""
    false_alarms = len(suspects - replaced)
    others = f", and wrongly suspected {false_alarms}" if false_alarms else ""
    return f"{who} found {len(suspects & replaced)} of {len(replaced)}{others}."


def _tip(detection: "Detection", position: int, original: str, replacement: "Replacement | None") -> str:
    lines = [
        f"probability of “replaced”: {float(detection.probabilities[position]):.6g}; "
        f"loss {float(detection.losses[position]):.4f} nats"
    ]
    if replacement is not None:
        unchanged = replacement.id == int(detection.encoding.ids[position])
        was = "drawn as it was, so it counts as original" if unchanged else f"was {original}"
        lines.append(
            f"hidden from the generator, {was}; it gave the drawn token {replacement.probability:.3g}, "
            f"the original {replacement.original:.3g}: loss {replacement.loss:.4f} nats"
        )
    return "\n".join(lines)
