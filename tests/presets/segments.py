"""What the presets of “In segments” promise."""

from functools import cache
from itertools import pairwise

from explorer.analysis.reach.segments import reach, read_in_segments
from explorer.views.transformer.segments import FIRST_TOKENS
from tests.shared_models import model


@cache
def bits(text: str, segment: int, memory: int = 0, positions: str = "continued", first: int = FIRST_TOKENS):
    return read_in_segments(model("gpt"), text, segment, memory, positions, first)


def behind_cuts(text: str, segment: int, memory: int) -> float:
    """What the first tokens after the cuts cost more than in the uncut text, in bits on average."""
    cut, whole = bits(text, segment, memory), bits(text, 999, first=0)
    return float((cut.bits - whole.bits)[cut.cuts].mean())


def is_forgotten(text: str, segment: int) -> bool:
    return behind_cuts(text, segment, 0) > 0


def is_remembered(text: str, segment: int, memory: int) -> bool:
    return behind_cuts(text, segment, memory) < behind_cuts(text, segment, 0) / 2


def costs_more_without_the_first(text: str, segment: int, memory: int) -> bool:
    """Than with the first tokens, and than without any memory."""
    with_first, without = (bits(text, segment, memory, first=n).bits.mean() for n in (FIRST_TOKENS, 0))
    return bool(without > max(with_first, bits(text, segment).bits.mean()))


def costs_more_from_zero(text: str, segment: int, memory: int) -> bool:
    going_on, from_zero = (bits(text, segment, memory, one).bits.mean() for one in ("continued", "restarted"))
    return bool(from_zero > going_on)


def reaches_a_memory_further_in_each_layer(memory: int) -> bool:
    counts = reach(6, 400, 16, memory).sum(1).tolist()[::-1]
    return [after - before for before, after in pairwise(counts[1:])] == [memory] * 5
