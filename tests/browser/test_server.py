"""What surrounds the pages, asked of the real server: who is answered, and an address that moved."""

import asyncio
import socket
import urllib.request
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from explorer.server.server import A_CLASS
from tests.browser.conftest import ROOT, start_server
from tests.loops import in_a_thread
from tests.streams import stream

VISITORS = 300  # more than the 256 files that the server starts with, see conftest.py


def test_the_start_page_has_a_name_too(server):
    with urllib.request.urlopen(f"{server}/home?text=a%20%5BMASK%5D", timeout=30) as answer:
        assert answer.status == 200 and answer.url == f"{server}/?text=a%20%5BMASK%5D"


def test_a_name_that_was_made_to_lead_here_is_refused_and_told_how_to_be_let_in(server):
    request = urllib.request.Request(f"{server}/masked", headers={"Host": "evil.example"})
    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert refused.value.code == 421
    said = refused.value.read().decode()
    assert "'evil.example'" in said and "--server.allowedHosts" in said


@pytest.mark.slow
def test_a_shared_server_asks_nobody_for_its_own_address(tmp_path, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as outside:
        for name in ("http_proxy", "https_proxy"):  # whatever leaves this computer would come here
            monkeypatch.setenv(name, f"http://127.0.0.1:{outside.getsockname()[1]}")
        process, url = start_server(tmp_path, arguments=["--server.address", "0.0.0.0"])
        try:
            with pytest.raises(InvalidStatus):
                in_a_thread(attempt(url, "127.0.0.1", "http://evil.example"))
            outside.settimeout(0.5)
            with pytest.raises(TimeoutError):
                outside.accept()
        finally:
            process.terminate()
            process.wait(60)
    assert "-m explorer.workers --workers 2 --lan" in (tmp_path / "server.log").read_text()


def test_all_say_how_many_one_process_serves():
    for name in ("README.md", "docs/scale.md"):
        assert f"a class of about {A_CLASS}" in (ROOT / name).read_text(encoding="utf-8"), name


async def attempt(server: str, name: str, origin: str | None) -> None:
    """Connect to a server under a name, from a page of this origin."""
    port = urlsplit(server).port
    asked = {"origin": origin and origin.format(port), "subprotocols": ["streamlit"], "proxy": None}
    address = f"ws://{name}:{port}/_stcore/stream"
    async with connect(address, host="localhost", port=port, open_timeout=60, **asked):
        pass


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("evil.example", None),
        ("evil.example", "http://evil.example:{}"),
        ("localhost", "http://evil.example"),
    ],
)
def test_no_other_site_connects(server, name, origin):
    with pytest.raises(InvalidStatus, match="403"):
        in_a_thread(attempt(server, name, origin))


def test_a_browser_keeps_what_it_has_told_the_server_that_it_has(server):
    async def begin() -> None:
        async with stream(server) as visitor:
            await visitor.send(BackMsg(rerun_script=ClientState()).SerializeToString())
            message = ForwardMsg.FromString(await asyncio.wait_for(visitor.recv(decode=False), 60))
            age = message.new_session.config.max_cached_message_age
            assert age >= 500  # runs, some of which may end while a request waits

    in_a_thread(begin())


@pytest.mark.slow
def test_more_visitors_than_files_that_a_program_is_given(chromium, tmp_path):
    # On a server of its own: so many at once keep those waiting who test something else meanwhile.
    process, server = start_server(tmp_path)

    async def everybody() -> None:
        async with asyncio.timeout(120):
            there = [await stream(server) for _ in range(VISITORS)]
        with urllib.request.urlopen(f"{server}/_stcore/health", timeout=30) as answer:
            assert answer.status == 200
        await asyncio.gather(*(one.close() for one in there))

    try:
        in_a_thread(everybody())
    finally:
        process.terminate()
        process.wait(60)


def test_a_message_larger_than_any_honest_one_ends_its_connection(server):
    async def send() -> None:
        async with stream(server) as visitor:
            await visitor.send(bytes(7_000_000))
            await asyncio.wait_for(visitor.recv(), 60)

    with pytest.raises(ConnectionClosedError, match="1009"):
        in_a_thread(send())


COUNTING = """
import threading, time
import streamlit as st

@st.cache_resource
def running():
    return []

running().append(threading.get_ident())
print("RUNS", len(running()), flush=True)
time.sleep(0.3)
running().remove(threading.get_ident())
st.text("done")
"""


@pytest.mark.slow
def test_the_runs_of_a_session_come_one_after_another(tmp_path):
    script = tmp_path / "counting.py"
    script.write_text(COUNTING)
    process, url = start_server(tmp_path, script=str(script))

    async def hurry() -> None:
        async with stream(url) as visitor:

            async def told(kind: str) -> None:
                message = None
                while message is None or message.WhichOneof("type") != kind:
                    message = ForwardMsg.FromString(await asyncio.wait_for(visitor.recv(decode=False), 60))

            for number in range(4):
                asked = BackMsg()
                asked.rerun_script.query_string = f"n={number}"
                await visitor.send(asked.SerializeToString())
                if number == 0:
                    await told("new_session")  # what is asked before the first run begins is asked once
                await asyncio.sleep(0.1)
            for _ in range(2):
                await told("script_finished")

    try:
        in_a_thread(hurry())
    finally:
        process.terminate()
        process.wait(60)
    runs = [line for line in (tmp_path / "server.log").read_text().splitlines() if line.startswith("RUNS")]
    assert len(runs) > 1 and set(runs) == {"RUNS 1"}
