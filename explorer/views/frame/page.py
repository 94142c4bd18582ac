"""The frame of every page: title, model, badge, undo, reset, save.

    with page("attention", SETTINGS) as header:
        model = header.model("ATTENTION")
        with picture():
            ...

What follows the picture is in `under_picture.py`.

The first words of a page are sent before anything heavy is imported.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from explorer import assets
from explorer.assets import CHECKPOINTS
from explorer.catalogue.ability import all_of
from explorer.errors import ExplorerError
from explorer.server import memory, warm_up
from explorer.system.free_memory import is_memory_error, size_error
from explorer.views.frame import cost, glossary, moved, navigation, picker, presenter, problem, teach
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.lecture import course_sheet, lecture_place, lecture_sidebar, lecturing, stage
from explorer.views.frame.polls import class_room, panel, stop_poll
from explorer.views.frame.presets import last_press
from explorer.views.frame.saving import notebook_dialog, saving
from explorer.views.look import theme
from explorer.views.settings.settings import Settings
from explorer.views.widgets import numbers
from explorer.views.widgets.registry import component, component_value, style
from explorer.views.widgets.visually_hidden import icon_button

if TYPE_CHECKING:
    from explorer.models import LanguageModel

TABLES = re.compile(r"\n(?=## (?:[A-Z][a-z]+ samples|Scores)\n)")  # what follows the plain words of a card
MORE_OF_CARD = "Samples, scores, and how it was made"
LONGEST = 600  # characters of a message, which may quote what was typed
SESSION = "/session-number"
FENCE = "~" * 8  # around a text in Markdown that is shown as it is


class Header:
    """The right side of a page's first line, filled once the page knows its model."""

    def __init__(
        self, settings: Settings, slot: Any, places: presenter.Places, polls: Any, question: Any, course: Any
    ) -> None:
        self._settings = settings
        self._slot = slot
        self.places = places  # presenter mode's places in the header
        self.polls = polls  # the popover Teach
        self.question = question  # the place of what the class is asked
        self.course = course  # the place of what a course asks; None without a lecture

    def model(self, *abilities: str) -> "LanguageModel":
        """Draw the picker and the badge; return the chosen model, loaded.

        `abilities` are names of `Ability` members, or several with spaces; the model has one of them.
        """
        warm_up.yield_to_first_paint()
        with self._slot:
            chosen = picker.pick(self._settings, *map(all_of, abilities))
        self.badge(str(chosen.checkpoint), picker.OTHER_MODELS if picker.open_sources() else "")
        return chosen

    def bundled(self, names: list[str]) -> str:
        """Draw a picker of these checkpoints only; returns the chosen name and loads nothing."""
        with self._slot:
            return picker.pick_bundled(self._settings, names)

    def badge(self, checkpoint: str, others: str = "") -> None:
        """Where the numbers on this page come from; a click opens the model's card, and `others` below it."""
        with (
            self._slot,
            st.popover("About this model", help="What it was trained on, what it does well and what badly"),
        ):
            if ":" not in checkpoint:
                navigation.link("models", "What it learnt, and when", model=checkpoint)
            words, *rest = TABLES.split(card(checkpoint), maxsplit=1)
            prose(f"badge/{checkpoint}", words)
            if rest:
                with st.expander(MORE_OF_CARD):
                    prose(f"badge/{checkpoint}/rest", rest[0])
            if others:
                st.html(f'<p class="rb-point">{others}</p>')


@contextmanager
def page(name: str, settings: Settings, views: Mapping[str, str] | None = None) -> Iterator[Header]:
    """Everything around a page; an ExplorerError is shown where it occurs.

    `views` are the labels of its views by their names, if it has several: the chosen one is in the title.
    """
    this = navigation.find(name)
    st.set_page_config(layout="wide", initial_sidebar_state="auto")
    navigation.ensure()
    styles = "\n".join([style("look/page.css"), presenter.css() or style("look/phone.css")])
    st.html(f"<style>{theme.css_rules(palette())}\n{styles}</style>")
    presenter.change_page()
    lecture_place.follow_address()
    lecture_place.write_address()
    moved.follow_redirect(settings)
    lecturing.begin()
    lecture_place.take_sheet()
    lecturing.apply_stop(settings)
    stop_poll.follow()
    saving.apply_opened(settings)
    settings.open()
    view = views.get(settings.value("view"), "") if views else ""
    st.set_page_config(page_title=f"{': '.join(filter(None, (this.title, view)))} · Riverbank")
    course = None
    if not presenter.presenting():
        navigation.wordmark()
        course = lecture_sidebar.draw()
        navigation.sidebar(name, settings.link())
        notebook_dialog.sidebar()
        with st.sidebar:
            component("frame/letter_keys")(key="letter-keys", data={}, height="content")
    numbers.switch()
    stop = stage.stop(settings) if presenter.presenting() else None
    with st.container(key="header", horizontal=True, vertical_alignment="center"):
        st.title(lecturing.plain(stop.text) if stop else this.title, anchor=False, width="stretch")
        if presenter.presenting():
            lecture_sidebar.present()
        slot = st.container(key="header-right", horizontal=True, vertical_alignment="center", width="content")
        with st.container(key="header-tools", horizontal=True, vertical_alignment="center", width="content"):
            with st.container(key="header-again", horizontal=True, width="content", gap=None):
                saving.undo(settings)
                icon_button("restart_alt", "Reset this page", key=f"{name}/reset", on_click=settings.reset)
            save = None
            if not presenter.presenting():
                glossary.place()
                save = saving.place()
            polls = teach.place()
            places = presenter.controls(has_question=bool(stop and stop.question))
    # Presenter mode keeps its place: otherwise React would rebuild all that follows.
    if presenter.presenting():
        panel.draw_line(settings)
    else:
        st.html(f'<p class="rb-caption">{with_terms(this.caption)}</p>')
    question = st.container()
    if (error := problem.take()) is not None:
        show_error(error, key="session-problem")
    warm_up.pause()
    try:
        yield Header(settings, slot, places, polls, question, course)
    except (ExplorerError, MemoryError, OSError, RuntimeError) as error:
        if not show_script_error(error):
            raise
        presenter.fill(places, settings)
    finally:
        try:
            lecture_place.write_address()
            settings.close()
        finally:  # a stop may end it
            warm_up.resume()
    if save is not None:
        saving.control(settings, save)
    else:
        saving.watch(settings)
    course_sheet.draw()
    data = {
        # After a restart it is drawn anew, and brings again what a session that never came to be was sent.
        "session": st.session_state.setdefault(SESSION, token_hex(4)),
        "press": last_press(),
        "scheme": palette().name,
        "room": class_room.key(),
        "covered": class_room.key() and stop_poll.state(),  # the picture may be covered since
        "lecture": lecture_place.for_browser(),
    }
    component("frame/page_behaviour")(
        key=navigation.BEHAVIOUR,
        data=data,
        height=1,
        width=1,
        on_scheme_change=_redraw,
        on_again_change=_redraw,
        on_room_change=_take_over,
        on_lecture_change=_go_on,
    )
    settings.note_drawn()


