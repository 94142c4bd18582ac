"""What a visitor has kept in this session: pictures, each with a sentence of their own, in an order.

They are in the session's memory, and gone with it. `notebook_dialog.py` writes them as a page to hand in.
All functions that change something are for callbacks.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from explorer.errors import TextError
from explorer.locale import _
from explorer.server.session import Session
from explorer.views.frame import problem
from explorer.views.settings.settings import Settings

KEPT = Session["list[NotebookEntry]"]("/kept", [])
NUMBER = Session("/kept/number", 0)
MOST = 30  # pictures
MOST_BYTES = 3_000_000  # of one picture
LONGEST = 2_000  # characters of a sentence
PNG = b"\x89PNG\r\n\x1a\n"
PREFIX = "data:image/png;base64,"


@dataclass(frozen=True)
class NotebookEntry:
    """A picture as PNG, the lines under it, the page and settings that it shows, and the visitor's sentence.

    `number` tells it from the others of the session.
    """

    number: int
    title: str
    picture: bytes
    caption: tuple[str, ...]
    page: str
    link: Mapping[str, str]
    sentence: str = ""


def pictures() -> list[NotebookEntry]:
    """What this session has kept, in order."""
    return list(KEPT.get())


@problem.keep_errors
def keep(settings: Settings, title: str, picture: object) -> None:
    """Keep a picture that the browser has sent as a data URL.

    What cannot be kept is said on the page, as an error in a file is.
    """
    have = pictures()
    if len(have) >= MOST:
        raise TextError(
            _("A notebook has {count} pictures at most.", count=MOST),
            _("Remove one first: the notebook is in the sidebar."),
        )
    image = read_png(picture)
    NUMBER.set(number := NUMBER.get() + 1)
    one = NotebookEntry(number, title, image, tuple(settings.caption), settings.page, settings.link())
    KEPT.set([*have, one])
    st.toast(_("Kept. Your notebook is in the sidebar."))


def read_png(picture: object) -> bytes:
    """The bytes of a PNG in a data URL. Raises TextError for anything else, and for one that is too large."""
    text = picture if isinstance(picture, str) else ""
    if len(text) > MOST_BYTES * 4 / 3 + len(PREFIX):
        raise TextError(
            _("The picture is larger than {size} MB.", size=f"{MOST_BYTES / 1e6:.0f}"),
            _("Make the window smaller, and keep it again."),
        )
    try:
        image = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except (ValueError, binascii.Error):
        image = b""
    if not text.startswith(PREFIX) or not image.startswith(PNG):
        raise TextError(_("The browser sent no picture."), _("Wait until it is drawn, and keep it again."))
    return image


def write_sentence(number: int, key: str) -> None:
    """Give a picture the sentence that was typed into the box with this key."""
    text = str(st.session_state[key])[:LONGEST]
    KEPT.set([replace(one, sentence=text) if one.number == number else one for one in pictures()])


def move(number: int, by: int) -> None:
    """Move a picture up or down by one place."""
    order = pictures()
    at = _place(order, number)
    if at is not None and 0 <= at + by < len(order):
        order[at], order[at + by] = order[at + by], order[at]
        KEPT.set(order)


def remove(number: int) -> None:
    """Take a picture out."""
    KEPT.set([one for one in pictures() if one.number != number])


def _place(order: Sequence[Any], number: int) -> int | None:
    return next((place for place, one in enumerate(order) if one.number == number), None)
