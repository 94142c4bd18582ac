"""What stands on the stage while a class is asked, and where the clicker leads from there, one press each.

asked   the question is read out, and the picture is covered
open    phones answer
closed  they no longer do
class   what the class has answered, and below each answer the model’s share, fills the stage
model   the picture; the class's answers are folded into a strip above it

From *closed* and from *class* the key A leads to *open* again: a second round, after a minute of talk.
Without an open room, or where no class is asked, *model* follows on *asked*.
"""

from explorer.errors import ExplorerError
from explorer.locale import _
from explorer.room.tally import key
from explorer.server.session import Session
from explorer.views.frame.lecture import lecturing, stage
from explorer.views.frame.lecture.stage import Stage
from explorer.views.frame.polls import asking, class_room, panel
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.presenter import Destination, PollSteps, presenting
from explorer.views.settings.settings import Settings

BEFORE = Session[int | None]("/room/before", None)  # the stop of the last run


def on_stage(settings: Settings, view_stage: Stage) -> str:
    """What stands on the stage: asked, open, closed, class or model."""
    now = state()
    if now == "shown":
        return "model" if class_room.is_folded() else "class"
    covered = not stage.number_shown(1) and stage.is_asked(settings, view_stage)
    return now or ("asked" if covered else "model")


def steps(settings: Settings, view_stage: Stage, make_polls: Polls) -> PollSteps:
    """What stands on the stage, and what the clicker does for the class's question; nothing where it
    uncovers the picture or goes to another stop.
    """
    if not presenting():
        return PollSteps()
    here, now = on_stage(settings, view_stage), state()
    back = on = None
    if here == "open":
        back = Destination(_("Take the question back"), class_room.put_away, ())
        on = Destination(_("Close the question"), class_room.close, ())
    elif here == "closed":
        back = Destination(_("Take answers again"), class_room.reopen, ())
        on = Destination(_("Show the class’s answers"), panel.reveal, ())
    elif here == "class":
        back = Destination(_("Cover the answers"), class_room.close, ())
        on = Destination(_("Show the picture"), fold, (settings, view_stage))
    elif now == "shown" and stage.number_shown(2) < 2:
        back = Destination(_("The class’s answers"), unfold, (settings, view_stage))
    elif now == "" and (stop := stage.stop(settings)) and stop.poll and not stage.number_shown(1):
        on = Destination(_("Ask the class"), asking.ask, (make_polls,))
    return PollSteps(here, back, on)


def fold(settings: Settings, view_stage: Stage) -> None:
    """Fold the class's answers into a strip, and show the picture (for a callback).

    The answers to a second question begin what goes on in the picture as those to the first have done.
    """
    class_room.fold()
    stage.show_parts(settings, view_stage, 0)
    stage.show_parts(settings, view_stage, 1)


def unfold(settings: Settings, view_stage: Stage) -> None:
    """Show the class's answers again (for a callback)."""
    class_room.unfold()
    stage.show_parts(settings, view_stage, 0)


def follow() -> None:
    """Put a question away when another stop is opened, unless it is that stop's own: then it is a strip."""
    here = lecturing.at()
    before = BEFORE.get() if BEFORE.is_set() else here
    BEFORE.set(here)
    if here == before or state() is None:
        return
    if state():
        class_room.put_away()
    stop = lecturing.stop()
    last = class_room.put_away_question()
    if stop is None or last is None or last.state != "shown":
        return
    if not (stop.at_once or stage.number_shown(1)):
        return
    if key(last.question.text) == key(stop.question):
        class_room.take_out()
        class_room.fold()


def state() -> str | None:
    """The state of the class's question, "" without one; None without a room."""
    try:
        return None if class_room.room() is None else class_room.state()
    except ExplorerError:  # the popover says what is wrong
        return None
