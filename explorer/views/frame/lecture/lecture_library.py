"""The lectures that ship: the Markdown files of `assets/lectures`, and the buttons that open them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from explorer import assets
from explorer.assets import LECTURES, read_once
from explorer.errors import TextError
from explorer.locale import _, language, translate_lines
from explorer.views.frame import navigation, presets
from explorer.views.frame.lecture import lecture, lecturing


@dataclass(frozen=True)
class Ready:
    """A lecture that ships: its file's name, title, minutes, stops and text; a course for oneself `asks`.

    One that `is_whole` is about all of it, and is called by its minutes; another one has a subject.
    """

    name: str
    title: str
    minutes: int
    stops: int
    text: str
    asks: bool
    is_whole: bool


def lectures() -> tuple[Ready, ...]:
    """The lectures that ship. Raises ExplorerError for a file that is damaged."""
    return _lectures(language())


@read_once
def _lectures(language: str) -> tuple[Ready, ...]:
    return tuple(
        sorted((_read(path.stem) for path in LECTURES.glob("*.md")), key=lambda ready: -ready.minutes)
    )


def _read(name: str) -> Ready:
    path = LECTURES / f"{name}.md"
    english = assets.text(path)
    text = translate_lines(english)
    try:
        items = lecture.read(text, navigation.titles())
    except TextError as error:
        raise assets.damaged(path) from error
    minutes = sum(item.minutes for item in items)
    stops = [item for item in items if item.stop]
    title, asks = items[0].text, any(stop.exercise for stop in stops)
    return Ready(
        name, title, minutes, len(stops), text, asks, is_whole=english.partition("\n")[0].endswith(" minutes")
    )


def follow_language() -> None:
    """Have an open lecture of ours ask in the language that is shown by now, as the views do."""
    name = lecturing.NAME.get()
    if name and lecturing.LANGUAGE.get() != language():
        text = next(ready.text for ready in lectures() if ready.name == name)
        lecturing.LECTURE.set(lecture.read(text, navigation.titles()))
        lecturing.LANGUAGE.set(language())


def open_lecture(ready: Ready) -> None:
    """Take a lecture and open its first stop (for a callback)."""
    lecturing.load(ready.text, ready.name)
    lecturing.go(0)
    presets.bring_into_view()


Open = Callable[[Ready], None]


def by_length(where: str, on_click: Open = open_lecture) -> None:
    """Those about all of it, by their minutes, the shortest first; `where` begins the keys of the buttons."""
    for ready in reversed([one for one in lectures() if one.is_whole]):
        _button(where, _("{count} min", count=ready.minutes), ready, on_click)


def by_subject(where: str, on_click: Open = open_lecture) -> None:
    """Those about one subject, by their titles."""
    for ready in lectures():
        if not ready.is_whole and not ready.asks:
            _button(where, ready.title, ready, on_click)


def _button(where: str, label: str, ready: Ready, on_click: Open) -> None:
    how = _(
        "{lecture}, {stops} stops in {minutes} minutes",
        lecture=ready.title,
        stops=ready.stops,
        minutes=ready.minutes,
    )
    st.button(label, key=f"{where}/lecture/{ready.name}", help=how, on_click=on_click, args=(ready,))
