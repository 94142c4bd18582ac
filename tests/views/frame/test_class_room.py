"""A teacher's room: taken over by its key, and the addresses by which phones reach it."""

import json
import sqlite3
from dataclasses import replace

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from explorer.room import routes
from explorer.room.limit import Limit
from explorer.room.page import key_of
from explorer.room.questions import Question
from explorer.room.store import Store
from explorer.server import hosts, server
from explorer.views.frame import problem
from explorer.views.frame.lecture import notes_window
from explorer.views.frame.polls import asking, class_room, panel
from explorer.views.frame.polls.poll import Later, Poll
from tests.views.opening import opened, said, sent, told

POLL = Poll(Question("word", "Which word?"), model={"bank": 0.5}, truth="bank")


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(routes, "store", Store(tmp_path / "rooms.sqlite"))
    return routes.store


def test_a_tab_that_brings_the_key_is_the_teachers_again(store):
    assert class_room.key() is None
    class_room.open_room()
    class_room.ask(replace(POLL, model=Later(lambda: POLL.model)))
    key = class_room.key()
    st.session_state.clear()  # after a restart, or in another tab
    class_room.take_over(key)
    code = class_room.room().code
    assert class_room.key() == key and class_room.poll() == POLL
    class_room.close()
    panel.reveal()
    assert "bank" in store.newest(code).reveal
    class_room.put_away()
    assert class_room.poll() is None and store.newest(code).state == "shown"
    st.session_state.clear()
    class_room.take_over(f"{code}.x")
    assert class_room.room() is None and class_room.key() == ""
    assert "not its teacher’s" in str(problem.take())


def test_a_look_at_the_wall_opens_the_rooms_once(store, monkeypatch):
    class_room.open_room()
    class_room.ask(POLL)
    here, key = class_room.room(), key_of(class_room.question())
    st.session_state[panel.TALLY] = True
    openings, connect = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *at, **how: openings.append(at) or connect(*at, **how))
    for draw in (panel._answers, panel._count):
        panel._look(draw, key, here, st.empty())
    assert len(openings) == 2


def test_the_header_has_the_room_and_its_question_stands_above_the_page(store, monkeypatch):
    at = opened("home")
    assert "For teachers" in said(at) and said(at).count('action="/join"') == 2, "in Teach and below"
    at.button(key="room/open").click().run()
    assert said(at).count('action="/join"') == 1
    code, _ = here = at.session_state[class_room.ROOM]
    assert sent(at, "page_behaviour")[0]["room"] == ".".join(here)
    assert f'<p class="rb-code" translate="no">{code}</p>' in said(at)
    at.button(key="room/ask/0").click().run()
    assert "nobody has answered yet" in said(at) and not at.exception
    store.end(*here)  # from another computer
    at.button(key="poll/close").click().run()
    assert not at.exception and "Language models at work" in at.title[0].value
    with monkeypatch.context() as full:
        full.setattr("explorer.room.store.MOST_ROOMS", 0)
        at.button(key="room/open").click().run()
    assert "too many open rooms" in told(at) and "Language models at work" in at.title[0].value
    at.button(key="room/open").click().run()
    store.path /= "x"  # the disk is gone: the page stays
    at.run()
    assert (
        not at.exception and "cannot be used" in told(at) and "Language models at work" in at.title[0].value
    )


def test_a_question_that_cannot_be_asked_stays_in_its_box(store):
    class_room.open_room()
    st.session_state[asking.OWN] = "Why?"
    store.path /= "x"  # the disk is gone
    asking.ask(asking._own_polls)
    assert "cannot be used" in str(problem.take()) and st.session_state[asking.OWN] == "Why?"


def test_the_notes_go_to_whoever_has_the_secret():
    class_room.open_room()
    class_room.keep_notes(json.dumps({"title": "Rain"}))
    phone = TestClient(Starlette(routes=notes_window.addresses()))
    now = phone.get("/notes/now", headers={"authorization": class_room.key()})
    assert now.json() == {"title": "Rain"}
    class_room.ask(Poll(Question("free", "Why?")))
    french = phone.get("/notes/now?lang=fr", headers={"authorization": class_room.key()})
    assert french.json()["answered"] == "Personne n’a encore répondu."
    for wrong in (class_room.room().code, f"{class_room.room().code}.x", ""):
        assert phone.get("/notes/now", headers={"authorization": wrong}).status_code == 403


def test_all_addresses_are_below_the_base_path(monkeypatch):
    monkeypatch.setattr(hosts, "base", lambda: "/tool")
    class_room.open_room()
    join = f"/tool/join/{class_room.room().code}"
    page = Route("/tool/masked", notes_window.page)  # that none of ours hides
    phone = TestClient(
        Starlette(routes=[*server.routes(), *notes_window.addresses(), page]), follow_redirects=False
    )
    assert phone.get("/tool/home?text=a").headers["location"] == "./?text=a"
    for place in (join, f"{join}/state", "/tool/notes", "/tool/masked"):
        assert phone.get(place).status_code == 200


@pytest.mark.parametrize(
    ("visited", "shared", "address"),
    [
        ("http://localhost:8501/masked", True, "http://192.168.1.5:8501"),
        ("http://[::1]/", True, "http://192.168.1.5"),
        ("https://class.example.org/masked", False, "https://class.example.org"),
        ("http://127.0.0.1:8501/", False, ""),
        ("https://school.example.org/course/demo/masked", True, "https://school.example.org/course/demo"),
        ("https://school.example.org:8443/course/demo/", True, "https://school.example.org:8443/course/demo"),
        ("http://localhost:8641/demo/masked", True, "http://192.168.1.5:8641/demo"),
    ],
)
def test_the_address_is_never_this_computers_own_name_for_itself(monkeypatch, visited, shared, address):
    monkeypatch.setattr(type(st.context), "url", visited)
    monkeypatch.setattr(hosts, "shared", lambda: shared)
    monkeypatch.setattr(class_room.serving, "in_network", lambda: "192.168.1.5")
    assert class_room.address() == address


@pytest.fixture(autouse=True)
def no_rooms_before(monkeypatch):
    monkeypatch.setattr(class_room, "opened", Limit(class_room.MOST_OPENED, 3600))


def test_a_session_has_one_room_and_its_next_one_shows_its_questions(store):
    class_room.open_room()
    first = class_room.room().code
    class_room.ask(POLL)
    class_room.put_away()
    class_room.open_room()
    assert store.version(first) is None and class_room.room().code != first
    class_room.ask(POLL)
    assert class_room.poll() == POLL


def test_an_address_opens_twenty_rooms_an_hour(store):
    for _ in range(class_room.MOST_OPENED + 1):
        class_room.open_room()
    assert "from this address" in str(problem.take()) and class_room.room() is not None
