"""Every control of every view as it opens: each option of a choice, both ends of a slider, each switch.

No press ends in an error, in the log of one, or in a page without a picture.
"""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_every_view import EVERY, opened_view
from tests.views.opening import QUICK

FRAME = ("everywhere", "letter_keys", "saver", "text_box")  # components that are no pictures
PICTURES = ("bidi_component", "plotly_chart", "arrow_data_frame", "arrow_table", "iframe", "imgs")
CHOICES = ("selectbox", "radio", "button_group", "multiselect", "select_slider")
SWITCHES = ("toggle", "checkbox")
NUMBERS = ("slider", "number_input")

Press = tuple[str, str, Any]  # a kind of control, its key, and what is pressed


def presses(at: AppTest) -> Iterator[Press]:
    """All that can be pressed on a page, each control by its key."""
    for kind in (*CHOICES, *SWITCHES, *NUMBERS, "button"):
        for control in getattr(at, kind):
            if control.disabled:
                continue
            if kind in CHOICES:
                yield from ((kind, control.key, at_place) for at_place in range(len(control.options)))
            elif kind in NUMBERS:
                yield from ((kind, control.key, end) for end in (control.min, control.max))
            else:
                yield kind, control.key, None


def press(at: AppTest, kind: str, key: str, value: Any) -> None:
    """Press one of them, as a visitor does."""
    control = getattr(at, kind)(key=key)
    if kind in CHOICES:  # by its label, which is what a browser sends
        states = at._tree.get_widget_states()
        (state,) = (state for state in states.widgets if state.id == control.proto.id)
        label = getattr(option := control.proto.options[value], "content", option)
        if kind in ("selectbox", "radio"):
            state.string_value = label
        else:
            state.string_array_value.data[:] = [label]
        at._run(states)
        return
    if kind == "button":
        control.click()
    else:
        control.set_value(not control.value if kind in SWITCHES else value)
    at.run()


def picture_count(at: AppTest) -> int:
    """How many pictures, charts and tables the page draws."""
    parts = [part for kind in PICTURES for part in at.get(kind)]
    names = [getattr(getattr(part, "proto", None), "component_name", "picture") for part in parts]
    return sum(name.removeprefix("riverbank_") not in FRAME for name in names)


def is_shared(one: Press) -> bool:
    """Whether a control is that of every view, or of every view of its page: its frame, or its model."""
    key = one[1]
    in_frame = "/reset", "/to-lecture", "present/", "/view", "/preset/", "senses/example"
    return any(part in key for part in in_frame) or key.endswith((".view", ".model"))


SIX_MINUTES = "continuations-ways"  # in which each press has five decoders write again
QUICK_ONES = [
    pytest.param(*one.values, id=one.id, marks=pytest.mark.long if one.id == SIX_MINUTES else ())
    for one in EVERY
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "name"), QUICK_ONES)
def test_no_press_breaks_a_view(page, name, caplog):
    press_all(page, name, caplog, lambda one: not is_shared(one), **QUICK.get(page.name, {}))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("page", "name"), EVERY)
def test_no_press_on_what_views_share_breaks_one(page, name, caplog):
    press_all(page, name, caplog, is_shared)


def press_all(
    page: Any, name: str, caplog: pytest.LogCaptureFixture, wanted: Callable[[Press], bool], **link: Any
) -> None:
    """Press all that is wanted of a view as it opens, one after another; what has gone is pressed anew."""
    first = at = opened_view(page, name, **link)
    for one in [*filter(wanted, presses(first))]:
        if one not in presses(at):
            at = opened_view(page, name, **link)
        press(at, *one)
        assert not at.exception and not at.error, one
        assert picture_count(at) or at.text or not picture_count(first), one
        errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert not errors, (one, errors[0].getMessage())
