"""One kind of view, and one kind of page, which `order.run` runs.

A page has a folder in `explorer/views`. Every view is a file in it that ends with `VIEW = View(...)`, and the
folder's `page.py` ends with `PAGE = Page(...)`, which names the views and says what is drawn around their
picture. The script of the page is then

    from explorer.views.frame.order import run
    from explorer.views.FOLDER import page

    run(page.PAGE)

What the views of a page have in common (a trace, the occurrences of a word) is computed once a rerun, by
`Page.open`, and given to them in an `OpenPage`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

import explorer
from explorer.catalogue.ability import all_of
from explorer.locale import _
from explorer.server import warm_up
from explorer.server.session import Session
from explorer.views.frame import page as frame
from explorer.views.frame import presenter
from explorer.views.frame.choice_row import choice_row
from explorer.views.frame.example import Example
from explorer.views.frame.lecture.stage import STAGE, Stage
from explorer.views.frame.page import Header
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.frame.view_text import ViewText
from explorer.views.settings.setting import HOME_MODEL, MODEL, VIEW_NAME, Setting
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

Data = TypeVar("Data")
Saves = Sequence[Export | Picture]  # what a view has to save, in the order of the Save control


@dataclass(frozen=True, eq=False)
class OpenPage(Generic[Data]):
    """A page while it is on screen: its settings, its model, and the data that its views draw.

    `chosen` is None on a page that loads no model. `row` is the container for the controls.
    """

    settings: Settings
    view: "View[Data]"
    data: Data
    chosen: "LanguageModel | None" = None
    row: Any = field(default_factory=lambda: st.container(gap=None))

    @property
    def model_name(self) -> str:
        """Its checkpoint; empty without one."""
        return str(self.chosen.checkpoint) if self.chosen is not None else ""

    @property
    def model(self) -> "LanguageModel":
        """The model, on a page that always has one."""
        assert self.chosen is not None
        return self.chosen

    def asked_text(self) -> str:
        """The text of the view's picture that a stop's question is about; "" where the picture shows it."""
        text = self.view.stage.text
        return text(self) if callable(text) else self.settings[text] if text is not None else ""


@dataclass(frozen=True, kw_only=True, eq=False)
class View(Generic[Data]):
    """One picture of a page, with all that belongs to it: what it says, what it draws, what it does in class.

    It says `text`. `picture` draws it, and returns what there is to save of it; `boxes` are those of texts of
    its own, drawn before the model is loaded, `controls` the widgets above the picture, and `footer` is under
    it. `example` gives the same numbers from Python. `settings` are its own, with their defaults. `needs` are
    names of abilities, or several with spaces; its model must have one of them, otherwise the bundled `model`
    takes its place, and a notice says so.

    In class `stage` says what is covered, what stays of the controls, and what is asked. What can be shown is
    in the page's file of presets.
    """

    text: ViewText
    settings: Sequence[Setting[Any]] = ()
    needs: Sequence[str] = ()
    model: str = HOME_MODEL
    boxes: Callable[[Settings], object] = lambda settings: None
    controls: Callable[[OpenPage[Data]], object] = lambda page: None
    picture: Callable[[OpenPage[Data]], Saves]
    footer: Callable[[OpenPage[Data]], object] = lambda page: None
    example: Callable[[OpenPage[Data]], Example]
    stage: Stage = STAGE


UNABLE = Session("/view/unable", "")  # the chosen model, if it cannot do what the view shows
UNKNOWN_VIEW = Session("/view/unknown", ("", ""))  # page and view of an address, where the page lacks it
AnyView = TypeVar("AnyView", bound=View[Any])  # of the same kind as the page's views


@dataclass(frozen=True, kw_only=True, eq=False)
class Page(Generic[Data]):
    """A page: its name in the address, its own settings, its views, and what is drawn around their picture.

    `views` are by their name in the address, in the order of the page; each adds its settings. `open` draws
    what is above the picture and computes what the views draw, `place` is where the picture is drawn,
    and `end` comes above the code.
    """

    name: str
    views: Mapping[str, View[Data]]
    open: Callable[[Settings, Header], OpenPage[Data]]
    settings: Sequence[Setting[Any]] = ()
    place: Callable[[OpenPage[Data]], AbstractContextManager[Any]] = frame.picture
    end: Callable[[OpenPage[Data]], object] = lambda page: None

    def view_name(self, settings: Settings) -> str:
        """The name of the view on screen."""
        return str(settings[VIEW_NAME]) if VIEW_NAME in settings.defaults else next(iter(self.views))


def choose(settings: Settings, views: Mapping[str, AnyView]) -> AnyView:
    """Draw the row of views; returns the chosen one, or the first if a link names an unknown one.

    Views with an `audience` are behind “More”.
    """
    settings.views = {name: view.text.label for name, view in views.items()}
    if (place := presenter.entered(settings.page)) is not None:
        settings.set(VIEW_NAME.to(list(views)[place]))
    if settings[VIEW_NAME] not in views:
        UNKNOWN_VIEW.set((settings.page, settings[VIEW_NAME]))
        settings.set(VIEW_NAME.to(next(iter(views))))
    audiences = {name: view.text.audience for name, view in views.items() if view.text.audience}
    choice_row(settings, VIEW_NAME, _("View"), settings.views, audiences)
    return views[settings[VIEW_NAME]]


def able_model(settings: Settings, header: Header, view: View[Any]) -> "LanguageModel | None":
    """The chosen model, or the view's own if the chosen one lacks the abilities that it needs.

    None for a view that needs no model.
    """
    warm_up.yield_to_first_paint()
    return model_with(settings, header, *view.needs, instead=view.model) if view.needs else None


def model_with(settings: Settings, header: Header, *needs: str, instead: str = "") -> "LanguageModel":
    """The chosen model, or `instead`, by default the page's own, if it has none of these abilities."""
    abilities_of = {str(checkpoint): checkpoint.abilities for checkpoint in explorer.available()}
    name, abilities = settings[MODEL], abilities_of.get(settings[MODEL])
    UNABLE.set("")
    if abilities is not None and not any(all_of(names) in abilities for names in needs):
        settings.show_instead(MODEL.to(instead or settings.defaults[MODEL]))
        if name != settings.defaults[MODEL]:
            UNABLE.set(name)
    return header.model(*needs)


def settings_of(page: Page[Any]) -> list[Setting[Any]]:
    """All settings of a page: its own, and those of its views. Their names are unique on the page."""
    every = [*page.settings, *(setting for view in page.views.values() for setting in view.settings)]
    unique = {str(setting): setting for setting in every}
    for setting in every:
        assert unique[str(setting)] is setting, f"two settings of the page {page.name} are called {setting}"
    return list(unique.values())
