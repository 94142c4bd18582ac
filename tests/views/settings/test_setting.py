"""What a setting takes from outside: its type, its bounds, its length, and no half characters."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.views.settings.setting import DEEPEST, LARGEST, LONGEST, MOST_PARTS, Setting

HALF = "\ud83d"
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=30),
    lambda inside: st.lists(inside, max_size=5) | st.dictionaries(st.text(max_size=5), inside, max_size=5),
)
WORD, NUMBER = Setting("word", "bank", most=5), Setting("number", 3, least=0, most=9)
SETTINGS = [WORD, NUMBER, *(Setting("name", value) for value in ("", 3, 0.5, True, None, [], [[3, 6]], {}))]
SETTINGS.append(Setting("selected", ["from", 1, "it"], optional=True))


def setting(default):
    return default if isinstance(default, Setting) else Setting("name", default)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: repr(one.default))
@given(value=ANYTHING)
def test_whatever_comes_in_is_of_the_settings_type_and_can_be_written(setting, value):
    accepted = setting.accept(value)
    if setting.default is not None and not (setting.optional and accepted is None):
        assert isinstance(accepted, type(setting.default))
    json.dumps(accepted, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("value", "default"),
    [
        (10**400, 3), (10**400, 0.5), (-(10**400), None), (math.nan, 0.5), (math.inf, 0.5),
        ([math.nan], []), ([True, False], None), ([[True, False]], [[3, 6]]), (True, 3), (1, True),
        (LARGEST + 1, 3), (-1, Setting("number", 3, least=0)), (10, NUMBER), ("7", 3), (7, ""),
        (["a" * (LONGEST + 1)], []), ([0] * (MOST_PARTS + 1), []),
        ({"a": {"b": [[1] * MOST_PARTS, [1]]}}, {}),
        (json.loads("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)), []), (b"bytes", None),
    ],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
def test_what_does_not_fit_gives_way_to_the_default(value, default):
    assert setting(default).accept(value) == setting(default).default


@pytest.mark.parametrize(
    ("value", "default", "accepted"),
    [
        ("bank", "", "bank"), (7, 3, 7), (9, NUMBER, 9), (1, 0.5, 1.0), ([3, 6], None, [3, 6]),
        ([[1, 2], [3, None]], [], [[1, 2], [3, None]]), ({"mix": [1, 2]}, {}, {"mix": [1, 2]}),
        (f"a{HALF}b", "", "a�b"), ([f"a{HALF}"], [], ["a�"]), ({HALF: [HALF]}, {}, {"�": ["�"]}),
    ],
)  # fmt: skip
def test_what_fits_is_taken(value, default, accepted):
    answer = setting(default).accept(value)
    assert answer == accepted and type(answer) is type(accepted)


def test_a_text_is_cut_to_the_length_that_its_setting_takes():
    text = Setting("text", "")
    assert WORD.accept("rivers") == "river" and WORD.is_too_long("rivers")
    assert len(text.accept("a" * 10**6)) == LONGEST and text.is_too_long("a" * 10**6)
    assert not WORD.is_too_long("river") and not text.is_too_long(None)
