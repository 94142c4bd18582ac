"""The "Save" control in every page's header: pictures, data, the link, a session file.

A view offers what it has; nothing is made before it is asked for:

    offer(settings, Picture("senses-map", "bank-bert"))
    offer(settings, Export("Coordinates", "bank.csv", lambda: table(["x", "y"], points.tolist())))

`make` runs in a thread of its own when its button is clicked: it must not use Streamlit, so read
settings before. The picture of a page that offers none is that of its `picture()` container.
"""

import csv
import io
import json
import mimetypes
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import regex
import streamlit as st

from explorer.errors import TextError
from explorer.files import tables
from explorer.locale import N_, _, format_number, in_this_language, localised, translate
from explorer.server.session import Session
from explorer.views.frame import moved, navigation, problem
from explorer.views.frame.lecture import lecture, lecturing
from explorer.views.frame.saving import caption, notebook_entries
from explorer.views.settings.setting import LONGEST_OF_ALL
from explorer.views.settings.settings import Settings
from explorer.views.widgets.registry import component, component_value, style
from explorer.views.widgets.visually_hidden import icon_button

VERSION = 1
MOST_BYTES = 1_000_000
HINT = N_("“Save”, above, makes one: “This session”.")


@dataclass(frozen=True)
class SessionFile:
    """The content of a session file: the page on which it was saved, and that page's settings."""

    page: str
    settings: dict[str, Any]


def write(settings: Settings) -> str:
    """A page's settings as the text of a session file."""
    content = {"riverbank": VERSION, "page": settings.page, "settings": settings.values()}
    return json.dumps(content, ensure_ascii=False, indent=1)


def read(name: str, size: int, text: str | None, pages: Collection[str]) -> SessionFile:
    """The session in a file called `name`; `text` is None if it was too large to be sent.

    Raises TextError unless it is a session file of one of these pages, and if a text in it is longer than a
    page takes.
    """
    if text is None or size > MOST_BYTES:
        message = _(
            "“{name}” is {size} MB; a session file is {most} MB at most.",
            name=name,
            size=localised(f"{size / 1e6:.1f}"),
            most=f"{MOST_BYTES / 1e6:.0f}",
        )
        raise TextError(message, _(HINT))
    content = _parse(text)
    if (
        not isinstance(content, dict)
        or not isinstance(content.get("settings"), dict)
        or "riverbank" not in content
    ):
        raise TextError(_("“{name}” is not a session file.", name=name), _(HINT))
    if content["riverbank"] != VERSION:
        version = str(content["riverbank"])[:20]
        raise TextError(
            _("“{name}” is a session file of another version ({version}).", name=name, version=version),
            _("This Riverbank reads version {version}.", version=VERSION),
        )
    if content.get("page") not in pages:
        raise TextError(_("“{name}” was saved on a page that is not here.", name=name), _(HINT))
    for setting, value in content["settings"].items():
        if isinstance(value, str) and len(value) > LONGEST_OF_ALL:
            raise TextError(
                _(
                    "“{name}” has a text of {count} characters ({setting}).",
                    name=name,
                    count=format_number(len(value)),
                    setting=setting[:40],
                ),
                _("A page takes {count} at most.", count=format_number(LONGEST_OF_ALL)),
            )
    return SessionFile(*moved.resolve(content["page"], content["settings"]))


def apply(session: SessionFile, settings: Settings) -> None:
    """Take over a session's values; missing ones, and those of another type, become the default."""
    values = session.settings
    settings.accept({name: values.get(name, default) for name, default in settings.defaults.items()})


