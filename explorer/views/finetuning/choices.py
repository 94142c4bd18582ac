"""The row above the picture: which examples, how many of them, what is trained, and the seed."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.finetuning import own_dialog, sets
from explorer.views.finetuning.bench import Bench
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
    name = f"{case.name}_set"
    if settings[name] not in known:
        settings.fit(**{name: next(iter(known))})
    if settings["body"] not in BODIES:
        settings.fit(body="frozen")
    if settings["seed"] > LARGEST_SEED:
        settings.fit(seed=LARGEST_SEED)
    columns = st.columns([27, 17, 18, 27, 11], gap="small", vertical_alignment="bottom")
    columns[0].selectbox(
        "Examples", list(known), key=settings.key(name, "Examples", known.get), format_func=known.__getitem__
    )
    own = settings[name] == sets.OWN
    if columns[1].button(
        "Edit them" if own else "Look at them",
        key=f"finetuning/look/{case.name}",
        width="stretch",
        help="Every example, one per line; change them, type or paste your own, or open a table",
    ):
        own_dialog.choose(settings, case)
    counts = _counts(sets.count(settings, case))
    if settings["many"] not in counts:
        settings.fit(many=0)
    columns[2].selectbox(
        "How many",
        counts,
        key=settings.key("many", "How many", _said),
        format_func=_said,
        help="Spread evenly over the examples; a fifth of them is kept aside to measure on",
    )
    columns[3].segmented_control(
        "Train",
        list(BODIES),
        key=settings.key("body", "Train", BODIES.get),
        format_func=BODIES.__getitem__,
        required=True,
        help="The head alone takes seconds: the layers stay frozen. With the layers it takes up to a minute.",
    )
    columns[4].number_input("Seed", 0, LARGEST_SEED, step=1, key=settings.key("seed", "Seed"))


def _counts(total: int) -> list[int]:
    """What can be chosen of so many examples; 0 stands for all."""
    return [n for n in COUNTS if n < total] + [0]


def _said(count: int) -> str:
    return f"{count:,}" if count else "all"
