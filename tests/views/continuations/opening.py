"""The continuations page as its views' tests open it."""

import csv
import io

from streamlit.testing.v1 import AppTest

from tests.views import opening


def open_(view: str, **settings) -> AppTest:
    """The page in one of its views."""
    return opening.opened("continuations", view=view, **settings)


def component_data(at: AppTest, component: str) -> dict:
    """What the page sends to one of its components."""
    return opening.sent(at, component)[0]


def button(at: AppTest, label: str):
    return next(b for b in at.button if b.label == label)


def rows(text: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
