"""What visitors may leave on the server: uploads within bounds, and sessions that end on time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from streamlit import runtime

from explorer.server import bounds
from tests.server.test_server import app, finish

MB = bounds.MB


@pytest.fixture
def server(monkeypatch):
    """A runtime with two sessions, "here" and "gone", and what each keeps."""
    fake = SimpleNamespace(sizes={"here": [], "gone": []}, active={"here"}, closed=[])
    monkeypatch.setattr(
        bounds.streamlit_private, "stored_bytes", lambda: {name: sum(s) for name, s in fake.sizes.items()}
    )
    fake.is_active_session = fake.active.__contains__
    fake._session_mgr = SimpleNamespace(
        list_sessions=lambda: [SimpleNamespace(session=SimpleNamespace(id=n)) for n in ("here", "gone")]
    )
    fake.close_session = fake.closed.append
    monkeypatch.setattr(runtime, "get_instance", lambda: fake)
    return fake


def status(layer, path, method="PUT", **headers):
    """The status of the answer to a request without a body."""
    sent = []

    async def send(message):
        sent.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    finish(layer({"type": "http", "method": method, "path": path, "headers": pairs}, None, send))
    return sent[0]["status"]


def put(layer, session, size=None):
    headers = {} if size is None else {"content_length": str(size)}
    return status(layer, f"{bounds.UPLOADS}{session}/file", **headers)


def test_a_visitor_may_keep_so_much_and_no_more(server):
    layer = bounds.Bounds(app)
    assert put(layer, "here", 50 * MB) == 200 and not layer.arriving, "it has arrived"
    server.sizes["here"] = [bounds.SESSION_MB * MB - 10]
    assert put(layer, "here", 10) == 200 and put(layer, "here", 11) == 413
    assert put(layer, "here") == 413, "a length that is not said counts as the largest"
    assert put(layer, "gone", 50 * MB) == 200, "others are not concerned"


def test_all_together_have_a_bound_and_what_is_on_its_way_counts(server):
    layer = bounds.Bounds(app)
    server.sizes["gone"] = [bounds.ALL_MB * MB - 10]
    assert put(layer, "here", 10) == 200 and put(layer, "here", 11) == 413
    layer.came = 5
    assert put(layer, "here", 6) == 413


def test_uploads_that_stall_count_what_came_and_end_in_time(server, monkeypatch):
    async def reading(scope, receive, send):
        try:
            while (await receive()).get("more_body"):
                pass
        except HTTPException as error:
            await PlainTextResponse(error.detail, error.status_code)(scope, receive, send)
        else:
            await app(scope, receive, send)

    layer = bounds.Bounds(reading)
    server.sizes |= {f"idle {i}": [] for i in range(20)}

    async def upload(session, *parts):
        """The statuses that are sent for an upload of 50 MB whose parts come, and after them nothing."""
        messages = [{"type": "http.request", "body": part, "more_body": part != parts[-1]} for part in parts]

        async def receive():
            return messages.pop(0) if messages else await asyncio.Event().wait()

        sent = []

        async def send(message):
            sent.append(message.get("status"))

        headers = [(b"content-length", str(50 * MB).encode())]
        path = f"{bounds.UPLOADS}{session}/file"
        await layer({"type": "http", "method": "PUT", "path": path, "headers": headers}, receive, send)
        return sent[0]

    async def attack():
        monkeypatch.setattr(bounds, "BODY_S", 0.5)
        stalled = [asyncio.create_task(upload(f"idle {i}")) for i in range(20)]
        await asyncio.sleep(0.01)
        honest = await upload("here", b"x" * MB, b"y")
        monkeypatch.setattr(bounds, "ALL_MB", 50)
        together = await asyncio.gather(*(upload(f"idle {i}", b"x" * (30 * MB), b"y") for i in range(2)))
        return honest, together, await asyncio.gather(*stalled)

    with ThreadPoolExecutor(1) as pool:  # this thread may have the loop of Playwright
        honest, together, stalled = pool.submit(asyncio.run, attack()).result()
    assert honest == 200 and sorted(together) == [200, 413] and set(stalled) == {408}
    assert not layer.arriving and not layer.came


def test_the_metrics_are_closed_unless_asked_for(server, monkeypatch):
    layer = bounds.Bounds(app)
    assert status(layer, bounds.METRICS, "GET") == 404 and status(layer, "/_stcore/health", "GET") == 200
    monkeypatch.setenv(bounds.METRICS_VARIABLE, "1")
    assert status(layer, bounds.METRICS, "GET") == 200


def test_a_session_ends_some_time_after_its_browser_has_left(server):
    sweep = bounds.Sweep()
    sweep.look(0.0)
    sweep.look(bounds.KEPT_S - 1)
    assert server.closed == []
    server.active.add("gone")  # the browser is back
    sweep.look(bounds.KEPT_S)
    server.active.remove("gone")
    sweep.look(bounds.KEPT_S + 1)
    sweep.look(2 * bounds.KEPT_S)
    assert server.closed == []
    sweep.look(2 * bounds.KEPT_S + 1)
    assert server.closed == ["gone"]


def test_what_was_computed_from_texts_goes_with_the_last_visitor(server, monkeypatch):
    forgotten = []
    monkeypatch.setattr(bounds.kept, "forget_results", lambda: forgotten.append(len(server.closed)))
    sweep = bounds.Sweep()
    sweep.look(0.0)
    assert forgotten == []
    monkeypatch.setattr(server._session_mgr, "list_sessions", list)
    sweep.look(1.0)
    sweep.look(2.0)
    assert len(forgotten) == 1
