"""The lectures that ship: every stop opens the view that it names, with the settings of its link."""

import importlib
from functools import cache

import pytest

from explorer.views.frame.lecture.lecture import Item, read
from explorer.views.frame.lecture.lecture_library import lectures
from explorer.views.frame.lecture.lecturing import starts
from explorer.views.frame.navigation import pages
from explorer.views.frame.view import Page, settings_of
from explorer.views.settings import link_values
from explorer.views.settings.setting import Setting
from tests.views.opening import opened

TITLES = {page.name: page.title for page in pages()}
FOLDERS = {"sides": "elmo", "models": "about"}  # pages whose folder has another name
STOPS = [
    pytest.param(stop, id=f"{ready.name}: {stop.text}")
    for ready in lectures()
    for stop in read(ready.text, TITLES)
    if stop.stop
]


@cache
def page_of(name: str) -> Page:
    return importlib.import_module(f"explorer.views.{FOLDERS.get(name, name)}.page").PAGE


def test_there_is_one_of_ninety_minutes_and_one_of_twenty():
    assert [ready.minutes for ready in lectures()] == [90, 20]
    assert len(lectures()) == 2 and 22 <= lectures()[0].stops <= 30 and lectures()[1].stops <= 6


@pytest.mark.parametrize("ready", lectures(), ids=lambda ready: ready.name)
def test_each_chapter_has_its_minutes_and_each_stop_three_notes(ready):
    items = read(ready.text, TITLES)
    assert not any(item.problem for item in items)
    assert items[0].heading and all(item.minutes for item in items[1:] if item.heading)
    for stop in (item for item in items if item.stop):
        assert [note.partition(":")[0] for note in stop.notes] == ["Say", "Ask", "See"], stop.text
    times = starts(items)
    assert times == sorted(times) and times[0] == 0 and times[-1] < ready.minutes


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_names_a_view_and_settings_that_take_its_values(stop: Item):
    page = page_of(stop.page)
    link = dict(stop.link or {})
    settings: dict[str, Setting] = {str(setting): setting for setting in settings_of(page)}
    if len(page.views) > 1:
        assert link.get("view") in page.views
    for name, text in link.items():
        assert name in settings, f"{stop.page} has no setting “{name}”"
        value = link_values.unpack(text, settings[name].default)
        assert settings[name].accept(value) == value and not settings[name].is_too_long(value)


@pytest.mark.slow
@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_opens_without_an_error(stop: Item):
    at = opened(stop.page, **(stop.link or {}))
    for name, text in (stop.link or {}).items():
        assert str(at.session_state[f"{stop.page}.{name}"]) == text or text == "true"
    assert at.code, "the code is shown once the picture has been drawn without an error"
