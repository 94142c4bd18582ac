"""Two real workers behind the real proxy: each visitor stays with one, and outlives the other."""

import asyncio
import shutil
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.error import URLError

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed

from explorer.workers.processes import free_port
from explorer.workers.supervisor import serving
from tests.streams import stream

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture
def served():
    """Two workers behind Caddy; skipped where that is not installed."""
    if shutil.which("caddy") is None:
        pytest.skip("no Caddy found; on Debian: apt-get install caddy")
    with (
        serving(2, free_port(), lan=False, report=lambda _: None) as supervisor,
        ThreadPoolExecutor(1) as watch,
    ):
        watch.submit(supervisor.watch)
        yield supervisor
        supervisor.ending.set()


def cookies(port):
    """The cookies of two visitors whom the proxy sent to different workers."""
    cookies = {}
    for _ in range(300):
        with (
            suppress(URLError),  # the proxy may not listen yet, or not have met the other worker
            urllib.request.urlopen(f"http://localhost:{port}/masked", timeout=30) as answer,
        ):
            name, _, marks = answer.headers["set-cookie"].partition(";")
            assert "HttpOnly" in marks and "SameSite=Lax" in marks
            cookies[name] = None
        if len(cookies) == 2:
            return list(cookies)
        time.sleep(0.1)
    raise AssertionError(f"all visitors went to one worker: {cookies}")


def visitor(port, cookie):
    """A connection as the browser of this visitor makes it."""
    address = f"http://localhost:{port}"
    return stream(address, origin=address, additional_headers={"Cookie": cookie})


async def sees(socket, query):
    """All that the page Masked words says to a visitor who brings these settings."""
    request = BackMsg()
    request.rerun_script.page_name, request.rerun_script.query_string = "masked", query
    request.rerun_script.context_info.url = "http://localhost/masked"
    await socket.send(request.SerializeToString())
    messages = []
    while True:
        message = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(decode=False), 60))
        messages.append(str(message))
        early = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
        if message.WhichOneof("type") == "script_finished" and not early:
            return "".join(messages)


async def outlive(served):
    first, second = cookies(port := served.processes[-1].port)
    async with visitor(port, first) as one, visitor(port, second) as other:
        # A name that would be fetched is refused, though the browser says that it stands at this computer.
        refused = await sees(other, "model=hub%3Asome%2Fmodel")
        assert "not in this server" in refused and "Choose a model from the list" in refused
        dead = served.processes[0].process
        dead.kill()
        closed = await asyncio.wait(
            [asyncio.create_task(each.wait_closed()) for each in (one, other)],
            timeout=60,
            return_when=asyncio.FIRST_COMPLETED,
        )
        assert len(closed[0]) == 1, "the worker's own visitor, and nobody else, loses the connection"
        survivor, cookie = (other, first) if one.close_code is not None else (one, second)
        await asyncio.wait_for(await survivor.ping(), 30)
    for _ in range(600):  # the browser tries again as well
        if served.processes[0].process is not dead and served.processes[0].healthy():
            break
        await asyncio.sleep(0.2)
    try:
        async with visitor(port, cookie) as again:
            await asyncio.wait_for(await again.ping(), 30)
    except ConnectionClosed as error:
        raise AssertionError("the one who lost the connection does not get in again") from error


def test_a_visitor_outlives_the_other_worker_and_free_names_are_off(served):
    with ThreadPoolExecutor(1) as pool:  # this thread has the loop of Playwright
        pool.submit(asyncio.run, outlive(served)).result()
