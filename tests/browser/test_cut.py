"""A connection that is cut, or a server that ends: what was typed or clicked meanwhile is not lost."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.alone import draw, load, sent
from tests.browser.conftest import start_server
from tests.browser.cut import Cable
from tests.browser.waiting import expect, settle

TYPED = "A new text is typed while the [MASK] is away."
IN_LINK = "**text=A+new+text+is+typed+while+the+*MASK*"


@pytest.fixture
def cable(server: str) -> Iterator[Cable]:
    cable = Cable(urlsplit(server).port)
    yield cable
    cable.close()


@pytest.fixture
def cut_page(cable, browser):
    """cut_page("/masked") -> a page that has drawn, and whose connection has just been cut."""
    with browser.new_context() as context:

        def open_(path: str):
            page = context.new_page()
            page.goto(f"http://localhost:{cable.port}{path}")
            page.wait_for_selector("textarea")
            settle(page)
            cable.cut()
            page.wait_for_selector(".stApp[data-test-connection-state=PINGING_SERVER]")
            return page

        yield open_


def assert_typed(page, joined) -> None:
    """The text that was typed stays in its box, and is that of the page once the connection is back."""
    box = page.locator("textarea").first
    box.fill(TYPED)
    page.wait_for_timeout(600)  # a text is sent after a pause
    joined()
    page.wait_for_url(IN_LINK)
    expect(box).to_have_value(TYPED)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/attention", "/masked", "/continuations?model=gpt"])
def test_what_was_typed_without_a_connection_is_read_when_it_is_back(cut_page, cable, path):
    assert_typed(cut_page(path), cable.join)


@pytest.mark.slow
def test_what_was_clicked_without_a_connection_counts_when_it_is_back(cut_page, cable):
    page = cut_page("/continuations?model=gpt")
    page.locator(".chip").nth(2).click()
    cable.join()
    page.wait_for_url("**token=*")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/attention", "/continuations?model=gpt"])
def test_what_was_typed_while_the_server_was_started_again_is_read_by_the_new_one(
    cut_page, cable, tmp_path, path
):
    process, url = start_server(tmp_path)  # first, as Streamlit shows a dialog after a while without one
    try:
        page = cut_page(path)
        cable.to = urlsplit(url).port
        assert_typed(page, cable.join)
    finally:
        process.terminate()
        process.wait(60)


def test_the_room_is_brought_again_where_the_first_message_was_lost(browser, server):
    drawn = {"session": "s", "press": {"presses": 0, "changed": []}, "scheme": "light", "covered": None}
    drawn |= {"room": None, "lecture": {"wanted": "", "state": None}}
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{server}/_stcore/health")
        page.evaluate("() => sessionStorage.setItem('riverbank/room', 'FRAK.secret')")
        page.set_content('<div class="stApp" style="color-scheme: light"><div class="root"></div></div>')
        load(page, "frame/page_behaviour")
        draw(page, drawn)
        assert [name for name, _ in sent(page)] == ["room"]
        for state in ("CONNECTING", "CONNECTED"):
            page.locator(".stApp").evaluate("(app, now) => (app.dataset.testConnectionState = now)", state)
        assert [name for name, _ in sent(page)] == ["room", "room", "again"]


@pytest.mark.slow
def test_a_page_whose_connection_streamlit_has_given_up_is_loaded_again(browser, server):
    with browser.new_context() as context:
        page, connections = context.new_page(), []

        def pass_on(connection) -> None:
            connection.connect_to_server()
            connections.append(connection)

        page.route_web_socket("**/_stcore/stream", pass_on)
        page.goto(f"{server}/attention")
        settle(page)
        with page.expect_event("load"):
            connections[-1].send(ForwardMsg(ref_hash="no such message").SerializeToString())
        settle(page)
        expect(page.locator(".stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
