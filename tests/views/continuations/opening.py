"""The continuations page as its views' tests open it."""

import json
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from explorer.server import stream
from tests.views import opening


def open_(view: str, **settings) -> AppTest:
    """The page in one of its views."""
    return opening.opened("continuations", view=view, **settings)


def component_data(at: AppTest, component: str) -> dict:
    """What the page sends to one of its components."""
    return opening.sent(at, component)[0]


def followed(data: dict, press: str = "") -> list[dict[str, Any]]:
    """What arrives at a component with this data, after a press."""
    client = TestClient(Starlette(routes=stream.routes()))
    asked = {"secret": data["secret"], "run": data["run"], "press": press}
    parts = client.post(data["address"], json=asked).text.split("\n\n")
    return [json.loads(part[6:]) for part in parts if part.startswith("data: ")]


def button(at: AppTest, label: str):
    return next(b for b in at.button if b.label == label)
