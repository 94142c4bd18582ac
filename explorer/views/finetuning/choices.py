"""The row above the picture: which examples, how many of them, what is trained, and the seed."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.finetuning import own_dialog, sets
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.settings import BODY, MANY, SEED
from explorer.views.frame.view import Page

if TYPE_CHECKING:
    from explorer.views.finetuning.case import Case

BODIES = {"frozen": "The head", "whole": "Head and layers"}
COUNTS = (10, 50, 200, 1_000)
LARGEST_SEED = 10**9


def row(page: Page[Bench], case: "Case") -> None:
    """Draw it."""
    settings = page.settings
    known = sets.names(case.kind)
    settings.restrict(case.chosen_set, known)
    settings.restrict(BODY, BODIES)
    settings.clamp(SEED, 0, LARGEST_SEED)
    columns = st.columns([27, 17, 18, 27, 11], gap="small", vertical_alignment="bottom")
    columns[0].selectbox(
        "Examples",
        list(known),
        key=settings.key(case.chosen_set, "Examples", known.get),
        format_func=known.__getitem__,
    )
    own = settings[case.chosen_set] == sets.OWN
    if columns[1].button(
        "Edit them" if own else "Look at them",
        key=f"finetuning/look/{case.name}",
        width="stretch",
        help="Every example, one per line; change them, type or paste your own, or open a table",
    ):
        own_dialog.choose(settings, case)
    counts = _counts(sets.count(settings, case))
    if settings[MANY] not in counts:
        settings.adjust(MANY.to(0))
    columns[2].selectbox(
        "How many",
        counts,
        key=settings.key(MANY, "How many", _said),
        format_func=_said,
        help="Spread evenly over the examples; a fifth of them is kept aside to measure on",
    )
    columns[3].segmented_control(
        "Train",
        list(BODIES),
        key=settings.key(BODY, "Train", BODIES.get),
        format_func=BODIES.__getitem__,
        required=True,
        help="The head alone takes seconds: the layers stay frozen. With the layers it takes up to a minute.",
    )
    columns[4].number_input("Seed", 0, LARGEST_SEED, step=1, key=settings.key(SEED, "Seed"))


def _counts(total: int) -> list[int]:
    """What can be chosen of so many examples; 0 stands for all."""
    return [n for n in COUNTS if n < total] + [0]


def _said(count: int) -> str:
    return f"{count:,}" if count else "all"
