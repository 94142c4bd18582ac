"""The stream of a text past the page: who gets it, what it says first and then, and how it ends."""

import asyncio
import gc
import json
import threading

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.server import stream
from explorer.server.stream import Stream


class Counting:
    """A text whose chips are numbers, up to `most`."""

    def __init__(self, most: int) -> None:
        self.run, self.count, self.most, self.fails = 1, 0, most, False

    def press(self, run: int, name: str) -> None:
        if (run, name) == (self.run, "Start again"):
            self.run, self.count = self.run + 1, 0

    def grow(self) -> None:
        if self.fails:
            raise RuntimeError("what was typed")
        self.count += 1

    def drawn(self) -> dict:
        going = self.count < self.most
        return {"run": self.run, "count": self.count, "going": going, "chips": [*range(self.count)]}


@pytest.fixture
def client():
    return TestClient(Starlette(routes=stream.routes("/course")), base_url="http://class")


@pytest.fixture
def own():
    own = Stream()
    own.text = Counting(3)
    return own


def post(client, secret, run=0, **more):
    return client.post("/course/stream", json={"secret": secret, "run": run} | more)


def events(answer):
    return [json.loads(part[6:]) for part in answer.text.split("\n\n") if part.startswith("data: ")]


def test_it_says_everything_and_then_what_is_new_until_the_text_stops(client, own):
    answer = post(client, own.secret)
    assert answer.headers["content-type"].startswith("text/event-stream") and answer.text.startswith(": ")
    assert answer.headers["x-accel-buffering"] == "no" and answer.headers["cache-control"] == "no-store"
    assert events(answer) == [
        {"run": 1, "count": 0, "going": True, "chips": [], "at": 0},
        {"count": 1, "chips": [0], "at": 0},
        {"count": 2, "chips": [1], "at": 1},
        {"count": 3, "going": False, "chips": [2], "at": 2},
    ]


def test_who_comes_back_gets_everything_again(client, own):
    post(client, own.secret)
    own.text.most = 4
    assert [event["chips"] for event in events(post(client, own.secret))] == [[0, 1, 2], [3]]


def test_a_press_counts_once_and_for_the_run_that_is_on_the_screen(client, own):
    post(client, own.secret)
    assert events(post(client, own.secret, 1, press="Start again"))[-1]["count"] == 3 and own.text.run == 2
    (event,) = events(post(client, own.secret, 1, press="Start again"))
    assert (event["run"], event["count"]) == (2, 3), "sent again after a cut, it does no harm"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"secret": "x", "run": 1}', 404), ('{"secret": {}, "run": 1}', 400), ('{"secret": "x"}', 400),
        ('{"secret": "x", "run": Infinity}', 400), ("[]", 400), ("[" * 999, 400), ("\xff", 400),
        (" " * 2_000, 413),
    ],
)  # fmt: skip
def test_what_is_no_request_of_ours_is_refused(client, body, status):
    assert client.post("/course/stream", content=body.encode("latin-1")).status_code == status


def test_another_site_is_refused(client, own):
    headers = {"origin": "http://evil"}
    body = {"secret": own.secret, "run": 0}
    assert client.post("/course/stream", json=body, headers=headers).status_code == 403
    assert client.get("/course/stream").status_code == 405, "a secret is in no address"


def test_it_ends_with_its_session(client):
    secret = Stream().secret
    gc.collect()
    assert post(client, secret).status_code == 404 and secret not in stream._streams


def test_a_text_that_fails_leaves_it_to_the_page_and_no_words_in_the_log(client, own, caplog):
    own.text.fails = True
    assert post(client, own.secret).text.endswith("event: page\ndata: {}\n\n")
    assert "RuntimeError" in caplog.text and "what was typed" not in caplog.text


def test_the_newer_of_two_answers_writes_and_a_quiet_one_says_that_it_is_there(own, monkeypatch):
    monkeypatch.setattr(stream, "ALIVE_S", 0.0)
    own.text.most, grown = 1_000_000, threading.Event()
    monkeypatch.setattr(own.text, "grow", grown.set)  # it waits for the model

    async def follow() -> list[str]:
        first = own.events(1, "")
        said = [await anext(first) for _ in range(3)]
        assert await anext(own.events(1, "")) == ": open\n\n"
        return said + [event async for event in first]

    said = asyncio.run(follow())
    assert said[0] == ": open\n\n" and said[2:] in ([": alive\n\n"], [": alive\n\n"] * 2)
    assert grown.is_set()