def _parse(text: str) -> Any:
    """The value of a JSON text; None for any other text."""
    try:
        return json.loads(text, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None


OPENED = Session[SessionFile | None]("/session/opened", None)
PASTED = Session("/lecture/pasted", "")
LONGEST = 80  # characters of a file's name


@dataclass(frozen=True)
class Export:
    """A file to save: its label, its name, and what makes its content when it is clicked.

    The type follows from the name's ending (csv, json, npz, html, txt, ...) unless `mime` says it.
    """

    label: str
    file: str
    make: Callable[[], str | bytes]
    mime: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture to save as PNG and SVG: what the container of key `key` shows when it is clicked.

    `file` has no ending. In a component's JavaScript `dataset.save = "no"` leaves an element out.
    """

    key: str
    file: str
    label: str = N_("Picture")


def offer(settings: Settings, *what: Export | Picture) -> None:
    """Put exports and pictures into this page's Save control, in this order."""
    settings.saves += what


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV that a spreadsheet opens (see `tables.write`), floats with seven significant digits."""
    cells = ([f"{cell:.7g}" if isinstance(cell, float) else cell for cell in row] for row in rows)
    return tables.write([columns, *cells])


def with_origin(make: Callable[[], str | bytes], caption: Sequence[str]) -> str | bytes:
    """A table with one more column, whose first cell says with what it was made, as under a picture."""
    content = make()
    if isinstance(content, bytes):
        return content
    heads, *rows = csv.reader(io.StringIO(content.removeprefix("\ufeff"), newline=""))
    first = [[*rows[0], " · ".join(caption)]] if rows else []
    return tables.write([[*heads, "made with"], *first, *([*row, ""] for row in rows[1:])], escapes=False)


def undo(settings: Settings) -> None:
    """The button that undoes the last change on this page."""
    icon_button(
        "undo",
        _("Undo the last change"),
        key=f"{settings.page}/undo",
        on_click=settings.undo,
        disabled=not settings.history.can_undo(),
    )


def place() -> Any:
    """The control's button in the header, which `control` fills when the page has been drawn."""
    return st.popover(_("Save"), key="save")


def control(settings: Settings, into: Any) -> None:
    """Fill the control with what this run of the page has offered; presenter mode has none."""
    if into is None:
        return
    pictures = [one for one in settings.saves if isinstance(one, Picture)]
    exports = [one for one in settings.saves if isinstance(one, Export)]
    values = write(settings)
    with into:
        st.html(f"<style>{style('frame/saving/saving.css')}</style>")
        with st.container(key="saving", gap=None):
            _saver(
                settings,
                "saver",
                pictures=[
                    {
                        "box": f".st-key-{_css_key(one.key)}",
                        "file": file_name(one.file),
                        "label": translate(one.label),
                    }
                    for one in pictures or [Picture("picture", settings.page)]
                ],
                caption=settings.caption,
                link=_("This is too long for a link. Save a session file instead.")
                if settings.unlinked
                else "",
            )
            for number, one in enumerate(exports):
                _download(settings, one, str(number))
            _download(
                settings, Export(N_("This session"), f"{settings.page}.json", lambda: values), "session"
            )
            _saver(settings, "open", open=True)
            st.text_area(
                _("Or paste a lecture: a list of links"),
                key=PASTED,
                height=76,
                max_chars=lecture.MOST_CHARACTERS,
                placeholder=_(lecture.HINT),
                on_change=_pasted,
            )


def watch(settings: Settings) -> None:
    """Watch for a dropped session file, and lay out what is printed."""
    _saver(settings, "drop", drop=True, caption=settings.caption)


def apply_opened(settings: Settings) -> None:
    """Take over a session file that was opened on any page, before this page opens its settings."""
    opened = OPENED.get()
    if opened is None:
        return
    if opened.page != settings.page and navigation.FRAMED.get():
        st.switch_page(next(page.path for page in navigation.pages() if page.name == opened.page))
    OPENED.take()
    if opened.page == settings.page:
        apply(opened, settings)


def file_name(name: str) -> str:
    """A file name that is valid on every system."""
    stem, dot, ending = name.rpartition(".")
    if not regex.fullmatch("[a-z][a-z0-9]*", ending):  # the name of a picture has none, and may have a dot
        stem, dot, ending = name, "", ""
    stem = regex.sub(r"[^\p{L}\p{M}\p{N}_.]+", "-", stem).strip("-.")[:LONGEST]
    return f"{stem or 'riverbank'}{dot}{ending}"


def _download(settings: Settings, one: Export, number: str) -> None:
    file = file_name(one.file)
    kind = file.rpartition(".")[2].upper()
    st.download_button(
        f"{translate(one.label)} · {kind}",
        in_this_language(partial(with_origin, one.make, settings.caption) if kind == "CSV" else one.make),
        file,
        one.mime or _mime(file),
        type="tertiary",
        key=f"{settings.page}/save/{number}",
        on_click="ignore",
        width="stretch",
    )


def _mime(file: str) -> str:
    return mimetypes.guess_type(file)[0] or "application/octet-stream"


def _saver(settings: Settings, part: str, **data: Any) -> None:
    """One mount of the component; a session file or a lecture that it reads is kept for the next run."""
    key = f"{settings.page}/{part}"

    @problem.keep_errors
    def opened() -> None:
        file = component_value(key, "opened", {"name": str, "size": int, "text": [str, None]})
        if file is None:
            return
        pages = [page.name for page in navigation.pages()]
        name, size, text = file["name"], file["size"], file["text"]
        if name.lower().endswith(lecture.ENDINGS):
            lecturing.load_file(name, size, text)
        else:
            OPENED.set(read(name, size, text, pages))

    def kept_one() -> None:
        picture = component_value(key, "kept", {"picture": str}) or {}
        title = navigation.full_title(settings.page, caption.view_label(settings))
        notebook_entries.keep(settings, title, picture.get("picture"))

    size = {"height": 1, "width": 1} if part == "drop" else {}
    component("frame/saving/saver")(
        key=key, data={"most": MOST_BYTES, **data}, on_opened_change=opened, on_kept_change=kept_one, **size
    )


@problem.keep_errors
def _pasted() -> None:
    """Take over the links that were pasted."""
    text = PASTED.get()
    PASTED.set("")
    if text.strip():
        lecturing.load(text)


def _css_key(key: str) -> str:
    """A container's key as Streamlit writes it into the page."""
    return re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())
