"""In segments: with nine siblings of a preset's text, its point holds for seven of ten."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from explorer.analysis.reach.segments import reach, read_in_segments
from explorer.views.transformer import segments_texts
from explorer.views.transformer.segments import FIRST_TOKENS
from tests.shared_models import model
from tests.siblings import seven_of_ten
from tests.views.opening import defaults

HERE = Path(__file__).parent
PASSAGES = [segments_texts.FLOOD, *(HERE / "passages.txt").read_text(encoding="utf-8").splitlines()]


@cache
def bits(text: str, preset: int):
    """A text's bits as one of the presets reads it."""
    values = defaults("transformer") | segments_texts.PRESETS[preset].values
    first = FIRST_TOKENS if values["xl_first"] else 0
    sizes = values["xl_segment"], values["xl_memory"], values["xl_positions"], first
    return read_in_segments(model("gpt"), text, *sizes)


@cache
def uncut(text: str):
    """The same text as a whole."""
    return read_in_segments(model("gpt"), text, 999, 0)


def behind_cuts(text: str, preset: int) -> float:
    """What the first tokens after the cuts cost more than in the uncut text, in bits on average."""
    found, whole = bits(text, preset), uncut(text)
    return float((found.bits - whole.bits)[found.cuts].mean())


def forgotten(text: str) -> bool:
    return behind_cuts(text, 0) > 0


def remembered(text: str) -> bool:
    return behind_cuts(text, 1) < behind_cuts(text, 0) / 2


def without_the_first(text: str) -> bool:
    return bool(bits(text, 2).bits.mean() > bits(text, 1).bits.mean())


def from_zero(text: str) -> bool:
    return bool(bits(text, 3).bits.mean() > bits(text, 1).bits.mean())


@pytest.mark.parametrize("point", [forgotten, remembered, without_the_first, from_zero])
def test_segments(point):
    seven_of_ten(point, PASSAGES)


def test_layer_by_layer():
    memory = segments_texts.PRESETS[4].values["xl_memory"]
    counts = reach(6, 400, 16, memory).sum(1).tolist()[::-1]
    assert [after - before for before, after in pairwise(counts[1:])] == [memory] * 5
