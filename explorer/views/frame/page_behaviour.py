"""What each page tells the browser once it stands, and what the browser brings: a room, a lecture's place."""

from secrets import token_hex

from explorer import locale
from explorer.server.session import Session
from explorer.views.frame import navigation
from explorer.views.frame.lecture import lecture_place
from explorer.views.frame.page import palette
from explorer.views.frame.polls import class_room, stop_poll
from explorer.views.frame.presets import last_press
from explorer.views.widgets.registry import component, component_value

SESSION = Session("/session-number", "")


def draw() -> None:
    """Place what acts in the browser once the page stands."""
    if not SESSION.get():
        SESSION.set(token_hex(4))
    data = {
        # After a restart it is drawn anew, and brings again what a session that never came to be was sent.
        "session": SESSION.get(),
        "press": last_press(),
        "language": locale.language(),
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
        on_scheme_change=redraw,
        on_again_change=redraw,
        on_room_change=take_over,
        on_lecture_change=go_on,
    )


def take_over() -> None:
    """The tab brings the room of a class."""
    if (key := component_value(navigation.BEHAVIOUR, "room", str)) is not None:
        class_room.take_over(key)


def go_on() -> None:
    """The browser brings what it has kept of the lecture in the address."""
    if (state := component_value(navigation.BEHAVIOUR, "lecture", str)) is not None:
        lecture_place.take(state)


def redraw() -> None:
    """The visitor's theme has changed, or the connection is back: the run that follows draws all again."""
