"""Damage to a file: bytes flipped, cut, doubled and put in, and JSON values put in place of others."""

import json
from typing import Any

from hypothesis import strategies as st

# Numbers and words that readers trip over.
ODD = b'-1 0 1e999 NaN nan inf 4294967296 1.5 null true "" [] {} [[[[ ,'.split()
ODD += [b"9" * 30, b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\0", b"\r\n", b"\n", b"\t", b"  "]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**31, 2**63, 10**9, 10**40, -(10**9), 1.5, -0.0, 1e-300, 1e300]),
    st.sampled_from([float("nan"), float("inf")]),
    st.text(max_size=5),
    st.sampled_from(["\ud800", "[MASK]", "[CLS]", "<S>", "../x", "a" * 5000]),
    st.lists(st.integers(-1, 3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
# Where, as a share of the file; half of all hits are near its beginning, where headers are.
PLACES = st.floats(0, 1) | st.floats(0, 1).map(lambda share: share**4 / 8)
FLIP = st.tuples(st.just("flip"), PLACES, st.integers(0, 7))
VALUE = st.tuples(st.just("value"), st.floats(0, 1), VALUES)
HIT = st.one_of(
    FLIP,
    FLIP,
    st.tuples(st.just("set"), PLACES, st.binary(min_size=1, max_size=9)),
    st.tuples(st.sampled_from(["put", "odd"]), PLACES, st.sampled_from(ODD)),
    st.tuples(st.sampled_from(["drop", "double"]), PLACES, st.integers(1, 200)),
    st.tuples(st.just("cut"), st.floats(0, 1), st.none()),
    VALUE,
    VALUE,
)
NESTED = st.recursive(VALUES, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
WHOLE = st.binary(max_size=200) | NESTED.map(lambda value: json.dumps(value).encode())
FEW = st.lists(HIT, min_size=1, max_size=3)
MANY = st.lists(HIT, min_size=1, max_size=40)
DAMAGE = st.one_of(FEW, FEW, FEW, FEW, MANY, WHOLE)


def damaged(content: bytes, damage: bytes | list[tuple[str, float, Any]]) -> bytes:
    """A file's content with some damage done, one hit after another, or all of it replaced."""
    if isinstance(damage, bytes):
        return damage
    for kind, where, what in damage:
        at = min(int(where * len(content)), max(len(content) - 1, 0))
        before, after = content[:at], content[at:]
        if kind == "flip" and content:
            content = before + bytes([after[0] ^ 1 << what]) + after[1:]
        elif kind == "set":  # in place of as many bytes
            content = before + what + after[len(what) :]
        elif kind == "odd":  # in place of a number, a word or the like
            content = before + what + after[min(len(after.split(end, 1)[0]) for end in (b" ", b",", b"\n")) :]
        elif kind == "put":
            content = before + what + after
        elif kind == "drop":
            content = before + after[what:]
        elif kind == "double":
            content = before + after[:what] + after
        elif kind == "cut":
            content = before
        elif kind == "value":
            content = _with_value(content, where, what)
    return content


def _with_value(content: bytes, where: float, value: Any) -> bytes:
    """A JSON text with one of its values, keys or items replaced; any other text as it is."""
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return content
    places = list(_places(tree))
    if not places:
        return content
    holder, key = places[min(int(where * len(places)), len(places) - 1)]
    holder[key] = value
    return json.dumps(tree).encode()


def _places(tree: Any) -> Any:
    for key in tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        yield tree, key
        yield from _places(tree[key])
