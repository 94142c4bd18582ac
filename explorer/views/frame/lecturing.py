"""This session's lecture, from a file or pasted text: listed in the sidebar, and stepped through.

take(text)          keep the lecture; no stop is opened yet
go(n)               open stop n (for a callback)
arrive(settings)    take over the settings of that stop, before a page opens its own
"""

import os
import re
from html import escape
from pathlib import Path

import streamlit as st

from explorer.cli import LECTURE_VARIABLE
from explorer.errors import TextError
from explorer.files.kinds import HEAD, Kind, kind_of
from explorer.views.frame import lecture, navigation
from explorer.views.frame.lecture import Item
from explorer.views.frame.settings import Settings, presenting_on

LECTURE, AT, GOING = "/lecture", "/lecture/at", "/lecture/going"
BEGUN = "/lecture/begun"  # the server’s lecture has been taken once; a visitor may put it away
PROBLEM = "/session/problem"  # the error of a dropped or pasted text, until the page has shown it
SIGNS = re.compile(r"([!-/:-@\[-`{-~])")  # characters of Markdown and of Streamlit's marks in it


def take(text: str) -> None:
    """Keep a lecture for this session; problems with some of its links are shown on the page.

    Raises TextError for a text without a link to one of our pages.
    """
    titles = {page.name: page.title for page in navigation.pages()}
    items = lecture.read(text, titles, st.context.headers.get("host", ""))
    st.session_state[LECTURE] = items
    if problems := lecture.problems(items):
        st.session_state[PROBLEM] = TextError("Not every line of the lecture was taken.", problems)
    st.session_state.pop(AT, None)


def begin() -> None:
    """Keep the lecture with which the server was started, in a session that has just begun.

    `riverbank --lecture file.md` names its file in the environment.
    """
    path = os.environ.get(LECTURE_VARIABLE)
    if not path or BEGUN in st.session_state:
        return
    st.session_state[BEGUN] = True
    try:
        data = Path(path).read_bytes()
        take_file(Path(path).name, len(data), data.decode("utf-8", "replace"))
    except OSError as error:
        st.session_state[PROBLEM] = TextError(f"The lecture {path} cannot be read: {error.strerror}.", "")
    except TextError as error:
        st.session_state[PROBLEM] = error


def take_file(name: str, size: int, text: str | None) -> None:
    """Keep the lecture of a dropped file; `text` is None if it was too large to be sent.

    Raises TextError.
    """
    if text is None or size > 4 * lecture.MOST_CHARACTERS:  # a character has four bytes at most
        raise TextError(
            f"“{name[:60]}” is {size / 1e6:.1f} MB; a lecture has {lecture.MOST_CHARACTERS:,} characters "
            "at most.",
            lecture.HINT,
        )
    kind = kind_of(text.encode("utf-8", "replace")[:HEAD])
    if kind is not None and kind is not Kind.EMPTY:
        raise TextError(
            f"“{name[:60]}” is {kind.phrase}, and no list of links in Markdown or plain text.", lecture.HINT
        )
    take(text)


def stops() -> list[Item]:
    """The stops of this session's lecture; an empty list without a lecture."""
    return [item for item in st.session_state.get(LECTURE, []) if item.stop]


def at() -> int | None:
    """The number of the stop that was opened last, from 0; None before the first."""
    return st.session_state.get(AT)


def go(number: int) -> None:
    """Open a stop (for a callback)."""
    st.session_state[AT] = number
    st.session_state[GOING] = stops()[number]


def put_away() -> None:
    """Forget the lecture (for a callback)."""
    for key in (LECTURE, AT, GOING):
        st.session_state.pop(key, None)


def arrive(settings: Settings) -> None:
    """Take over the settings of the requested stop, after a change to its page."""
    stop: Item | None = st.session_state.get(GOING)
    if stop is None:
        return
    if stop.page != settings.page and st.session_state.get("/framed"):
        path = navigation.find(stop.page).path
        st.switch_page(path, query_params=presenting_on() or None)  # an empty dictionary would clear nothing
    del st.session_state[GOING]
    if stop.page == settings.page:
        settings.read_link(stop.link or {})


def sidebar() -> None:
    """Draw the lecture below the pages: Back and Next, its headings and stops; nothing without a lecture."""
    items: list[Item] = st.session_state.get(LECTURE, [])
    if not items:
        return
    here, last = at(), len(stops()) - 1
    with st.sidebar.container(key="lecture", gap="xxsmall"):
        st.html('<p class="rb-lecture">Lecture</p>')
        with st.container(horizontal=True, gap="xxsmall"):
            back = 0 if here is None else here - 1
            st.button("Back", key="lecture/back", disabled=not here, on_click=go, args=(max(back, 0),))
            ahead = 0 if here is None else here + 1
            st.button(
                "Next", key="lecture/next", disabled=ahead > last, on_click=go, args=(min(ahead, last),)
            )
            st.button(":material/close:", key="lecture/away", help="Put it away", on_click=put_away)
        number = -1
        for item in items:
            if item.stop:
                number += 1
                label = f"**{plain(item.text)}**" if number == here else plain(item.text)
                st.button(label, key=f"lecture/stop/{number}", type="tertiary", on_click=go, args=(number,))
            else:
                kind = "rb-lecture-heading" if item.heading else "rb-lecture-text"
                st.html(f'<p class="{kind}">{escape(item.text)}</p>')


def plain(text: str) -> str:
    """A text for a label that Streamlit reads as Markdown, escaped so that it is shown as it is.

    >>> plain("![x](y) :red[z]")
    '\\\\!\\\\[x\\\\]\\\\(y\\\\) \\\\:red\\\\[z\\\\]'
    """
    return SIGNS.sub(r"\\\1", text)
