"""One kind of view, one kind of room, and the function that runs any page.

A page's folder in `explorer/views` is its room. The room's `page.py` says what stands above the
picture and which views there are (`Room`); every view is a file beside it (`View`). Both are plain
modules that meet these protocols, which mypy checks. A page's script is then

    from explorer.views.frame.view import run
    from explorer.views.ROOM import page

    run(page)

What the views of a page look at together (a trace, the occurrences of a word) is worked out once a
rerun, by the room's `open`, and handed to them in a `Page`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame import caption, memory, more, navigation, presenter, reads, unread
from explorer.views.frame import page as frame
from explorer.views.frame.example import Example
from explorer.views.frame.first import First, untouched
from explorer.views.frame.page import Header, Preset
from explorer.views.frame.saving import Export, Picture, offer
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

HOME_MODEL = "bert"  # what a page without a choice of models asks
Data = TypeVar("Data")
Saves = Sequence[Export | Picture]  # what a view has to save, in the order of the Save control


class Reading(NamedTuple):
    """How to read a picture, in a sentence, and what it does not say."""

    sentence: str
    caveat: str = ""


@dataclass(frozen=True, eq=False)
class Page(Generic[Data]):
    """What a page hands its views: its settings, its model, and what they all look at.

    `chosen` is None on a page that loads no model. `row` is the container for the controls.
    """

    settings: Settings
    view: "View[Data]"
    data: Data
    chosen: "LanguageModel | None" = None
    row: Any = field(default_factory=lambda: st.container(gap=None))

    @property
    def model(self) -> "LanguageModel":
        """The model, on a page that always has one."""
        assert self.chosen is not None
        return self.chosen


class View(Protocol[Data]):
    """One picture of a page, with all that belongs to it."""

    # Properties here, so that a module may have a dict and a list; in a module they are plain names.
    @property
    def LABEL(self) -> str:
        """Its name in the row of views."""

    @property
    def FIRST(self) -> First:
        """What to see in the picture that it opens with, and what to try next."""

    @property
    def SETTINGS(self) -> Mapping[str, Any]:
        """Its own settings with their defaults."""

    @property
    def PRESETS(self) -> Sequence[Preset]:
        """What it can show in class."""

    def controls(self, page: Page[Data]) -> None:
        """The widgets above the picture."""

    def draw(self, page: Page[Data]) -> Saves:
        """The picture; returns what there is to save of it."""

    def below(self, page: Page[Data]) -> None:
        """What stands under the picture."""

    def reading(self, page: Page[Data]) -> Reading:
        """How to read the picture."""

    def example(self, page: Page[Data]) -> Example:
        """The same numbers from Python."""


class Room(Protocol[Data]):
    """A page: its name in the address, its views, and what stands around their picture."""

    @property
    def NAME(self) -> str:
        """The page's name in the address."""

    @property
    def SETTINGS(self) -> Mapping[str, Any]:
        """The page's own settings with their defaults; its views add theirs."""

    @property
    def VIEWS(self) -> Mapping[str, View[Data]]:
        """The views by their name in the address, in the order of the page."""

    def open(self, settings: Settings, header: Header) -> Page[Data]:
        """Draw what stands above the picture; work out what the views look at."""

    def place(self, page: Page[Data]) -> AbstractContextManager[Any]:
        """Where the picture is drawn."""

    def end(self, page: Page[Data]) -> None:
        """What stands below the presets."""


def nothing(page: Page[Any]) -> None:
    """For a view or a room that has nothing to draw there."""


def picture(page: Page[Any]) -> AbstractContextManager[Any]:
    """A room's usual place for the picture: across the page."""
    return frame.picture()


def choose(
    settings: Settings, views: Mapping[str, View[Data]], behind_more: Collection[str] = ()
) -> View[Data]:
    """The row of views; the chosen one, or the first where a link names none that there is.

    Those that need more to be understood may stand behind “More”.
    """
    settings.views = {name: view.LABEL for name, view in views.items()}
    if (place := presenter.entered(settings.page)) is not None:
        settings.set(view=list(views)[place])
    if settings["view"] not in views:
        settings.set(view=next(iter(views)))
    more.choice(settings, "view", "View", settings.views, behind_more)
    return views[settings["view"]]


def settings_of(room: Room[Any]) -> dict[str, Any]:
    """All settings of a page with their defaults."""
    found = dict(room.SETTINGS)
    for view in room.VIEWS.values():
        found |= view.SETTINGS
    return found


def run(room: Room[Any]) -> None:
    """Run a page, from its title to its code."""
    settings = Settings(room.NAME, **settings_of(room))
    with frame.page(room.NAME, settings) as header:
        page = room.open(settings, header)
        presets = [preset for view in room.VIEWS.values() for preset in view.PRESETS]
        if reads.move_on(settings, page.view.PRESETS, page.chosen, elsewhere=presets):
            st.rerun()
        presenter.fill(header.places, settings)
        view = page.view
        unread_place = st.empty()
        problem = _draw(room, page)
        if said := _unread(settings):
            unread_place.warning(said)
        if problem is None and untouched(settings, [*room.SETTINGS, *view.SETTINGS]):
            frame.first_look(view.FIRST)
        with _said_once(problem):
            view.below(page)
        drawn = str(page.chosen.checkpoint) if page.chosen is not None else ""
        settings.caption = caption.lines(navigation.find(room.NAME).title, view.LABEL, settings, drawn)
        with _said_once(problem):
            frame.how_to_read(*view.reading(page))
        frame.presets(settings, reads.readable(view.PRESETS, page.chosen), header.places)
        with _said_once(problem):
            room.end(page)
        if problem is None:
            example = view.example(page)
            frame.show_code(example.printed(), example.link)


def _unread(settings: Settings) -> str:
    """What to say where the page's model, once it is there, cannot read what was typed."""
    name = str(settings["model"]) if "model" in settings.defaults else HOME_MODEL
    texts = [settings[name] for name in settings.typed if settings[name].strip()]
    try:
        return unread.notice(memory.canonical(name), texts) if texts and memory.loaded(name) else ""
    except ExplorerError:  # what a model of whole words refuses is said where it is drawn
        return ""


@contextmanager
def _said_once(problem: ExplorerError | None) -> Iterator[None]:
    """What goes wrong around the picture is said too, unless the picture's own problem says the same."""
    try:
        yield
    except ExplorerError as error:
        if problem is None or str(error) != str(problem):
            frame.show_error(error)


def _draw(room: Room[Any], page: Page[Any]) -> ExplorerError | None:
    """Draw controls and picture; what went wrong stands in the picture's place, and is returned."""
    problem = None
    try:
        with page.row:
            page.view.controls(page)
    except ExplorerError as error:
        problem = error
    with room.place(page):
        try:
            if problem is not None:
                raise problem
            offer(page.settings, *page.view.draw(page))
        except ExplorerError as error:
            frame.show_error(error)
            problem = error
    return problem