def palette() -> theme.Palette:
    """The palette of the visitor's theme."""
    return theme.palette(st.context.theme.type)


def _take_over() -> None:
    """The tab brings the room of a class."""
    if (key := component_value(navigation.BEHAVIOUR, "room", str)) is not None:
        class_room.take_over(key)


def _go_on() -> None:
    """The browser brings what it has kept of the lecture in the address."""
    if (state := component_value(navigation.BEHAVIOUR, "lecture", str)) is not None:
        lecture_place.take(state)


def _redraw() -> None:
    """The visitor's theme has changed, or the connection is back: the run that follows draws all again."""


def show_script_error(error: Exception) -> bool:
    """Show an error of ours, or too little memory; False for any other."""
    if is_memory_error(error):
        error = size_error("this picture")
    if isinstance(error, ExplorerError):
        show_error(error)
    return isinstance(error, ExplorerError)


def show_error(error: ExplorerError, key: str = "problem") -> None:
    """Show what happened, and what to do. A page may have several errors."""
    with _box(key):
        st.text(error.message if len(error.message) <= LONGEST else f"{error.message[:LONGEST]} …")
        if error.hint:
            st.text(error.hint)
        if isinstance(error, picker.NotChosenError):
            st.button("Load it", key=f"load/{error.name}", on_click=picker.choose, args=(error.name,))


def _box(key: str) -> Any:
    """A container with this key, or the next free one: `problem`, `problem-2`."""
    for free in (key, *(f"{key}-{number}" for number in range(2, 20))):
        with suppress(StreamlitDuplicateElementKey):
            return st.container(key=free, border=True)
    return st.container(border=True)


def picture(_: object = None) -> AbstractContextManager[Any]:
    """The container of a page's main picture, which is wholly in view when the page opens."""
    box: AbstractContextManager[Any] = st.container(key="picture")
    return box


def prose(key: str, markdown: str) -> None:
    """A text of several paragraphs, with a key of its own.

    With another key React builds another text from scratch. Otherwise it would change single text nodes,
    and fail where a browser's translator has replaced them.
    """
    with st.container(key=key):
        st.markdown(markdown)


def card(name: str) -> str:
    """The card of a bundled checkpoint; for others, where the weights come from and what they cost."""
    path = CHECKPOINTS / name / "card.md"
    if ":" not in name and path.exists():
        return assets.text(path)
    source, _, rest = name.partition(":")
    where = {"hub": "the Hugging Face hub", "serve": "another machine"}.get(
        source, "a folder on this computer"
    )
    text = f"Trained weights from {where}:\n\n{_code(rest)}\n\nTheir authors' card says how they were made."
    if not memory.loaded(name):
        return text
    if theirs := getattr(memory.get(name), "card", ""):
        # As plain text: nothing that an unknown card links to is fetched.
        text += f"\n\n{FENCE}text\n{theirs.replace(FENCE, '')}\n{FENCE}"
    text += f"\n\n{cost.cost(name)}"
    left_out = memory.get(name).left_out
    heads = ", ".join(
        sorted({_code(parameter.rpartition(".")[0] or parameter) for parameter in left_out})[:9]
    )
    text += f"\n\nA head for another task was left out: {heads}." if heads else ""
    if getattr(memory.get(name), "classifier", None) is not None:
        text += "\n\nIts classifier was read too: Fine-tuning shows its classes."
    rowless = ", ".join(map(_code, memory.get(name).tokenizer.rowless[:20]))
    if rowless:
        text += f"\n\nThe weights have no row for these tokens, so they are read as text: {rowless}."
    # As plain text: they quote files of unknown origin.
    notes = " ".join(getattr(memory.get(name), "notes", ())).replace(FENCE, "")
    return text + (f"\n\n{FENCE}text\n{notes}\n{FENCE}" if notes else "")


def _code(name: str) -> str:
    """A name of unknown origin as code in Markdown; it cannot end the code."""
    line = " ".join(name.replace("`", "’").split())
    return f"`{line[:200]}`"
