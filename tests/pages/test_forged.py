"""A browser may send anything in a component's name: no value breaks a page, and none reaches the log."""

import logging
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.views.frame import presenter
from explorer.views.widgets import registry
from tests.pages.test_every_view import EVERY, opened_view
from tests.views.opening import QUICK

PLAIN = [None, True, -1, 10**9, 1.5, "SECRET", [], {}]
NAMES = (
    "at cell count first from hash head key kept label last layer line locked name number on other picture "
    "query request run side sides size step text to way what word least merge hide"
).split()
ACTIONS = ["walk", "prune", "name", "compare", "undo"]


def forgeries(part: Any) -> list[Any]:
    """A value by itself, in lists, and in dictionaries that have every name that a component sends."""
    own = dict.fromkeys(NAMES, part)
    lists = [[part] * length for length in (1, 2, 3, 5)]
    return [part, *lists, own, {"cell": [part, part]}, *(own | {"what": action} for action in ACTIONS)]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "name"), EVERY)
def test_forged_values_break_no_view(page, name, monkeypatch, caplog):
    callbacks: dict[tuple[str, str], Any] = {}
    mount_of = registry.component

    def noting(component: str) -> Any:
        mount = mount_of(component)

        def mounted(*, key: str, data: Any, **rest: Any) -> Any:
            for event, callback in rest.items():
                if event.startswith("on_") and event != "on_turn_change":  # which starts trainings
                    callbacks[key, event[3:-7]] = callback
            return mount(key=key, data=data, **rest)

        return mounted

    for module in mounting_modules():
        monkeypatch.setattr(module, "component", noting)
    at = opened_view(page, name, **QUICK.get(page.name, {}))
    assert callbacks
    streamlit, change_page = registry.st, presenter.change_page
    for part in PLAIN:

        def forge(part: Any = part) -> None:
            for (key, event), callback in list(callbacks.items()):
                for value in forgeries(part):
                    session = {key: SimpleNamespace(**{event: value})}
                    monkeypatch.setattr(registry, "st", SimpleNamespace(session_state=session))
                    try:
                        callback()
                    finally:
                        monkeypatch.setattr(registry, "st", streamlit)
            change_page("")

        monkeypatch.setattr(presenter, "change_page", forge)  # it begins a run, as callbacks do
        at.run()
        monkeypatch.setattr(presenter, "change_page", change_page)
        assert not at.exception and not at.error, part
    at.run()
    assert not at.exception and not at.error
    assert "SECRET" not in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def mounting_modules() -> list[Any]:
    """The modules of the views, as far as they are imported, that mount components."""
    ours = [module for name, module in list(sys.modules.items()) if name.startswith("explorer.views.")]
    return [module for module in ours if hasattr(module, "component") and module is not registry]
