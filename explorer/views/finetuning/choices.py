"""The controls of trainings: which examples, how many of them, what is trained, and the seed."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.views import kit
from explorer.views.finetuning import own_dialog, sets
from explorer.views.finetuning.sets import TaskSpec
from explorer.views.finetuning.settings import BODY, MANY, SEED

METHODS = {"frozen": "The head", "whole": "Head and layers"}
COUNTS = (10, 50, 200, 1_000)


def row(settings: kit.Settings, spec: TaskSpec) -> None:
    """The row above the picture of a head."""
    columns = st.columns([27, 17, 18, 27, 11], gap="small", vertical_alignment="bottom")
    with columns[0]:
        examples_box(settings, spec.chosen_set, sets.titles(spec.kind), "visible")
    own = settings[spec.chosen_set] == sets.OWN
    if columns[1].button(
        "Edit them" if own else "View examples",
        key=f"finetuning/look/{spec.name}",
        width="stretch",
        help="Every example, one per line. Change them, type or paste your own, or open a table.",
    ):
        own_dialog.choose(settings, spec)
    counts = [0, *(count for count in COUNTS if count < sets.count(settings, spec))]
    settings.restrict(MANY, counts)
    with columns[2]:
        kit.menu(
            settings,
            MANY,
            "How many",
            {count: f"{count:,}" if count else "all" for count in [*counts[1:], 0]},
            help="Spread evenly over the examples. A quarter of them is held out to measure on.",
        )
    with columns[3]:
        kit.segments(
            settings,
            BODY,
            "Train",
            METHODS,
            label_visibility="visible",
            help="The head alone takes seconds, as the layers stay frozen. With them it takes a minute.",
        )
    with columns[4]:
        kit.seed_box(settings, SEED)
    own_dialog.note(settings, spec)


def examples_box(
    settings: kit.Settings,
    setting: kit.Setting[str],
    titles: dict[str, str],
    label_visibility: Any = "collapsed",
    width: Any = "stretch",
) -> None:
    """A box with the titles of sets of examples; a link's set that does not exist gives way to the first."""
    kit.menu(settings, setting, "Examples", titles, label_visibility=label_visibility, width=width)


def task_examples_box(
    settings: kit.Settings, setting: kit.Setting[str], specs: Sequence[TaskSpec], width: Any = 360
) -> None:
    """A box with the sets of several tasks."""
    examples_box(settings, setting, sets.titles_by_path(specs), width=width)
