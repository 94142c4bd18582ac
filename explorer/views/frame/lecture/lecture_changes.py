"""Changes to this session's lecture: a view is added; a stop is moved, removed or renamed; all is saved.

`add`, `move`, `remove` and `rename` are for callbacks.
"""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from explorer.errors import TextError
from explorer.locale import _
from explorer.views.frame import navigation, problem
from explorer.views.frame.lecture import course_answers, lecture, lecturing
from explorer.views.frame.lecture.lecture import Item
from explorer.views.frame.saving import caption
from explorer.views.settings.settings import Settings


@problem.keep_errors
def add(settings: Settings) -> None:
    """Add this page as it is now, under the name of its view."""
    items, link = lecturing.items(), settings.link()
    if settings.unlinked:
        message = _("A text of this view is too long for a lecture, which is a list of links.")
        raise TextError(message, _("Shorten it, or save a session file."))
    if len(items) >= lecture.MOST_ITEMS:
        message = _("A lecture has {count} lines at most.", count=lecture.MOST_ITEMS)
        raise TextError(message, _("Remove a stop first."))
    name = caption.view_label(settings) or navigation.find(settings.page).title
    _keep([*items, Item(name, page=settings.page, link=link)])
    st.toast(_("“{name}” is in your lecture now, in the sidebar.", name=lecturing.plain(name)))


def move(place: int, by: int) -> None:
    """Move a line of the lecture up or down by one."""
    items = lecturing.items()
    to = place + by
    if 0 <= place < len(items) and 0 <= to < len(items):
        items[place], items[to] = items[to], items[place]
        _keep(items)


def remove(place: int) -> None:
    """Take a line out of the lecture; without stops there is no lecture."""
    items = lecturing.items()
    del items[place : place + 1]
    if any(item.stop for item in items):
        _keep(items)
    else:
        lecturing.close()


def rename(place: int, key: str) -> None:
    """Give a line of the lecture the name that was typed into the box with this key."""
    name = " ".join(str(st.session_state[key]).split())[: lecture.LONGEST]
    items = lecturing.items()
    if name and 0 <= place < len(items):
        items[place] = replace(items[place], text=name)
        lecturing.LECTURE.set(items)
        lecturing.NAME.take()


def text() -> str:
    """The lecture as a Markdown file, which opens it again."""
    return lecture.write(lecturing.items())


def titled(items: Sequence[Item]) -> bool:
    """Whether a lecture begins with its title: a heading, with another one right after it."""
    return len(items) > 1 and items[0].heading and items[1].heading


def title() -> str:
    """The lecture's title; “Lecture” if it has none."""
    items = lecturing.items()
    return items[0].text if titled(items) else _("Lecture")


def _keep(items: list[Item]) -> None:
    """Keep changed lines; the stop that was opened last stays that, and each answer stays with its stop."""
    here, before = lecturing.at(), lecturing.stops()
    lecturing.LECTURE.set(items)
    lecturing.NAME.take()
    numbers = {id(stop): number for number, stop in enumerate(lecturing.stops())}
    course_answers.renumber(lambda number: numbers.get(id(before[number])))
    if here is not None and id(before[here]) in numbers:
        lecturing.AT.set(numbers[id(before[here])])
    else:
        lecturing.AT.take()
