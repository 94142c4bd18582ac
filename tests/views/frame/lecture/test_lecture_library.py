"""The lectures that ship: every stop opens the view that it names, with the settings of its link."""

import re

import pytest

from explorer import locale
from explorer.commands import translations
from explorer.room.tally import key
from explorer.views.frame.lecture import lecturing, stage
from explorer.views.frame.lecture.lecture import Item, read
from explorer.views.frame.lecture.lecture_library import Ready, lectures
from explorer.views.frame.lecture.lecturing import starts
from explorer.views.frame.navigation import pages
from explorer.views.frame.saving import saved_view
from tests.views.opening import assert_takes, at_link, opened, page_of, unopened

TITLES = {page.name: page.title for page in pages()}
STOPS = [
    pytest.param(stop, id=f"{ready.name}: {stop.text}")
    for ready in lectures()
    for stop in read(ready.text, TITLES)
    if stop.stop
]


TAUGHT = [ready for ready in lectures() if not ready.asks]


BY_SUBJECT = {"meaning", "inside-the-layer", "bert", "kin-of-bert", "how-it-writes", "why-it-said-that"}


def test_there_are_three_by_length_six_by_subject_and_a_course_for_oneself():
    by_name = {ready.name: ready for ready in TAUGHT}
    lengths = {"90-minutes": 90, "45-minutes": 45, "five-pictures": 20}
    assert {name: by_name[name].minutes for name in lengths} == lengths
    assert by_name["90-minutes"].stops == 27 and len(stops_in_time(by_name["five-pictures"])) <= 6
    assert by_name.keys() - lengths == BY_SUBJECT
    assert all(6 <= by_name[name].stops <= 10 for name in BY_SUBJECT)
    assert [ready.name for ready in lectures() if ready.asks] == ["course"]


def test_each_view_of_each_page_is_a_stop_of_a_lecture_or_of_the_course():
    opened_by = {(stop.page, stop.link.get("view")) for (stop,) in (one.values for one in STOPS)}
    missing = [
        (page.name, view)
        for page in map(page_of, TITLES)
        for view in page.views
        if not {(page.name, view), (page.name, None)} & opened_by
    ]
    assert not missing


def stops_in_time(ready: Ready) -> list[float]:
    """The minutes at which the stops begin, without those of a last chapter for more time."""
    return [minute for minute in starts(read(ready.text, TITLES)) if minute < ready.minutes]


@pytest.mark.parametrize("ready", TAUGHT, ids=lambda ready: ready.name)
def test_each_chapter_has_its_minutes_and_each_stop_a_poll(ready):
    items = read(ready.text, TITLES)
    assert not any(item.problem for item in items)
    chapters = [item for item in items[1:] if item.heading]
    assert items[0].heading and all(item.minutes for item in chapters if item.text != "More time")
    assert all(item is chapters[-1] for item in chapters if not item.minutes)
    for stop in (item for item in items if item.stop):
        kinds = [note.partition(":")[0] for note in stop.notes]
        assert kinds in (["Say", "Poll", "See"], ["Say", "Poll", "Answer", "See"]), stop.text
        assert stop.poll and len(stop.poll.choices) <= 4, stop.text
        if stop.poll.choices:
            assert stop.answer in (*stop.poll.choices, "none"), stop.text
    times = starts(items)
    assert times == sorted(times) and times[0] == 0


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_names_a_view_and_settings_that_take_its_values(stop: Item):
    page, link = page_of(stop.page), stop.link or {}
    assert len(page.views) == 1 or "view" in link
    assert_takes(page, link)


LANGUAGES = locale.languages("lectures")[1:]


def stops_in(language: str) -> list[Item]:
    """The lines of all lectures in a language."""
    locale.use(language)
    by_name = {ready.name: read(ready.text, TITLES) for ready in lectures()}
    locale.use(locale.ENGLISH)
    return [item for name in sorted(by_name) for item in by_name[name]]


