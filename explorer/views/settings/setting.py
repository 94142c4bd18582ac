"""A setting of a page: its name, its default, and what it takes from outside.

    LAYER = Setting("layer", 6, least=0)
    settings[LAYER]                     the value now, an int: mypy knows its type
    settings.set(LAYER.to(7))           another value

A setting is declared once, as a constant; a name that nobody declared does not compile. Links, session
files and text boxes all go through `accept`, which decides by the type of the default:

    LAYER.accept("7")                   6: a text is no number
    Setting("word", "bank", most=5).accept("rivers")    "river"
"""

import math
from typing import Any, Generic, NamedTuple, Self, TypeVar, cast

from explorer.text.letters import without_halves

# Tokens of a text that a live view reads: patterns grow with the square. The page says what was cut.
LIVE_TOKENS = 128


T = TypeVar("T")
MOST_WORD = 100  # characters of a word, or of a short phrase
LONGEST = 20_000  # characters of a text, unless its setting says another number
LONGEST_OF_ALL = 100_000
LARGEST = 10**9
MOST_PARTS, DEEPEST = 1_000, 4  # of a list: all that is in it, and lists within lists


class Change(NamedTuple):
    """A setting's name and its new value."""

    name: str
    value: Any


class Setting(str, Generic[T]):
    """A setting's name, as it is written in links, with its default and its limits.

    `most` is the number of characters of a text, or the largest whole number; `least` is the smallest. A
    setting that is `optional` may also be None, as when nothing is selected. One that is `explicit` is in
    every link that has any setting, even with its default.
    """

    default: T
    least: int
    most: int
    optional: bool
    explicit: bool

    def __new__(
        cls,
        name: str,
        default: T,
        *,
        least: int = -LARGEST,
        most: int | None = None,
        optional: bool = False,
        explicit: bool = False,
    ) -> Self:
        """A setting; its default is within its limits."""
        setting = super().__new__(cls, name)
        setting.default, setting.least = default, least
        setting.most = most if most is not None else LONGEST if isinstance(default, str) else LARGEST
        setting.optional, setting.explicit = optional, explicit
        return setting

    def to(self, value: T) -> Change:
        """The change of this setting to a value."""
        return Change(str(self), value)

    def is_too_long(self, value: object) -> bool:
        """Whether a text has more characters than this setting takes; `accept` drops the last ones."""
        return isinstance(self.default, str) and isinstance(value, str) and len(value) > self.most

    def accept(self, value: object) -> T:
        """A value from outside if this setting takes it, otherwise the default.

        A text is cut to its length. A setting whose default is None takes a number, a text or a list of
        these.
        """
        return cast(T, self._accepted(value))

    def takes(self, value: object) -> bool:
        """Whether a value from outside stays as it is; its type counts."""
        accepted = self._accepted(value)
        return type(accepted) is type(value) and bool(accepted == value)

    def _accepted(self, value: Any) -> Any:
        default = self.default
        if self.optional:
            fits = value is None or isinstance(value, list)
            return _whole(value) if fits and _is_plain(value) else default
        if isinstance(default, str):
            return without_halves(value[: self.most]) if isinstance(value, str) else default
        if isinstance(default, bool) or isinstance(value, bool):
            return value if isinstance(value, bool) and isinstance(default, bool) else default
        if isinstance(default, int):
            return value if isinstance(value, int) and self.least <= value <= self.most else default
        if isinstance(default, float):
            return float(value) if _is_number(value) else default
        if default is not None and not isinstance(value, type(default)):
            return default
        return _whole(value) if _is_plain(value) else default


# A page that has these settings declares them with its own default; the names are the same everywhere.
HOME_MODEL = "bert"  # the model of a page without a choice
VIEW_NAME, MODEL = Setting("view", ""), Setting("model", HOME_MODEL)


def _is_number(value: Any) -> bool:
    """Whether a value is a number to work with: not a switch, not infinite, not too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST and math.isfinite(value)


def _is_plain(value: Any) -> bool:
    """Whether a value is a number, a text, None, or a list or dictionary of these, and not too large."""
    level = [value]
    for _ in range(DEEPEST):
        inside: list[Any] = []
        for item in level:
            if isinstance(item, list | dict):
                inside += item if isinstance(item, list) else item.values()
            elif not (item is None or _is_number(item) or (isinstance(item, str) and len(item) <= LONGEST)):
                return False
        if len(inside) > MOST_PARTS:
            return False
        level = inside
    return not level


def _whole(value: Any) -> Any:
    """The same value with `�` for half characters."""
    if isinstance(value, str):
        return without_halves(value)
    if isinstance(value, list):
        return [_whole(part) for part in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(part) for name, part in value.items()}
    return value
