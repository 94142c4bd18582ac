"""What a setting takes from outside: links, session files and text boxes all come through here.

    fitted("7", 3)                      3: a text is no number
    fitted(2.5, 0.0)                    2.5
    fitted("rivers", Text("", most=5))  "river"

The type of a setting is that of its default. `Text` and `Whole` are defaults that say more: how long
a text may be, between which bounds a number lies.
"""

import math
import re
from typing import Any

WORD = 100  # characters of a word, or of a short phrase
LONGEST = 20_000  # characters of a text, where its default says no other number
LONGEST_OF_ALL = 100_000
LARGEST = 10**9
MOST_PARTS, DEEPEST = 1_000, 4  # of a list: all that is in it, and lists within lists
_HALF = re.compile("[\ud800-\udfff]")  # half of a character, which no file and no network takes


class Text(str):
    """A text's default, with the number of characters that the setting takes."""

    most: int

    def __new__(cls, text: str, most: int) -> "Text":
        """The default, which is itself within the limit."""
        made = super().__new__(cls, text)
        made.most = most
        return made


class Whole(int):
    """A whole number's default, with the smallest and the largest that the setting takes."""

    least: int
    most: int

    def __new__(cls, number: int, least: int = 0, most: int = LARGEST) -> "Whole":
        """The default, which is itself within the bounds."""
        made = super().__new__(cls, number)
        made.least, made.most = least, most
        return made


class OrNothing(list[Any]):
    """The default of a setting that may also be None, as where nothing is selected."""


def plain(default: Any) -> Any:
    """A default without its limits."""
    if isinstance(default, Text):
        return str(default)
    if isinstance(default, OrNothing):
        return list(default)
    return int(default) if isinstance(default, Whole) else default


def longest(default: str) -> int:
    """How many characters a setting with this default takes."""
    return default.most if isinstance(default, Text) else LONGEST


def too_long(value: Any, default: Any) -> bool:
    """Whether a text has more characters than its setting takes: `fitted` leaves the last ones out."""
    return isinstance(default, str) and isinstance(value, str) and len(value) > longest(default)


def fitted(value: Any, default: Any) -> Any:
    """A value from outside where a setting with this default takes it, else the default.

    A text is cut to its length; a setting that is None by default takes a number, a text or a list of these.
    """
    if isinstance(default, str):
        return _HALF.sub("�", value[: longest(default)]) if isinstance(value, str) else default
    if isinstance(default, bool) or isinstance(value, bool):
        return value if isinstance(value, bool) and isinstance(default, bool) else default
    if isinstance(default, int):
        least, most = (default.least, default.most) if isinstance(default, Whole) else (-LARGEST, LARGEST)
        return value if isinstance(value, int) and least <= value <= most else default
    if isinstance(default, float):
        return float(value) if _is_number(value) else default
    if isinstance(default, OrNothing):
        return list(default) if value is not None and not isinstance(value, list) else fitted(value, None)
    if default is not None and not isinstance(value, type(default)):
        return default
    return _whole(value) if _is_plain(value) else default


def _is_number(value: Any) -> bool:
    """Whether a value is a number that can be worked with: no switch, not endless, not too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST and math.isfinite(value)


def _is_plain(value: Any) -> bool:
    """Whether a value is a number, a text, nothing, or a list or dictionary of these, and not too large."""
    level = [value]
    for _ in range(DEEPEST):
        inside: list[Any] = []
        for one in level:
            if isinstance(one, list | dict):
                inside += one if isinstance(one, list) else one.values()
            elif not (one is None or _is_number(one) or (isinstance(one, str) and len(one) <= LONGEST)):
                return False
        if len(inside) > MOST_PARTS:
            return False
        level = inside
    return not level


def _whole(value: Any) -> Any:
    """The same value with `�` for half characters."""
    if isinstance(value, str):
        return _HALF.sub("�", value)
    if isinstance(value, list):
        return [_whole(part) for part in value]
    if isinstance(value, dict):
        return {_HALF.sub("�", str(name)): _whole(part) for name, part in value.items()}
    return value
