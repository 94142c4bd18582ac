"""The stage: a stop of a lecture in presenter mode is first *asked*, then *shown*.

While a stop is asked, its title, its question and its text stand, and its picture is there with what would
give the answer away covered: the parts that its view names, in the order in which the clicker uncovers them.
A stop is shown once nothing is covered any more. It opens shown if it has no question, or if its file says
so; and so does every page that is not the open stop's. All this is for presenter mode alone.

What belongs between the two, such as a poll of the class, is drawn while `is_asked` holds.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from explorer.views.frame.lecture import lecturing
from explorer.views.frame.lecture.lecture import Item
from explorer.views.settings.setting import VIEW_NAME, Setting
from explorer.views.settings.settings import Settings

WHOLE = ".st-key-picture *"  # covers the whole picture, with an empty frame in its place
FRAME = "box-shadow: inset 0 0 0 2px var(--rb-hairline); border-radius: 12px;"  # a calm one, around nothing
PLAIN = "background: none !important; color: inherit !important; fill: var(--rb-quiet) !important;"
BOXES = '.st-key-picture [class*="st-key-"][class*="-box"]'  # for text, which stands as the question does


class Stage(NamedTuple):
    """What is on stage of a view, as CSS selectors of parts of its picture, also within components.

    `covered` are the parts that a stop covers at first, one for each press of the clicker, and `plain` those
    that have no colours as long as anything is covered. Those of `desk` are hidden with the controls; of the
    controls, those of `controls` stay, and of what the address sets.
    """

    covered: Sequence[str] = (WHOLE,)
    plain: str = ""
    desk: str = ""
    controls: Sequence[Setting[Any]] = ()


STAGE = Stage()  # of a view that says nothing


def stop(settings: Settings) -> Item | None:
    """The open stop while its own page and view are on screen; otherwise None."""
    here = lecturing.stop()
    if here is None or here.link is None or here.page != settings.page:
        return None
    first = settings.defaults.get(VIEW_NAME)
    return here if first is None or settings.value(VIEW_NAME) == here.link.get(VIEW_NAME, first) else None


def parts(settings: Settings, stage: Stage) -> Sequence[str]:
    """The parts of a picture that are uncovered one by one; none where nothing is asked first."""
    here = stop(settings)
    return stage.covered if here is not None and here.question and not here.at_once else ()


def number_shown(number: int) -> int:
    """How many parts of the open stop's picture are shown, of so many."""
    return min(number, int(st.session_state.get(lecturing.SHOWN, 0)))


def show_parts(number: int) -> None:
    """Show so many parts of the open stop's picture (for a callback)."""
    st.session_state[lecturing.SHOWN] = number


def is_asked(settings: Settings, stage: Stage) -> bool:
    """Whether a part of the picture is still covered."""
    number = len(parts(settings, stage))
    return number_shown(number) < number


def css(settings: Settings, stage: Stage, all_controls: bool) -> str:
    """The style that covers what is covered now, and shows the controls that are on stage.

    cover.js takes from it the rules for what is within components.
    """
    every = parts(settings, stage)
    still = ", ".join(every[number_shown(len(every)) :])
    rules = [f":is({still}), :is({still}) * {{ visibility: hidden !important; }}"] if still else []
    if still and stage.plain:
        rules.append(f":is({stage.plain}) {{ {PLAIN} }}")
    if stage.desk and not all_controls:
        rules.append(f":is({stage.desk}) {{ display: none !important; }}")
    text = " ".join(rules)
    lines = [
        f':root {{ --rb-stage: "{text}"; --rb-asked: {int(bool(still))}; }}',
        f'[data-testid="stMainBlockContainer"] {{ {text} }}',
    ]
    if still:
        lines.append(".st-key-picture .js-plotly-plot { pointer-events: none; }")
        lines.append(".st-key-picture .rb-unseen { display: none; }")
    if WHOLE in still:
        lines.append(f"{BOXES}, {BOXES} * {{ visibility: visible !important; }}")
        lines.append(f".st-key-picture {{ {FRAME} }}")
    here = stop(settings)
    link = here.link if here is not None and here.link is not None else settings.link()
    keys = [f".st-key-{settings.page}-{name}" for name in sorted({*link, *stage.controls} - {VIEW_NAME})]
    lines.append(
        f"{':root' if all_controls else ', '.join(keys) or 'x'} {{ --rb-controls: block; --rb-rows: flex; }}"
    )
    return "\n".join(lines)
