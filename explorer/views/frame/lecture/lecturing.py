"""This session's lecture, from a file, from pasted text or from views that were added; stepped through.

load(text)            keep the lecture; no stop is opened yet
go(n)                 open stop n, with its picture covered (for a callback)
apply_stop(settings)  take over the settings of that stop, before a page opens its own
notes()               what to say, to ask and to see at the stop that was opened last

`lecture_sidebar.py` draws it, `lecture_changes.py` changes it.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from explorer.commands.cli import LECTURE_VARIABLE
from explorer.errors import TextError
from explorer.files.kinds import HEAD, Kind, kind_of
from explorer.locale import ENGLISH, _, format_number, language, localised, translate
from explorer.server.session import Session, reset
from explorer.views.frame import navigation, problem
from explorer.views.frame.lecture import lecture
from explorer.views.frame.lecture.exercise import is_part
from explorer.views.frame.lecture.lecture import Item
from explorer.views.settings.settings import Settings, presenting_on

LECTURE = Session[Sequence[Item]]("/lecture", (), of="lecture")
AT = Session[int | None]("/lecture/at", None, of="lecture")
GOING = Session[Item | None]("/lecture/going", None, of="lecture")
NAME = Session("/lecture/name", "", of="lecture")  # of a file of Riverbank's, as it was
LANGUAGE = Session("/lecture/language", ENGLISH, of="lecture")  # in which it was read
HANDED_IN = Session("/lecture/handed-in", "", of="lecture")  # somebody else’s answers, in the address
SHOWN = Session("/lecture/shown", 0, of="lecture")  # parts of the open stop’s picture, see stage.py
WHOLE = 1_000  # of them: more than a picture has
BEGUN = Session("/lecture/begun", False)  # the server’s lecture was taken once; a visitor may put it away
SIGNS = re.compile(r"([!-/:-@\[-`{-~])")  # characters of Markdown and of Streamlit's marks in it


def load(text: str, name: str = "") -> None:
    """Keep a lecture for this session; problems with some of its links are shown on the page.

    `name` is that of its file, if it ships with Riverbank.

    Raises TextError for a text without a link to one of our pages.
    """
    items = lecture.read(text, navigation.titles(), st.context.headers.get("host", ""))
    close()
    LECTURE.set(items)
    if problems := lecture.problems(items):
        problem.keep(TextError(_("Not every line of the lecture was taken."), problems))
    NAME.set(name)
    LANGUAGE.set(language())


@problem.keep_errors
def begin() -> None:
    """Keep the lecture with which the server was started, in a session that has just begun.

    `riverbank --lecture file.md` names its file in the environment.
    """
    path = os.environ.get(LECTURE_VARIABLE)
    if not path or BEGUN.is_set():
        return
    BEGUN.set(True)
    if items():  # the address names another one
        return
    try:
        data = Path(path).read_bytes()
        load_file(Path(path).name, len(data), data.decode("utf-8", "replace"))
    except OSError as error:
        raise TextError(
            _("The lecture {path} cannot be read: {reason}.", path=path, reason=error.strerror), ""
        ) from error


def load_file(name: str, size: int, text: str | None) -> None:
    """Keep the lecture of a dropped file; `text` is None if it was too large to be sent.

    Raises TextError.
    """
    if text is None or size > 4 * lecture.MOST_CHARACTERS:  # a character has four bytes at most
        message = _(
            "“{name}” is {size} MB; a lecture has {count} characters at most.",
            name=name[:60],
            size=localised(f"{size / 1e6:.1f}"),
            count=format_number(lecture.MOST_CHARACTERS),
        )
        raise TextError(message, _(lecture.HINT))
    kind = kind_of(text.encode("utf-8", "replace")[:HEAD])
    if kind is not None and kind is not Kind.EMPTY:
        message = _(
            "“{name}” is {kind}, and no list of links in Markdown or plain text.",
            name=name[:60],
            kind=translate(kind.phrase),
        )
        raise TextError(message, _(lecture.HINT))
    load(text)


def items() -> list[Item]:
    """The lines of this session's lecture; an empty list without one."""
    return list(LECTURE.get())


def stops() -> list[Item]:
    """The stops of this session's lecture; an empty list without a lecture."""
    return [item for item in items() if item.stop]


def at() -> int | None:
    """The number of the stop that was opened last, from 0; None before the first."""
    return AT.get()


def stop() -> Item | None:
    """The stop that was opened last; None without a lecture, and before its first stop."""
    here, all_stops = at(), stops()
    return all_stops[here] if here is not None and here < len(all_stops) else None


def notes() -> list[str]:
    """What to say, to ask and to see at the stop that was opened last, as plain text that anybody may have
    written; an empty list where there is none.
    """
    here = stop()
    return [note for note in here.notes if not is_part(note)] if here else []


def progress() -> str:
    """“Stop 5 of 24 · minute 12”: which stop was opened last, and when it begins if the headings say so.

    Empty without a lecture. The minutes of a chapter are shared out evenly among its stops.
    """
    here, number = at(), len(stops())
    if not number:
        return ""
    if here is None:
        total = sum(item.minutes for item in items())
        return (
            _("{count} stops · {minutes} minutes", count=number, minutes=total)
            if total
            else _("{count} stops", count=number)
        )
    minute = starts(items())[here]
    place = _("Stop {here} of {count}", here=here + 1, count=number)
    return place if minute is None else _("{stop} · minute {minute}", stop=place, minute=f"{minute:.0f}")


def starts(items: list[Item]) -> list[float | None]:
    """The minute at which each stop begins; None for all if the headings name no minutes."""
    if not any(item.minutes for item in items):
        return [None for item in items if item.stop]
    result: list[float | None] = []
    before = 0
    for chapter in lecture.chapters(items):
        number = sum(item.stop for item in chapter)
        result += [before + chapter[0].minutes * place / number for place in range(number)]
        before += chapter[0].minutes
    return result


def go(number: int, number_shown: int = 0) -> None:
    """Open a stop, with so many parts of its picture shown (for a callback)."""
    AT.set(number)
    SHOWN.set(number_shown)
    GOING.set(stops()[number])


def stand_at(number: int | None) -> None:
    """Be at a stop whose page is on screen already; nowhere if the lecture has no such stop."""
    SHOWN.set(0)
    if number is not None and 0 <= number < len(stops()):
        AT.set(number)
    else:
        AT.take()


def close() -> None:
    """Forget the lecture (for a callback)."""
    reset("lecture")


def apply_stop(settings: Settings) -> None:
    """Take over the settings of the requested stop, after a change to its page."""
    stop = GOING.get()
    if stop is None:
        return
    if stop.page != settings.page and navigation.FRAMED.get():
        path = navigation.find(stop.page).path
        st.switch_page(path, query_params=presenting_on() or None)  # an empty dictionary would clear nothing
    GOING.take()
    if stop.page == settings.page:
        settings.read_link(stop.link or {})


def plain(text: str) -> str:
    """A text for a label that Streamlit reads as Markdown, escaped so that it is shown as it is.

    >>> plain("![x](y) :red[z]")
    '\\\\!\\\\[x\\\\]\\\\(y\\\\) \\\\:red\\\\[z\\\\]'
    """
    return SIGNS.sub(r"\\\1", text)
