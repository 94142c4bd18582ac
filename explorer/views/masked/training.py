"""How it was trained: BERT's two tasks, one of them at a time."""

from types import ModuleType
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.settings import Settings
from explorer.views.masked import corruption, next_sentence

if TYPE_CHECKING:
    from explorer.models import LanguageModel

TASKS: dict[str, tuple[str, ModuleType]] = {
    "words": ("Masked words", corruption),
    "next": ("Next sentence", next_sentence),
}


def ask(settings: Settings) -> None:
    """Which of the tasks, and its texts."""
    if settings["task"] not in TASKS:
        settings.set(task="words")
    st.segmented_control(
        "Task", list(TASKS), key=settings.key("task"), format_func=lambda name: TASKS[name][0],
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    _task(settings).ask(settings)


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The task's picture."""
    _task(settings).draw(settings, model)


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return _task(settings).how(settings)


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same numbers from Python."""
    return _task(settings).code(settings, model)


def _task(settings: Settings) -> ModuleType:
    return TASKS[settings["task"]][1]
