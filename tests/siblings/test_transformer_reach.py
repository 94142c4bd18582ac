"""In segments, and how far back: with nine siblings of a preset's text, its point holds for seven of ten."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from explorer.analysis.reach.how_far import how_far_back

from explorer.analysis.reach.segments import reach, read_in_segments
from explorer.views.transformer import how_far_presets, segments_texts
from explorer.views.transformer.segments import FIRST_TOKENS
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

HERE = Path(__file__).parent
PASSAGES = [segments_texts.FLOOD, *(HERE / "passages.txt").read_text(encoding="utf-8").splitlines()]
FAR = siblings("far")
TWINS = how_far_presets.TWINS


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


def moved(text: str, watched: int | None = None):
    return how_far_back({name: model(name) for name in ("elmo", "gpt")}, text, watched)


def nearer_is_farther(text: str) -> bool:
    found = moved(text)
    near, far = (
        [found.relative(name)[part] for name in ("elmo", "gpt")] for part in (slice(1, 4), slice(4, None))
    )
    return all(bool(a.nanmean() > b.nanmean()) for a, b in zip(near, far, strict=True))


def what_followed(text: str, word: str) -> bool:
    """At a word's second place, a change after its first place moves GPT farther than one of it."""
    tokens = [token.lower() for token in model("elmo").encode(text).tokens[1:-1]]
    first, second = (place for place, token in enumerate(tokens) if token == word)
    curve = moved(text, second).relative("gpt")
    return bool(curve[second - first - 1] > curve[second - first])


def test_the_words_just_before():
    seven_of_ten(nearer_is_farther, [how_far_presets.WALK, *FAR["the words just before"]])


def test_what_came_after_it():
    assert model("elmo").encode(TWINS).tokens[how_far_presets.SECOND_BOAT] == "boat"
    seven_of_ten(what_followed, [[TWINS, "boat"], *FAR["what came after it"]])
