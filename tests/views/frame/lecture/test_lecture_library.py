"""The lectures that ship: every stop opens the view that it names, with the settings of its link."""

import pytest

from explorer.views.frame.lecture import lecture
from explorer.views.frame.lecture.lecture import Item, read
from explorer.views.frame.lecture.lecture_library import Ready, lectures
from explorer.views.frame.lecture.lecturing import starts
from explorer.views.frame.navigation import pages
from explorer.views.frame.view import settings_of
from explorer.views.settings import link_values
from explorer.views.settings.setting import Setting
from tests.views.opening import opened, page_of

TITLES = {page.name: page.title for page in pages()}
STOPS = [
    pytest.param(stop, id=f"{ready.name}: {stop.text}")
    for ready in lectures()
    for stop in read(ready.text, TITLES)
    if stop.stop
]


TAUGHT = [ready for ready in lectures() if not ready.asks]


def test_there_is_one_of_ninety_minutes_one_of_twenty_and_a_course_for_oneself():
    assert [ready.minutes for ready in TAUGHT] == [90, 20]
    long, short = (len(stops_in_time(ready)) for ready in TAUGHT)
    assert 22 <= long <= 30 and short <= 6
    assert [ready.name for ready in lectures() if ready.asks] == ["course"]


def stops_in_time(ready: Ready) -> list[float]:
    """The minutes at which the stops begin, without those of a last chapter for more time."""
    return [minute for minute in starts(read(ready.text, TITLES)) if minute < ready.minutes]


@pytest.mark.parametrize("ready", TAUGHT, ids=lambda ready: ready.name)
def test_each_chapter_has_its_minutes_and_each_stop_three_notes(ready):
    items = read(ready.text, TITLES)
    assert not any(item.problem for item in items)
    chapters = [item for item in items[1:] if item.heading]
    assert items[0].heading and all(item.minutes for item in chapters if item.text != "More time")
    assert all(item is chapters[-1] for item in chapters if not item.minutes)
    for stop in (item for item in items if item.stop):
        kinds = [note.partition(":")[0] for note in stop.notes]
        assert kinds in (["Say", "Ask", "See"], ["Say", "Ask", "Poll", "See"]), stop.text
    for chapter in lecture.chapters(items)[1:]:
        assert any(item.poll for item in chapter), f"{chapter[0].text} asks the phones nothing"
    times = starts(items)
    assert times == sorted(times) and times[0] == 0


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
        value = at.session_state[f"{stop.page}.{name}"]
        assert (str(value).lower() if isinstance(value, bool) else str(value)) == text
    assert at.code, "the code is shown once the picture has been drawn without an error"
