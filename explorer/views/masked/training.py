"""How it was trained: BERT's two tasks, one of them at a time."""

from collections.abc import Mapping

import streamlit as st

from explorer.views.frame.example import Example
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, nothing
from explorer.views.masked import corruption, next_sentence, presets
from explorer.views.masked.sentence import MaskedView, PageText

LABEL = "How it was trained"
FIRST = corruption.FIRST
TASKS: Mapping[str, MaskedView] = {"words": corruption, "next": next_sentence}
SETTINGS = {**presets.settings("task"), **corruption.SETTINGS, **next_sentence.SETTINGS}
PRESETS = presets.presets_for("training")
below = nothing


def ask(settings: Settings) -> None:
    """Which of the tasks, and its texts."""
    if settings["task"] not in TASKS:
        settings.fit(task="words")
    st.segmented_control(
        "Task",
        list(TASKS),
        key=settings.key("task", "Task", lambda name: TASKS[name].LABEL),
        format_func=lambda name: TASKS[name].LABEL,
        required=True,
        label_visibility="collapsed",
    )
    _task(settings).ask(settings)


def controls(page: Page[PageText]) -> None:
    """The task's controls."""
    _task(page.settings).controls(page)


def draw(page: Page[PageText]) -> Saves:
    """The task's picture."""
    return _task(page.settings).draw(page)


def reading(page: Page[PageText]) -> Reading:
    """How to read the task's picture."""
    return _task(page.settings).reading(page)


def example(page: Page[PageText]) -> Example:
    """The task's numbers from Python."""
    return _task(page.settings).example(page)


def _task(settings: Settings) -> MaskedView:
    return TASKS[settings["task"]]
