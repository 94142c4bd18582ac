"""What stands under each token that a discriminator has judged, and the lines that sum it up."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.analysis.prediction.replacing import Detection, Replacement

FULL_MASKED, FULL_JUDGED = 12.0, 3.0  # nats of a full bar
READS = "The discriminator reads"
VERDICT = {"name": "“replaced”", "scale": "0 to 100%, line: 50%", "middle": True}
LEARNT = (
    {"name": "Loss, masked words", "scale": f"0 to {FULL_MASKED:.0f} nats"},
    {"name": "Loss, replaced or not", "scale": f"0 to {FULL_JUDGED:.0f} nats"},
)


def word(
    judged: "Detection", position: int, text: str, drawn: "Replacement | None", shown: bool
) -> dict[str, Any]:
    """A token as the component draws it; before the reveal it tells nothing."""
    replaced = bool(judged.replaced[position])
    original = judged.encoding.tokens[position]
    return {
        "at": position,
        "text": text,
        "replaced": shown and replaced,
        "selected": False,
        "suspected": False,
        "was": original if shown and replaced and drawn is not None else "",
        "tip": _tip(judged, position, original, drawn) if shown else "",
        "bars": bars(judged, position, drawn) if shown else [],
    }


def bars(judged: "Detection", position: int, drawn: "Replacement | None") -> list[dict[str, Any] | None]:
    """The verdict, the loss of the masked-word objective where there is one, the discriminator's loss."""
    probability, loss = float(judged.probabilities[position]), float(judged.losses[position])
    masked = {"share": drawn.loss / FULL_MASKED, "number": f"{drawn.loss:.1f}"} if drawn else None
    return [verdict(probability), masked, {"share": loss / FULL_JUDGED, "number": f"{loss:.2f}"}]


def verdict(probability: float) -> dict[str, Any]:
    """The probability of “replaced” as a bar."""
    return {"share": probability, "number": f"{probability:.0%}"}


def said(drawn: "list[Replacement]", judged: "Detection", guessed: list[int]) -> list[str]:
    """Who found how many, and at how many tokens each objective learns something."""
    true = {at for at, replaced in enumerate(judged.replaced.tolist()) if replaced}
    suspected = {at for at, one in enumerate(judged.suspected.tolist()) if one}
    may = int((~judged.encoding.special).sum())
    same = len(drawn) - len(true)
    again = f" ({same} drawn unchanged: original)" if same else ""
    found = [f"{len(true)} replaced{again}."]
    if guessed:
        found.append(_found("You", set(guessed), true))
    found.append(_found("The discriminator", suspected, true))
    masked = sum(one.loss for one in drawn)
    judgement = float(judged.losses.sum())
    learnt = (
        f"Masked words: a loss at {len(drawn)} of {may} tokens, {masked:.1f} nats together. "
        f"Replaced or not: a loss at all {may}, {judgement:.1f} nats; in training it weighs 50 times as much."
    )
    return [" ".join(found), learnt]


def _found(who: str, named: set[int], true: set[int]) -> str:
    wrong = len(named - true)
    return f"{who} found {len(named & true)} of {len(true)}, and wrongly suspected {wrong}."


def _tip(judged: "Detection", position: int, original: str, drawn: "Replacement | None") -> str:
    lines = [
        f"probability of “replaced”: {float(judged.probabilities[position]):.6g}; "
        f"loss {float(judged.losses[position]):.4f} nats"
    ]
    if drawn is not None:
        same = drawn.id == int(judged.encoding.ids[position])
        was = "drawn as it was, so it counts as original" if same else f"was {original}"
        lines.append(
            f"hidden from the generator, {was}; it gave the drawn token {drawn.probability:.3g}, "
            f"the original {drawn.original:.3g}: loss {drawn.loss:.4f} nats"
        )
    return "\n".join(lines)
