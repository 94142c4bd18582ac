"""Presenter mode, for a projector: only the title, the text and one picture, enlarged.

`?present=1` in the address turns it on, so that a link for a lecture opens in it. PageUp and PageDown,
the keys of a clicker, go from view to view, and from a page's last view to the next page; with a lecture
they go from stop to stop, and at each ask the class (`polls/stop_poll.py`) and uncover its picture
(`stage.py`). P enters and leaves, B blanks the
screen, R fills it with the way into the class's room, A asks the class a second time, K shows and hides all
controls, S what to see, at the lower edge.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from explorer.locale import _
from explorer.server.session import Session
from explorer.server.streamlit_private import in_script
from explorer.views.frame import navigation, popovers, problem
from explorer.views.frame.lecture import lecturing, notes_window, stage
from explorer.views.frame.lecture.stage import ON, Stage
from explorer.views.frame.polls import class_room
from explorer.views.settings.setting import VIEW_NAME
from explorer.views.settings.settings import PRESENT, Settings, turn_presenting
from explorer.views.widgets.registry import component, component_value, style
from explorer.views.widgets.visually_hidden import hidden_label, icon_button

PAGER = "present/pager"
EMPTY = Stage(covered=())
TURNS = Session("/present/turns", 0)
TURNING = Session[tuple[str, int] | None]("/present/turning", None)
ENTERED = Session[tuple[str, int]]("/present/entered", ("", 0))
PRESETS = "present/presets"
FULL_HD = 1.619  # that on a projector of 1920x1080, which most have; the browser says what it is here
ZOOM = Session("/present/zoom", FULL_HD)  # how much the browser enlarges the page
MOST_ZOOM = 4
CONTROLS_SHOWN = Session("/present/controls-shown", False)  # whether all controls are on stage
HINTS_SHOWN = Session("/present/hints-shown", False)  # whether the line on what to see is shown


class Destination(NamedTuple):
    """The destination of a key: its title, and the callback that goes there."""

    title: str
    go: Callable[..., None]
    arguments: tuple[Any, ...]


@dataclass
class Places:
    """Presenter mode's places in the header, filled once the page knows its views; None outside of it."""

    pager: Any = None
    notes: Any = None
    presets: Any = None
    buttons: dict[str, Any] = field(default_factory=dict)
    filled: bool = False


def presenting() -> bool:
    """Whether the address asks for presenter mode."""
    return stage.presenting()


def enter() -> None:
    """Enter presenter mode (for a callback)."""
    turn_presenting({PRESENT: ON})


def controls_shown() -> bool:
    """Whether presenter mode shows all controls, or only those of what the address changes."""
    return CONTROLS_SHOWN.get()


def for_class() -> bool:
    """Whether the stage, or the page of a lecture, shows a class what it understands, without what
    “Controls” adds for the desk.
    """
    return in_script() and ((presenting() and not controls_shown()) or stage.RECORDING.get())


def _note_zoom() -> None:
    value = component_value(PAGER, "zoom", [int, float])
    if value is not None and 1 <= value <= MOST_ZOOM:
        ZOOM.set(float(value))


def css() -> str:
    """The CSS of presenter mode; empty outside of it."""
    return style("frame/presenter.css") if presenting() else ""


def controls(has_question: bool) -> Places:
    """Draw what the key P presses; in presenter mode the button that leaves, and places for the others.

    Where a stop's question is on the screen, there is no button for what to see.
    """
    if not presenting():
        # Nobody sees it: a key presses no button of a popover that is closed, as the one under Teach is.
        st.button(_("Present"), key="present/enter", shortcut="P", on_click=enter)
        return Places()
    places = Places(pager=st.container(width="content"), presets=st.container(width="content"))
    places.notes = st.container(width="content")
    for key in ("PageUp", "PageDown"):
        places.buttons[key] = st.container(key=f"present-{key}", width="content")
    if not has_question:
        icon_button(
            "speaker_notes",
            _("Hide the hints (S)") if HINTS_SHOWN.get() else _("Show the hints (S)"),
            key="present/tell",
            shortcut="S",
            type="tertiary",
            on_click=_toggle,
            args=(HINTS_SHOWN,),
        )
    st.button(
        _("Controls"),
        key="present/controls",
        shortcut="K",
        type="primary" if controls_shown() else "secondary",
        help=_("The view, the model and all that can be set (K)"),
        on_click=_toggle,
        args=(CONTROLS_SHOWN,),
    )
    icon_button(
        "close_fullscreen",
        _("Leave presenter mode (P)"),
        key="present/leave",
        shortcut="P",
        type="tertiary",
        on_click=turn_presenting,
        args=({},),
    )
    return places


class PollSteps(NamedTuple):
    """What stands on the stage (`stop_poll.on_stage`), and where a press leads from a poll, back and on."""

    state: str = ""
    back: Destination | None = None
    on: Destination | None = None


