"""A page whose Train is pressed by the test, and that has learnt at the next look."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest


@pytest.fixture
def train(monkeypatch) -> Callable[[AppTest], AppTest]:
    """Press Train on an opened page, and look until the head is there."""
    from explorer.views.finetuning import train_row, trainings  # not before the tests' writer is set
    from explorer.views.widgets.registry import component

    def press(at: AppTest) -> AppTest:
        presses = ["Train"]

        def mounted(name: str):
            mount = component(name)

            def with_press(on_turn_change=None, **given):
                if on_turn_change is not None and presses:
                    on_turn_change()
                    presses.clear()
                return mount(**given)

            return with_press if name == "widgets/train_row" else mount

        monkeypatch.setattr(trainings, "MOST_SECONDS", 60.0)
        monkeypatch.setattr(trainings, "WATCHED_STEPS", -1)
        monkeypatch.setattr(train_row.kit, "component", mounted)
        monkeypatch.setattr(train_row.kit, "component_value", lambda key, name, shape: presses[0])
        at.run()  # begins
        at.run()  # learns
        assert not at.exception
        return at

    return press
