"""A round of “Real or replaced?”: what the generator draws, and what the discriminator says of each token."""

from collections.abc import Sequence
from typing import Any

from explorer.views import kit
from explorer.views.types import Detection, Encoding, LanguageModel, Replacement


def real_or_replaced(
    generator: "LanguageModel",
    discriminator: "LanguageModel",
    text: str,
    limit: int,
    seed: int,
) -> list[tuple[str, bool, float, float]]:
    """Each token that the discriminator reads: whether it was replaced, P(replaced), and the loss in nats.

    The generator fills 15% of the positions, chosen at random.
    """
    from explorer.analysis.prediction import replacing

    encoding = discriminator.encode(text, limit=limit)
    hidden = replacing.hidden_places(encoding, seed)
    replacements = replacing.fill(generator, encoding, hidden, seed)
    detection = replacing.judge(discriminator, encoding, replacements)
    tokens = [discriminator.tokenizer.token(id) for id in detection.ids.tolist()]
    return list(
        zip(
            tokens,
            detection.replaced.tolist(),
            detection.probabilities.tolist(),
            detection.losses.tolist(),
            strict=True,
        )
    )


@kit.kept(64)
def round_of(
    generator: "LanguageModel",
    discriminator: "LanguageModel",
    text: str,
    seed: int,
) -> "tuple[list[Replacement], Detection]":
    """The generator's replacements and the discriminator's verdicts, cached for all visitors.

    15% of the tokens are hidden, chosen at random.
    """
    from explorer.analysis.prediction import replacing

    encoding = discriminator.encode(text, limit=kit.LIVE_TOKENS)
    hidden = replacing.hidden_places(encoding, seed)
    replacements = replacing.fill(generator, encoding, hidden, seed)
    return replacements, replacing.judge(discriminator, encoding, replacements)


def positions(marked: Sequence[Any], encoding: "Encoding") -> list[int]:
    """The positions in a setting that are ordinary tokens of this text, in order, each once."""
    valid = {at for at in marked if isinstance(at, int) and 0 <= at < len(encoding)}
    return sorted(at for at in valid if not encoding.special[at])


def verdict_table(replacements: "list[Replacement]", detection: "Detection") -> str:
    """Every token with its verdict and both losses, as a table to save."""
    losses = {replacement.position: replacement.loss for replacement in replacements}
    return kit.table(
        [
            "position",
            "original",
            "replaced",
            "probability_replaced",
            "loss_replaced_nats",
            "loss_masked_nats",
        ],
        [
            [
                position,
                token,
                bool(detection.replaced[position]),
                float(detection.probabilities[position]),
                float(detection.losses[position]),
                losses.get(position, ""),
            ]
            for position, token in enumerate(detection.encoding.tokens)
            if not detection.encoding.special[position]
        ],
    )
