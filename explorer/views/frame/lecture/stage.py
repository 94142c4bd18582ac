"""The stage: a stop of a lecture in presenter mode is first *asked*, then *shown*.

While a stop is asked, its title and its question stand, and its picture is there with what would give the
answer away covered: the parts that its view names, in the order in which the clicker uncovers them. A stop is
shown once nothing is covered any more. It opens shown if it has no question, or if its file says so; and so
does every page that is not the open stop's.

A picture about which a class is asked is covered too, in presenter mode and out of it, until the class's
answers are shown. Outside of presenter mode a course covers what would answer its question until a choice has
been made.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from explorer.errors import ExplorerError
from explorer.server.session import Session
from explorer.views.frame.lecture import course_answers, lecturing
from explorer.views.frame.lecture.lecture import Item
from explorer.views.frame.polls import class_room
from explorer.views.frame.polls.poll import Poll
from explorer.views.settings.setting import VIEW_NAME, Setting
from explorer.views.settings.settings import PRESENT, Settings, presenting_on

WHOLE = ".st-key-picture *"  # covers the whole picture, with an empty frame in its place
FRAME = "box-shadow: inset 0 0 0 2px var(--rb-hairline); border-radius: 12px;"  # a calm one, around nothing
PLAIN = (
    "background: none !important; box-shadow: none !important; color: inherit !important; "
    "fill: var(--rb-quiet) !important;"
)
BOX = '[class*="st-key-"][class*="-box"]'  # for text
BOXES = f".st-key-picture {BOX}"  # which stand as the question does


def _nothing(settings: Settings) -> None:
    """What most views start when they are shown."""


class Stage(NamedTuple):
    """What is on stage of a view, as CSS selectors of parts of its picture, also within components.

    `covered` are the parts that a stop covers at first, one for each press of the clicker, and `plain` those
    that have no colours as long as anything is covered. With `covers_most` they leave an empty frame, and the
    question stands there large. Those of `desk` are hidden with the controls; of the
    controls, those of `controls` stay, and of what the address sets. At a stop boxes for text are hidden with
    them, but those of `boxes`, whose text stands nowhere else, and so is `panel`, which holds little else. A
    stop's question is about the text of the setting `text`, or what it makes of the open page, and is asked
    with it where the covered picture does not show it. `start` begins what the picture shows going on, such
    as a training: the press that uncovers its last part calls it. A course hides those of `desk` too, and of
    `beyond_course`, which say more than its questions are about.

    `polls` makes questions to a class from the open page, with the model's own answers. It is called at each
    rerun while a class is there, so answers that have to be computed are a `Later`.
    """

    covered: Sequence[str] = (WHOLE,)
    plain: str = ""
    desk: str = ""
    covers_most: bool = False
    controls: Sequence[Setting[Any]] = ()
    boxes: Sequence[Setting[Any]] = ()
    panel: str = ""
    text: Setting[str] | Callable[[Any], str] | None = None
    start: Callable[[Settings], None] = _nothing
    beyond_course: str = ""
    polls: Callable[[Any], Sequence[Poll]] = lambda page: ()


ON = "1"  # the value of the parameter PRESENT
RECORDING = Session("/lecture/recording", False)  # a stop is drawn for the page of a lecture
STAGE = Stage()  # of a view that says nothing


def stop(settings: Settings) -> Item | None:
    """The open stop while its own page and view are on screen; otherwise None."""
    here = lecturing.stop()
    if here is None or here.link is None or here.page != settings.page:
        return None
    first = settings.defaults.get(VIEW_NAME)
    return here if first is None or settings.value(VIEW_NAME) == here.link.get(VIEW_NAME, first) else None


def presenting() -> bool:
    """Whether the address asks for presenter mode."""
    return presenting_on().get(PRESENT) == ON


def on_stage() -> bool:
    """Whether pictures are drawn as on stage: in presenter mode, and for the page of a lecture."""
    return presenting() or RECORDING.get()


def place(settings: Settings) -> str:
    """The page and the view on screen, as polls name them."""
    return f"{settings.page}/{settings.value(VIEW_NAME) if VIEW_NAME in settings.defaults else ''}"


def parts(settings: Settings, stage: Stage) -> Sequence[str]:
    """The parts of a picture that are uncovered one by one; none where nothing is asked first."""
    here = stop(settings) if presenting() else None
    return stage.covered if here is not None and here.question and not here.at_once else ()


def number_shown(number: int) -> int:
    """How many parts of the open stop's picture are shown, of so many."""
    return min(number, lecturing.SHOWN.get())


