"""One kind of view, one kind of room, and the function that runs any page.

A page's folder in `explorer/views` is its room. Every view is a file in it that ends with `VIEW =
View(...)`, and the room's `page.py` says which views there are and what is drawn above their picture
(`Room`; a plain module that meets this protocol, which mypy checks). A page's script is then

    from explorer.views.frame.view import run
    from explorer.views.ROOM import page

    run(page)

What the views of a page have in common (a trace, the occurrences of a word) is computed once a rerun, by the
room's `open`, and handed to them in a `Page`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame import caption, memory, more, navigation, presenter, reads, unread, warm_up
from explorer.views.frame import page as frame
from explorer.views.frame.example import Example
from explorer.views.frame.first import First, untouched
from explorer.views.frame.page import Header, Preset
from explorer.views.frame.saving import Export, Picture, offer
from explorer.views.frame.setting import HOME_MODEL, MODEL, VIEW_NAME, Setting
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

Data = TypeVar("Data")
Saves = Sequence[Export | Picture]  # what a view has to save, in the order of the Save control


class Reading(NamedTuple):
    """How to read a picture, in a sentence, and what it does not say."""

    sentence: str
    caveat: str = ""


@dataclass(frozen=True, eq=False)
class Page(Generic[Data]):
    """What a page hands its views: its settings, its model, and the data that they draw.

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


def nothing(page: Page[Any]) -> None:
    """For a view or a room that has nothing to draw there."""


def ask_nothing(settings: Settings) -> None:
    """For a view that draws its text boxes among its controls, or in which nothing is typed."""


@dataclass(frozen=True, kw_only=True, eq=False)
class View(Generic[Data]):
    """One picture of a page, with all that belongs to it.

    `label` is its name in the row of views; `first` says what to see in the picture that it opens with, and
    what to try next. `draw` draws the picture and returns what there is to save of it; `controls` are the
    widgets above it, `below` comes under it. `reading` says how to read it, `example` gives the same
    numbers from Python. `settings` are its own, with their defaults; `presets` are what it can show in
    class.

    `needs` are names of abilities, any one of which its model must have; a chosen model without one gives
    way to the bundled `model`. Where each view asks for texts of its own, `ask` draws their boxes, before
    the model is loaded.
    """

    label: str
    first: First
    draw: Callable[[Page[Data]], Saves]
    reading: Callable[[Page[Data]], Reading]
    example: Callable[[Page[Data]], Example]
    settings: Sequence[Setting[Any]] = ()
    presets: Sequence[Preset] = ()
    controls: Callable[[Page[Data]], None] = nothing
    below: Callable[[Page[Data]], None] = nothing
    ask: Callable[[Settings], None] = ask_nothing
    needs: Sequence[str] = ()
    model: str = HOME_MODEL


class Room(Protocol[Data]):
    """A page: its name in the address, its views, and what is drawn around their picture."""

    # Properties here, so that a module may have a dict and a list; in a module they are plain names.
    @property
    def NAME(self) -> str:
        """The page's name in the address."""

    @property
    def SETTINGS(self) -> Sequence[Setting[Any]]:
        """The page's own settings with their defaults; its views add theirs."""

    @property
    def VIEWS(self) -> Mapping[str, View[Data]]:
        """The views by their name in the address, in the order of the page."""

    def open(self, settings: Settings, header: Header) -> Page[Data]:
        """Draw what is above the picture; compute what the views draw."""

    def place(self, page: Page[Data]) -> AbstractContextManager[Any]:
        """Where the picture is drawn."""

    def end(self, page: Page[Data]) -> None:
        """What is drawn below the presets."""


def picture(page: Page[Any]) -> AbstractContextManager[Any]:
    """A room's usual place for the picture: across the page."""
    return frame.picture()


def choose(
    settings: Settings, views: Mapping[str, View[Data]], behind_more: Collection[str] = ()
) -> View[Data]:
    """The row of views; the chosen one, or the first where a link names none that there is.

    Those that need more to be understood may stand behind “More”.
    """
    settings.views = {name: view.label for name, view in views.items()}
    if (place := presenter.entered(settings.page)) is not None:
        settings.set(VIEW_NAME.to(list(views)[place]))
    if settings[VIEW_NAME] not in views:
        settings.set(VIEW_NAME.to(next(iter(views))))
    more.choice(settings, VIEW_NAME, "View", settings.views, behind_more)
    return views[settings[VIEW_NAME]]


def able_model(settings: Settings, header: Header, view: View[Any]) -> "LanguageModel | None":
    """The chosen model, or the view's own if the chosen one lacks the abilities that it needs.

    None for a view that needs no model.
    """
    warm_up.let_words_out()
    if not view.needs:
        return None
    import explorer
    from explorer.trace import Ability

    known = {str(checkpoint): checkpoint.abilities for checkpoint in explorer.available()}
    abilities = known.get(settings[MODEL])
    if abilities is not None and not any(abilities & Ability[name] for name in view.needs):
        settings.adjust(MODEL.to(view.model))
    return header.model(*view.needs)


def settings_of(room: Room[Any]) -> list[Setting[Any]]:
    """All settings of a page: its own, and those of its views."""
    every = [*room.SETTINGS, *(setting for view in room.VIEWS.values() for setting in view.settings)]
    return list(dict.fromkeys(every))


def run(room: Room[Any]) -> None:
    """Run a page, from its title to its code."""
    settings = Settings(room.NAME, *settings_of(room))
    with frame.page(room.NAME, settings) as header:
        page = room.open(settings, header)
        presets = [preset for view in room.VIEWS.values() for preset in view.presets]
        if reads.move_on(settings, page.view.presets, page.chosen, elsewhere=presets):
            st.rerun()
        presenter.fill(header.places, settings)
        view = page.view
        unread_place = st.empty()
        problem = _draw(room, page)
        if warning := _unread(settings):
            unread_place.warning(warning)
        if problem is None and untouched(settings, [*room.SETTINGS, *view.settings]):
            frame.first_look(view.first)
        with _unless_repeated(problem):
            view.below(page)
        drawn = str(page.chosen.checkpoint) if page.chosen is not None else ""
        settings.caption = caption.lines(navigation.find(room.NAME).title, view.label, settings, drawn)
        with _unless_repeated(problem):
            frame.how_to_read(*view.reading(page))
        frame.presets(settings, reads.readable(view.presets, page.chosen), header.places)
        with _unless_repeated(problem):
            room.end(page)
        if problem is None:
            example = view.example(page)
            frame.show_code(example.printed(), example.link)


def _unread(settings: Settings) -> str:
    """What to say where the page's model, once it is there, cannot read what was typed."""
    name = settings[MODEL] if MODEL in settings.defaults else HOME_MODEL
    texts = [text for label in settings.text_labels if (text := str(settings.value(label))).strip()]
    try:
        return unread.notice(memory.canonical(name), texts) if texts and memory.loaded(name) else ""
    except ExplorerError:  # what a model of whole words refuses is said where it is drawn
        return ""


@contextmanager
def _unless_repeated(problem: ExplorerError | None) -> Iterator[None]:
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
