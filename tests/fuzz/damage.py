"""Damage to a file: bytes flipped, cut, doubled and put in, and JSON values put in place of others."""

import json
from typing import Any

from hypothesis import strategies as st

# Numbers and words that readers trip over.
ODD = [
    b"-1",
    b"0",
    b"1e999",
    b"NaN",
    b"nan",
    b"inf",
    b"9" * 30,
    b"4294967296",
    b"1.5",
    b"null",
    b"true",
    b'""',
    b"[]",
    b"{}",
    b"[[[[",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\n",
    b"\t",
    b"  ",
    b",",
    b"\0",
    b"\xed\xa0\x80",
]
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
PLACES = st.one_of(st.floats(0, 1), st.floats(0, 1).map(lambda share: share**4 / 8))
HIT = st.one_of(
    st.tuples(st.just("flip"), PLACES, st.integers(0, 7)),
    st.tuples(st.just("flip"), PLACES, st.integers(0, 7)),
    st.tuples(st.just("set"), PLACES, st.binary(min_size=1, max_size=9)),
    st.tuples(st.just("put"), PLACES, st.sampled_from(ODD)),
    st.tuples(st.just("odd"), PLACES, st.sampled_from(ODD)),
    st.tuples(st.just("drop"), PLACES, st.integers(1, 200)),
    st.tuples(st.just("double"), PLACES, st.integers(1, 200)),
    st.tuples(st.just("cut"), st.floats(0, 1), st.just(0)),
    st.tuples(st.just("value"), st.floats(0, 1), VALUES),
    st.tuples(st.just("value"), st.floats(0, 1), VALUES),
)
FEW = st.lists(HIT, min_size=1, max_size=3)
DAMAGE = st.one_of(
    FEW,
    FEW,
    FEW,
    FEW,
    st.lists(HIT, min_size=1, max_size=40),
    st.binary(max_size=200).map(lambda content: [("all", 0.0, content)]),
    st.recursive(VALUES, lambda inner: st.lists(inner, max_size=3), max_leaves=5).map(
        lambda value: [("json", 0.0, value)]
    ),
)


def damaged(content: bytes, hits: list[tuple[str, float, Any]]) -> bytes:
    """A file's content with some damage done, one hit after another."""
    for kind, where, what in hits:
        at = min(int(where * len(content)), max(len(content) - 1, 0))
        if kind == "flip" and content:
            content = content[:at] + bytes([content[at] ^ 1 << what]) + content[at + 1 :]
        elif kind in ("set", "odd"):  # in place of as many bytes, or of one field
            length = len(what) if kind == "set" else _field(content, at)
            content = content[:at] + what + content[at + length :]
        elif kind == "put":
            content = content[:at] + what + content[at:]
        elif kind == "drop":
            content = content[:at] + content[at + what :]
        elif kind == "double":
            content = content[: at + what] + content[at:]
        elif kind == "cut":
            content = content[:at]
        elif kind == "all":
            content = what
        elif kind == "json":
            content = json.dumps(what).encode()
        elif kind == "value":
            content = _with_value(content, where, what)
    return content


def _field(content: bytes, at: int) -> int:
    """How many bytes it is to the end of a number, a word or the like."""
    return min(len(content[at:].split(end, 1)[0]) for end in (b" ", b",", b"\n"))


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