def fill(
    places: Places, settings: Settings, here: Stage = EMPTY, poll_steps: PollSteps | None = None
) -> None:
    """Cover what a stop has not shown yet, before it is drawn, and hide what is for the desk.

    And draw the buttons back and on, once; the keys of a clicker press them.
    """
    if places.pager is None or places.filled:
        return
    places.filled = True
    poll_steps = poll_steps or PollSteps()
    number = len(stage.parts(settings, here))
    number_shown = stage.number_shown(number)
    st.html(f"<style>{stage.css(settings, here, all_controls=controls_shown())}</style>")
    with places.notes:
        notes_window.button(number - number_shown, poll_steps.on.title if poll_steps.on else "")
    for (key, place), by in zip(places.buttons.items(), (-1, 1)):
        destination = poll_steps.on if by > 0 else poll_steps.back
        destination = destination or _uncovering(settings, here, number_shown + by, number)
        destination = destination or _destination(settings, by)
        title = f"{lecturing.plain(destination.title)} ({key})" if destination else key
        with place:
            st.button(
                hidden_label(title),
                key=f"present/{key}",
                icon=":material/chevron_left:" if by < 0 else ":material/chevron_right:",
                type="tertiary",
                disabled=destination is None,
                help=title if destination else None,
                on_click=_step,
                args=(destination.go, *destination.arguments) if destination else (),
            )
    with places.pager:
        # The number tells the component that a step has been taken, and the buttons above are new. It covers
        # parts of the picture, and is drawn again when others are covered, or hidden with the controls.
        component("frame/pager")(
            key=PAGER,
            data={
                "at": TURNS.get(),
                "zoom": ZOOM.get(),
                "controls": controls_shown(),
                "stage": poll_steps.state,
            },
            height=1,
            width=1,
            on_zoom_change=_note_zoom,
        )


def presets(places: Places) -> Any:
    """The popover of the presets, which closes when one is chosen."""
    with places.presets:
        opened = st.popover(
            hidden_label(_("Presets")),
            icon=":material/lightbulb:",
            key=f"{PRESETS}/{popovers.times_closed(PRESETS)}",
            type="tertiary",
            help=_("Presets"),
        )
    return opened.container(gap="xxsmall")


def close_presets() -> None:
    """Close the popover of the presets (for a callback)."""
    popovers.close(PRESETS)


def change_page(here: str) -> None:
    """Change to the page that a step has requested, until it is the page that runs.

    A message of the browser may end a run on its way there.
    """
    turning = TURNING.get()
    if turning is not None and turning[0] == here:
        TURNING.take()
    elif turning is not None and navigation.FRAMED.get():
        ENTERED.set(turning)
        path = navigation.find(turning[0]).path
        st.switch_page(path, query_params={PRESENT: ON})


def entered(name: str) -> int | None:
    """The view with which a page opens after a step: 0 the first, -1 the last; None without a step."""
    page, view = ENTERED.take()
    return view if page == name else None


def _uncovering(settings: Settings, here: Stage, to: int, number: int) -> Destination | None:
    """The step to `to` uncovered parts of a picture, of so many; None where it leads to another stop."""
    if not 0 <= to <= number or number == 0:
        return None
    return Destination(_("Show") if to else _("Cover it again"), stage.show_parts, (settings, here, to))


def _destination(settings: Settings, by: int) -> Destination | None:
    """The destination one step on or back; None at either end."""
    if stops := lecturing.stops():
        at = lecturing.at()
        to = (0 if by > 0 else -1) if at is None else at + by
        number_shown = 0 if by > 0 else lecturing.WHOLE
        return Destination(stops[to].text, lecturing.go, (to, number_shown)) if 0 <= to < len(stops) else None
    views = list(settings.views)
    at = views.index(settings[VIEW_NAME]) if views and settings[VIEW_NAME] in views else 0
    if views and 0 <= at + by < len(views):
        view = views[at + by]
        return Destination(settings.views[view], _to_view, (settings, view))
    pages = navigation.pages()
    to = next(i for i, page in enumerate(pages) if page.name == settings.page) + by
    return Destination(pages[to].title, _to_page, (pages[to].name, by)) if 0 <= to < len(pages) else None


@problem.keep_errors
def _step(go: Callable[..., None], *arguments: Any) -> None:
    TURNS.set(TURNS.get() + 1)
    go(*arguments)


def _to_view(settings: Settings, view: str) -> None:
    class_room.put_away()  # what the class has answered to the view before
    settings.set(VIEW_NAME.to(view))


def _to_page(name: str, by: int) -> None:
    class_room.put_away()
    TURNING.set((name, 0 if by > 0 else -1))


def _toggle(switch: Session[bool]) -> None:
    switch.set(not switch.get())
