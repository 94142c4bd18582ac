"""What a setting takes from outside: its type, its bounds, its length, and no half characters."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.views.frame.values import (
    DEEPEST,
    LARGEST,
    LONGEST,
    MOST_PARTS,
    Text,
    Whole,
    fitted,
    plain,
    too_long,
)

HALF = "\ud83d"
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=30),
    lambda inside: st.lists(inside, max_size=5) | st.dictionaries(st.text(max_size=5), inside, max_size=5),
)
DEFAULTS = ["", Text("bank", 5), 3, Whole(3, 0, 9), 0.5, True, None, [], [[3, 6]], {}]


@pytest.mark.parametrize("default", DEFAULTS, ids=repr)
@given(value=ANYTHING)
def test_whatever_comes_in_is_of_the_settings_type_and_can_be_written(default, value):
    taken = fitted(value, default)
    if default is not None:
        assert isinstance(taken, type(plain(default)))
    json.dumps(taken, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("value", "default"),
    [
        (10**400, 3),
        (10**400, 0.5),
        (-(10**400), None),
        (math.nan, 0.5),
        (math.inf, 0.5),
        ([math.nan], []),
        ([True, False], None),
        ([[True, False]], [[3, 6]]),
        (True, 3),
        (1, True),
        (LARGEST + 1, 3),
        (-1, Whole(3)),
        (10, Whole(3, 0, 9)),
        ("7", 3),
        (7, ""),
        (["a" * (LONGEST + 1)], []),
        ([0] * (MOST_PARTS + 1), []),
        ({"a": {"b": [[1] * MOST_PARTS, [1]]}}, {}),
        (json.loads("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)), []),
        (b"bytes", None),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_does_not_fit_gives_way_to_the_default(value, default):
    assert fitted(value, default) == default


@pytest.mark.parametrize(
    ("value", "default", "taken"),
    [
        ("bank", "", "bank"),
        (7, 3, 7),
        (9, Whole(3, 0, 9), 9),
        (1, 0.5, 1.0),
        ([3, 6], None, [3, 6]),
        ([[1, 2], [3, None]], [], [[1, 2], [3, None]]),
        ({"mix": [1, 2]}, {}, {"mix": [1, 2]}),
        (f"a{HALF}b", "", "a�b"),
        ([f"a{HALF}"], [], ["a�"]),
        ({HALF: [HALF]}, {}, {"�": ["�"]}),
    ],
)
def test_what_fits_is_taken(value, default, taken):
    assert fitted(value, default) == taken and type(fitted(value, default)) is type(taken)


def test_a_text_is_cut_to_the_length_that_its_setting_takes():
    assert fitted("rivers", Text("bank", 5)) == "river" and too_long("rivers", Text("bank", 5))
    assert len(fitted("a" * 10**6, "")) == LONGEST and too_long("a" * 10**6, "")
    assert not too_long("river", Text("bank", 5)) and not too_long(None, "")
