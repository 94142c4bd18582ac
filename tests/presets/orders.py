"""What the presets of “Positions” and “Masks” promise."""

from functools import cache

from explorer.analysis.positions import shuffling
from explorer.analysis.visibility import masks
from tests.shared_models import model


def moved(name: str, one: str, other: str, positions: bool):
    order = shuffling.order_of(shuffling.split(one), shuffling.split(other))
    return shuffling.moved(model(name), model(name).encode(one), order, positions)


def is_blind_without_positions(one: str, other: str) -> bool:
    """Without positions BERT makes the same of both orders; with them every word moves."""
    without, with_ = (moved("bert", one, other, positions) for positions in (False, True))
    return without.most < 1e-5 and float(with_.cosines[-1].min()) > 1e-4


def is_not_blind(one: str, other: str) -> bool:
    """GPT's words move without positions too, from the first that is another on."""
    cosines = moved("gpt", one, other, False).cosines[-1]
    first = next(
        i
        for i, (a, b) in enumerate(zip(shuffling.split(one), shuffling.split(other)))
        if a.lower() != b.lower()
    )
    return float(cosines[first:].min()) > 0.01


@cache
def under(text: str, pair: str | None = None):
    return masks.compare(model("bert"), text, pair)


def falls_from_the_left(text: str) -> bool:
    """What BERT expects first becomes less probable where it may not read what follows."""
    both, left, _ = under(text)
    first = int(both.probabilities.argmax())
    return float(left.probabilities[first]) < float(both.probabilities[first])


def is_nearer_with_a_prefix(text: str, pair: str) -> bool:
    _, left, prefix = under(text, pair)
    return prefix.moved < left.moved
