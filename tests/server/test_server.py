"""What stands around the app, without a server: who is answered, and what every answer carries."""

from collections.abc import Coroutine

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from explorer.server import server, streamlit_private

REFUSALS = {"http": ("http.response.start", 421), "websocket": ("websocket.close", 1008)}


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers everybody."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-own", b"kept")]})


def finish(work: Coroutine[None, None, None]) -> None:
    """Run to the end what never waits: no loop is needed, and Playwright may have one in this thread."""
    with pytest.raises(StopIteration):
        work.send(None)


def answer(kind: str, **headers: str) -> list[Message]:
    """What is sent for a request of a kind, with these headers."""
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    around = app
    for layer in reversed(server.MIDDLEWARE):
        around = layer.cls(around, *layer.args, **layer.kwargs)
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    finish(around({"type": kind, "method": "GET", "path": "/", "headers": pairs}, receive, send))
    return messages


def test_every_answer_carries_the_headers():
    (start,) = answer("http", host="localhost:8501")
    assert dict(start["headers"]) == {
        b"x-own": b"kept",
        b"x-content-type-options": b"nosniff",
        b"referrer-policy": b"same-origin",
        b"content-security-policy": b"frame-ancestors 'self'",
        b"x-frame-options": b"SAMEORIGIN",
    }


def test_sites_that_are_named_may_show_a_page_inside_theirs(monkeypatch):
    sites = "https://one.example https://two.example"
    monkeypatch.setenv(server.FRAMES_VARIABLE, sites)
    headers = server.headers()
    assert headers["content-security-policy"] == f"frame-ancestors 'self' {sites}"
    assert "x-frame-options" not in headers, "it knows no other sites, and browsers would go by it"


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_name_that_is_not_ours_is_refused(kind):
    start, *rest = answer(kind, host="evil.example:8501")
    assert (start["type"], start.get("status", start.get("code"))) == REFUSALS[kind]
    if kind == "http":
        body = rest[0]["body"].decode()
        assert "'evil.example'" in body and "--server.allowedHosts" in body


def test_only_our_own_pages_connect():
    for origin, accepted in (("http://localhost:8501", True), ("http://evil.example", False)):
        (first,) = answer("websocket", host="localhost:8501", origin=origin)
        assert (first["type"] == "http.response.start") == accepted
    (reply,) = answer("http", host="localhost:8501", origin="http://evil.example")
    assert reply["status"] == 200, "it cannot read what it gets"


@pytest.mark.parametrize("gone", [streamlit_private.websockets.WebSocketDisconnected, ClientDisconnect])
def test_a_visitor_who_leaves_while_something_is_sent_is_no_error(monkeypatch, gone):
    async def writes_on(scope: Scope, receive: Receive, send: Send) -> None:
        raise gone

    monkeypatch.setitem(globals(), "app", writes_on)
    assert answer("websocket", host="localhost:8501", origin="http://localhost:8501") == []
