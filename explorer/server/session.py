"""A value of a visitor's session, declared once as a constant, as settings are.

    ZOOM = Session("/present/zoom", 1.0)
    ZOOM.get(), ZOOM.set(2.0)           the value, or its default; mypy knows the type
    CLOSED.at("help").get()             one of several values of a kind

It lasts as long as the visit, or ends before it with what it is `of`: `reset("room")` forgets all of a room.
"""

from contextlib import suppress
from copy import copy
from typing import Any, Generic, Literal, Self, TypeVar

import streamlit as st

from explorer.server.streamlit_private import session_value

T = TypeVar("T")
Part = Literal["room", "lecture"]

_parts: "dict[Part, list[Session[Any]]]" = {"room": [], "lecture": []}


class Session(str, Generic[T]):
    """A session value's name with its default; a default that can be changed is copied for each visitor."""

    default: T

    def __new__(cls, name: str, default: T, of: Part | None = None) -> Self:
        """A value, which `reset(of)` takes back to its default."""
        value = super().__new__(cls, name)
        value.default = default
        if of is not None:
            _parts[of].append(value)
        return value

    def get(self) -> T:
        """The value now."""
        with suppress(KeyError):
            return session_value(self)  # type: ignore[no-any-return]
        if isinstance(self.default, dict | list | set):
            self.set(copy(self.default))
            return st.session_state[self]  # type: ignore[no-any-return]
        return self.default

    def set(self, value: T) -> None:
        """Another value, until the visit or what it is of ends."""
        st.session_state[self] = value

    def take(self) -> T:
        """The value now, which then is the default again."""
        value: T = st.session_state.pop(self, self.default)
        return value

    def is_set(self) -> bool:
        """Whether it has a value of its own."""
        return self in st.session_state

    def at(self, name: object) -> "Session[T]":
        """The value of this kind for a page, a box or whatever else has its own."""
        return Session(f"{self}/{name}", self.default)


def reset(part: Part) -> None:
    """Forget what belongs to a room or to a lecture."""
    for value in _parts[part]:
        value.take()
