"""The row of a training: Train and Stop, how far it is, and its curves. Heads and courses share it."""

import os
from collections.abc import Callable
from typing import Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.finetuning.followed import Followed
from explorer.views.frame.page import show_error
from explorer.views.widgets.registry import component, sent


def threads() -> int:
    """How many a training takes: the page and other visitors need some too."""
    return max(1, (os.cpu_count() or 2) // 2)


def button(training: Followed | None) -> str:
    """What the button says now."""
    if training is None:
        return "Train"
    return "Stop" if training.going else "Train again"


def row(key: str, find: Callable[[], Followed | None], begin: Callable[[], None], **data: Any) -> bool:
    """Draw it: a press stops what `find` gives, or begins anew. Whether it says that nothing could begin.

    `data` is what the component takes beside: `done` of `of` steps, a `note`, the `curves`.
    """
    problem = f"{key}/problem"  # session key
    training = find()

    def more() -> None:
        """Nothing but another look: the training goes on by itself."""

    def pressed() -> None:
        now = find()
        if sent(key, "turn") != button(now):
            return  # it came to its end before the click arrived
        if now is not None and now.going:
            now.job.stop()
            return
        try:
            begin()
        except ExplorerError as error:
            st.session_state[problem] = error

    component("finetuning/train_row")(
        key=key,
        data={
            "run": f"{training.number if training else -1}",
            "at": training.looks if training else 0,
            "going": bool(training and training.going),
            "button": button(training),
            "idle": False,
            **data,
        },
        on_more_change=more,
        on_turn_change=pressed,
    )
    if found := st.session_state.pop(problem, None):
        show_error(found)
    return found is not None