def what_a_program_reads(item: Item) -> tuple[object, ...]:
    """A line without its words: where it leads, what it asks, and which choice is right."""
    kinds = [note.partition(":")[0] for note in item.notes]
    choices = list(map(key, item.poll.choices)) if item.poll else []
    right = choices.index(key(item.answer)) if key(item.answer) in choices else item.answer
    rights = [choice.right for choice in item.exercise.choices] if item.exercise else []
    return item.heading, item.page, item.link, item.minutes, item.at_once, kinds, len(choices), right, rights


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lecture_in_another_language_has_the_same_stops_questions_and_right_answers(language):
    english, others = stops_in(locale.ENGLISH), stops_in(language)
    assert not any(item.problem for item in others)
    assert list(map(what_a_program_reads, others)) == list(map(what_a_program_reads, english))


def asked(item: Item) -> str:
    """The question of a stop, of whichever kind."""
    return item.exercise.question if item.exercise else item.question


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lecture_asks_in_the_words_of_the_view_in_another_language_too(language):
    ours = {
        entry.id: entry.string for entry in locale.read_catalogue(language, locale.APP) if "?" in entry.id
    }
    patterns = {
        english: re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(key(english))))
        for english in ours
        if english in translations.keys(locale.APP)
    }
    differing = {
        (asked(other), ours[english].format(**match.groupdict()))
        for item, other in zip(stops_in(locale.ENGLISH), stops_in(language), strict=True)
        for english, pattern in patterns.items()
        if asked(item) and (match := pattern.fullmatch(key(asked(item))))
        if key(asked(other)) != key(ours[english].format(**match.groupdict()))
    }
    assert not differing


# Lectures share stops.
APART = {(stop.page, *sorted((stop.link or {}).items())): stop for (stop,) in (one.values for one in STOPS)}


def what_is_asked(number: int, language: str) -> tuple[object, ...]:
    """The polls of a stop of all lectures without their words, and which choices of a course are right."""
    items = stops_in(language)
    stop = [item for item in items if item.stop][number]
    at = unopened(f"pages/{stop.page}.py")
    at.session_state[lecturing.LECTURE], at.session_state[lecturing.AT] = items, number
    at.session_state[stage.RECORDING] = True
    polls = at_link(at, (stop.link or {}) | {"lang": language}).session_state[saved_view.RECORDED].polls
    same = [key(poll.question.text) == key(asked(stop)) for poll in polls]
    kinds = [(poll.question.kind, len(poll.question.choices), poll.taste) for poll in polls]
    rights = [
        list(map(key, poll.question.choices)).index(key(poll.truth))
        if poll.truth and poll.question.kind == "choice"
        else poll.truth
        for poll in polls
    ]
    choices = range(len(stop.exercise.choices)) if stop.exercise else ()
    judged = [stop.exercise.judge(place, polls) for place in choices if stop.exercise]
    return same, kinds, rights, [verdict and verdict[0] for verdict in judged]


@pytest.mark.parametrize(
    "language", [pytest.param("fr", marks=pytest.mark.slow), pytest.param("zh", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("stop", APART.values(), ids=lambda stop: stop.text)
def test_a_stop_asks_a_class_the_same_and_has_the_same_right_answers_in_another_language(
    stop: Item, language: str
):
    number = [item for item in stops_in(locale.ENGLISH) if item.stop].index(stop)
    assert what_is_asked(number, language) == what_is_asked(number, locale.ENGLISH)


@pytest.mark.slow
@pytest.mark.parametrize("stop", APART.values(), ids=lambda stop: stop.text)
def test_a_stop_opens_without_an_error(stop: Item):
    at = opened(stop.page, **(stop.link or {}))
    for name, text in (stop.link or {}).items():
        value = at.session_state[f"{stop.page}.{name}"]
        assert (str(value).lower() if isinstance(value, bool) else str(value)) == text
    assert at.code, "the code is shown once the picture has been drawn without an error"