def show_parts(settings: Settings, stage: Stage, number: int) -> None:
    """Show so many parts of the open stop's picture; with the last one begins what goes on in it."""
    before = number_shown(number)
    lecturing.SHOWN.set(number)
    if before < number >= len(parts(settings, stage)):
        stage.start(settings)


def still_covered(settings: Settings, stage: Stage) -> Sequence[str]:
    """The parts of the picture that are covered now."""
    every = parts(settings, stage)
    if _is_polled(settings):
        return stage.covered
    return every[number_shown(len(every)) :] or _parts_of_course(settings, stage)


def asks_oneself(settings: Settings) -> bool:
    """Whether a course's stop is on screen, for somebody who learns alone."""
    here = None if presenting() else stop(settings)
    return here is not None and here.exercise is not None


def _parts_of_course(settings: Settings, stage: Stage) -> Sequence[str]:
    """The parts that a course covers until its question is answered, of a picture that holds the answer."""
    here = stop(settings) if asks_oneself(settings) else None
    if here is None or here.exercise is None or here.at_once or lecturing.at() in course_answers.answers():
        return ()
    in_picture = here.exercise.choices[0].right is None  # the model decides
    return stage.covered if in_picture or list(stage.covered) != [WHOLE] else ()


def is_asked(settings: Settings, stage: Stage) -> bool:
    """Whether a part of the picture is still covered."""
    return bool(still_covered(settings, stage))


def _is_polled(settings: Settings) -> bool:
    """Whether a class is asked about the picture on screen, and has not yet been shown the answers."""
    here = stop(settings)
    try:
        current, poll = class_room.question(), class_room.poll()
    except ExplorerError:  # the class's popover says what is wrong
        return False
    if current is None or poll is None or poll.about != place(settings):
        return False
    if here is not None and here.at_once:
        return False
    return current.state != "shown" or (presenting() and not class_room.is_folded())


def cover_css(settings: Settings, stage: Stage, hidden: str = "") -> str:
    """The style that covers what is covered now, and hides what `hidden` names.

    cover.js takes from it the rules for what is within components.
    """
    covered = still_covered(settings, stage)
    still = ", ".join(covered)
    rules = [f":is({still}), :is({still}) * {{ visibility: hidden !important; }}"] if still else []
    if still and stage.plain:
        rules.append(f":is({stage.plain}) {{ {PLAIN} }}")
    if hidden:
        rules.append(f":is({hidden}) {{ display: none !important; }}")
    text = " ".join(rules)
    lines = [
        f':root {{ --rb-stage: "{text}"; --rb-asked: {int(bool(still))}; }}',
        f'[data-testid="stMainBlockContainer"] {{ {text} }}',
    ]
    if still:
        lines.append(f":root {{ --rb-covers-most: {int(stage.covers_most)}; }}")
        lines.append(".st-key-picture .js-plotly-plot { pointer-events: none; }")
        lines.append(".st-key-picture .rb-unseen { display: none; }")
    if WHOLE in covered:
        lines.append(f"{BOXES}, {BOXES} * {{ visibility: visible !important; }}")
        lines.append(f".st-key-picture {{ {FRAME} }}")
    return "\n".join(lines)


def css(settings: Settings, stage: Stage, all_controls: bool) -> str:
    """The style of presenter mode: what is covered, and the controls that are on stage."""
    here = stop(settings)
    hidden = [stage.desk] if stage.desk else []
    if here is not None and here.question:
        kept = "".join(f":not(.st-key-{settings.page}-{name}-box)" for name in stage.boxes)
        hidden += [f"{BOX}{kept}", stage.panel] if stage.panel else [f"{BOX}{kept}"]
    lines = [cover_css(settings, stage, "" if all_controls else ", ".join(hidden))]
    link = here.link if here is not None and here.link is not None else settings.link()
    keys = [f".st-key-{settings.page}-{name}" for name in sorted({*link, *stage.controls} - {VIEW_NAME})]
    if all_controls:
        lines.append(":root { --rb-controls: block; --rb-rows: flex; --rb-rank: var(--rb-ink) !important; }")
    elif keys:
        lines.append(f"{', '.join(keys)} {{ --rb-controls: block; }}")
    return "\n".join(lines)
