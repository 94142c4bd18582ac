"""One kind of view, one kind of page, and the function that runs any page.

A page has a folder in `explorer/views`. Every view is a file in it that ends with `VIEW = View(...)`, and the
folder's `page.py` ends with `PAGE = Page(...)`, which names the views and says what is drawn around their
picture. The script of the page is then

    from explorer.views.frame.view import run
    from explorer.views.FOLDER import page

    run(page.PAGE)

What the views of a page have in common (a trace, the occurrences of a word) is computed once a rerun, by
`Page.open`, and given to them in an `OpenPage`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from zlib import crc32

import streamlit as st

import explorer
from explorer.catalogue.ability import all_of
from explorer.errors import ExplorerError
from explorer.server import memory, warm_up
from explorer.views.frame import (
    example_language,
    navigation,
    presenter,
    safe_sentences,
    teach,
    under_picture,
    unreadable,
)
from explorer.views.frame import page as frame
from explorer.views.frame.choice_row import choice_row
from explorer.views.frame.example import Example
from explorer.views.frame.hints import untouched
from explorer.views.frame.lecture import course, lecturing, stage
from explorer.views.frame.lecture.stage import STAGE, Stage
from explorer.views.frame.page import Header
from explorer.views.frame.polls import asking, panel, stop_poll
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.presets import Preset, draw_presets, presets, presets_in_row
from explorer.views.frame.saving import caption, data_table
from explorer.views.frame.saving.saving import Export, Picture, offer
from explorer.views.frame.view_text import Reading, ViewText
from explorer.views.settings.setting import HOME_MODEL, MODEL, VIEW_NAME, Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets.visually_hidden import hidden_heading, live_region

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
    def model(self) -> "LanguageModel":
        """The model, on a page that always has one."""
        assert self.chosen is not None
        return self.chosen


@dataclass(frozen=True, kw_only=True, eq=False)
class View(Generic[Data]):
    """One picture of a page, with all that belongs to it.

    `text` is what it says, and `reading` how to read its picture where that depends on more than the text.
    `draw` draws the picture and returns what there is to save of it; `controls` are the widgets above it,
    `below` comes under it. `example` gives the same numbers from Python. `settings` are its own, with their
    defaults. What it can show in class is in the page's file of presets.

    `now` says, once something has been changed, what has become of what `text.first` says of the opening
    picture (“was 0.46, now 0.09”), as HTML; nothing is said if it is empty.

    `is_opening` is for what no setting holds, such as a training run: it says whether the picture is still
    the one that `first` describes. Once it returns False, `now` takes the place of `first`, as after a
    changed setting. It is asked after `draw`:

        View(..., is_opening=lambda page: trained_heads.newest() is None, now=after_training)

    `stage` says what presenter mode shows of it: what a stop of a lecture covers until its question has been
    asked, which controls stay, and what is for the desk.

    `asks` makes questions to a class from what is on screen, with the model's own answers. It is called at
    each rerun while a class is there, so answers that have to be computed are a `Later`.

    `needs` are names of abilities, or several with spaces; its model must have one of them, otherwise the
    bundled `model` takes its place, and a notice says so. If each view of a page has texts of its own, `ask`
    draws their boxes, before the model is loaded.
    """

    text: ViewText
    draw: Callable[[OpenPage[Data]], Saves]
    example: Callable[[OpenPage[Data]], Example]
    settings: Sequence[Setting[Any]] = ()
    controls: Callable[[OpenPage[Data]], object] = lambda page: None
    below: Callable[[OpenPage[Data]], object] = lambda page: None
    ask: Callable[[Settings], object] = lambda settings: None
    needs: Sequence[str] = ()
    model: str = HOME_MODEL
    reading: Reading | Callable[[OpenPage[Data]], Reading] | None = None
    stage: Stage = STAGE
    asks: Callable[[OpenPage[Data]], Sequence[Poll]] = lambda page: ()
    now: Callable[[OpenPage[Data]], str] = lambda page: ""
    is_opening: Callable[[OpenPage[Data]], bool] = lambda page: True


UNABLE = "/view/unable"  # session key: the chosen model, if it cannot do what the view shows
UNKNOWN_VIEW = "/view/unknown"  # session key: the page and the view that an address named, and the page lacks
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


def choose(settings: Settings, views: Mapping[str, AnyView]) -> AnyView:
    """Draw the row of views; returns the chosen one, or the first if a link names an unknown one.

    Views with an `audience` are behind “More”.
    """
    settings.views = {name: view.text.label for name, view in views.items()}
    if (place := presenter.entered(settings.page)) is not None:
        settings.set(VIEW_NAME.to(list(views)[place]))
    if settings[VIEW_NAME] not in views:
        st.session_state[UNKNOWN_VIEW] = settings.page, settings[VIEW_NAME]
        settings.set(VIEW_NAME.to(next(iter(views))))
    audiences = {name: view.text.audience for name, view in views.items() if view.text.audience}
    choice_row(settings, VIEW_NAME, "View", settings.views, audiences)
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
    st.session_state[UNABLE] = ""
    if abilities is not None and not any(all_of(names) in abilities for names in needs):
        settings.show_instead(MODEL.to(instead or settings.defaults[MODEL]))
        if name != settings.defaults[MODEL]:
            st.session_state[UNABLE] = name
    return header.model(*needs)


def settings_of(page: Page[Any]) -> list[Setting[Any]]:
    """All settings of a page: its own, and those of its views. Their names are unique on the page."""
    every = [*page.settings, *(setting for view in page.views.values() for setting in view.settings)]
    unique = {str(setting): setting for setting in every}
    for setting in every:
        assert unique[str(setting)] is setting, f"two settings of the page {page.name} are called {setting}"
    return list(unique.values())


def run(page: Page[Any]) -> None:
    """Run a page, from its title to its code."""
    settings = Settings(page.name, *settings_of(page))
    labels = {name: view.text.label for name, view in page.views.items()} if len(page.views) > 1 else {}
    with frame.page(page.name, settings, labels) as header:
        open_page = page.open(settings, header)
        view = open_page.view
        name = settings[VIEW_NAME] if VIEW_NAME in settings.defaults else next(iter(page.views))
        choices = presets_in_row(page.name, name)
        elsewhere = presets(page.name)
        if example_language.switch_language(settings, choices, open_page.chosen, elsewhere=elsewhere):
            st.rerun()
        model_name = str(open_page.chosen.checkpoint) if open_page.chosen is not None else ""
        text = partial(_asked_text, open_page)
        who = memory.short_label(model_name)
        polls = partial(asking.polls, settings, partial(view.asks, open_page), who, text)
        asking.ask_what_waited(polls)
        steps = stop_poll.steps(settings, view.stage, polls)
        presenter.fill(header.places, settings, view.stage, steps)
        if not presenter.presenting():
            is_course = stage.asks_oneself(settings) and not course.controls_shown()
            hidden = ", ".join(filter(None, (view.stage.desk, view.stage.beyond_course))) if is_course else ""
            st.html(f"<style>{stage.cover_css(settings, view.stage, hidden)}</style>")
        teach.fill(header.polls, settings, polls)
        with header.question:
            poll_saves = panel.draw(settings, polls, steps.state)
        if header.course is not None:
            with header.course:
                course.draw(settings, polls)
        if not presenter.presenting():
            st.html('<label class="rb-settings"><input type="checkbox">Controls</label>')  # see phone.css
        notice_place = st.empty()
        problem = _draw(page, open_page)
        if poll_saves:
            offer(settings, *poll_saves)
        if (
            warning := _unable_notice(settings)
            or _unknown_view_notice(page, settings)
            or _unreadable_notice(settings)
        ):
            notice_place.warning(warning)
        is_asked = stage.is_asked(settings, view.stage)
        if problem is None and not is_asked:  # a line on what is shown would be read aloud
            _show_line_below(page, open_page, choices)
        readable = example_language.readable(choices, open_page.chosen)
        safe_sentences.draw(settings, name, draw_presets(settings, readable, header.places))
        with _unless_repeated(problem):
            view.below(open_page)
        settings.caption = caption.lines(
            navigation.find(page.name).title, view.text.label, settings, model_name
        )
        live_region(f"{view.text.label} is drawn anew. {caption.aloud(settings)}", "rb-drawn")
        with _unless_repeated(problem):
            how = view.reading or view.text.reading
            under_picture.how_to_read(*(how(open_page) if callable(how) else how))
        under_picture.show_formulas(view.text.formulas, f"{page.name}-{crc32(view.text.label.encode())}")
        if problem is None:
            data_table.show(settings, view.text.label)
        with _unless_repeated(problem):
            page.end(open_page)
        if problem is None:
            example = view.example(open_page)
            under_picture.show_code(example.printed(), example.link)


def _show_line_below(page: Page[Any], open_page: OpenPage[Any], choices: Sequence[Preset]) -> None:
    """The hints of the opening picture, the point of a preset that is in place, or what has changed."""
    settings, view = open_page.settings, open_page.view
    names = [*page.settings, *view.settings]
    opening = view.is_opening(open_page)
    pressed = [preset for preset in choices if untouched(settings, names, preset.values)]
    if opening and untouched(settings, names):
        under_picture.show_hints(view.text.first)
    elif opening and pressed:
        under_picture.show_point(pressed[0].label, pressed[0].point)
    else:
        under_picture.show_now(view.now(open_page))


def _unable_notice(settings: Settings) -> str:
    """A notice if the chosen model cannot do what the view shows; else empty."""
    if not (name := st.session_state.pop(UNABLE, "")):
        return ""
    shown = memory.short_label(settings[MODEL])
    return (
        f"{memory.short_label(name)} cannot do what this view shows: here it is {shown}. The list has others."
    )


def _unknown_view_notice(page: Page[Any], settings: Settings) -> str:
    """A notice if the address names a view that the page does not have; else empty."""
    of_page, name = st.session_state.get(UNKNOWN_VIEW, ("", ""))
    is_first = of_page == settings.page and settings[VIEW_NAME] == next(iter(settings.views))
    if not is_first or name in page.views:  # a view may lack with some models only
        st.session_state.pop(UNKNOWN_VIEW, None)
        return ""
    name = lecturing.plain(str(name)[:40])
    return f"This page has no view “{name}”, so its first one is shown. Choose another above."


def _asked_text(page: OpenPage[Any]) -> str:
    """The text of the view's picture that a stop's question is about; "" where the picture shows it."""
    text = page.view.stage.text
    return text(page) if callable(text) else page.settings[text] if text is not None else ""


def _unreadable_notice(settings: Settings) -> str:
    """A notice if the page's model, once loaded, cannot read what was typed; else empty."""
    name = settings[MODEL] if MODEL in settings.defaults else HOME_MODEL
    texts = [text for box in settings.text_labels if (text := str(settings.value(box))).strip()]
    try:
        return unreadable.notice(memory.canonical(name), texts) if texts and memory.loaded(name) else ""
    except ExplorerError:  # the view shows what a model of whole words refuses
        return ""


@contextmanager
def _unless_repeated(problem: ExplorerError | None) -> Iterator[None]:
    """Show an error from around the picture, unless it repeats the picture's own."""
    try:
        yield
    except ExplorerError as error:
        if problem is None or str(error) != str(problem):
            frame.show_error(error)


def _draw(page: Page[Any], open_page: OpenPage[Any]) -> ExplorerError | None:
    """Draw controls and picture; an error is shown in the picture's place, and returned."""
    problem = None
    try:
        with open_page.row:
            open_page.view.controls(open_page)
    except ExplorerError as error:
        problem = error
    hidden_heading(f"Picture: {open_page.view.text.label}", "rb-picture")
    with page.place(open_page):
        try:
            if problem is not None:
                raise problem
            offer(open_page.settings, *open_page.view.draw(open_page))
        except ExplorerError as error:
            frame.show_error(error)
            problem = error
    return problem
