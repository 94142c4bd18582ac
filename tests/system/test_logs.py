"""No text of a visitor reaches a log."""

import io
import logging
import threading
from collections.abc import Iterator

import pytest
from streamlit import error_util

from explorer.server import server
from explorer.system import logs
from tests.loops import in_a_thread


@pytest.fixture
def log(monkeypatch) -> Iterator[io.StringIO]:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    factory = logging.getLogRecordFactory()
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    logging.getLogger("explorer").addHandler(handler)
    yield written
    logging.getLogger("explorer").removeHandler(handler)
    logging.setLogRecordFactory(factory)


def read(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise KeyError(text) from error


def test_an_error_is_told_by_its_types_and_places(log):
    logs.keep_texts_out()
    try:
        read("SECRET")
    except KeyError as error:
        logging.getLogger("explorer").error("A page failed", exc_info=error)
    written = log.getvalue()
    assert "A page failed" in written and "KeyError" in written and "ValueError" in written
    assert "test_logs.py" in written and "in read" in written and "SECRET" not in written


def test_a_thread_too(log):
    logs.keep_texts_out()
    thread = threading.Thread(target=read, args=("SECRET",), name="reader")
    thread.start()
    thread.join()
    assert "reader" in log.getvalue() and "KeyError" in log.getvalue() and "SECRET" not in log.getvalue()


def test_a_message_has_a_bound(log):
    logs.keep_texts_out()
    logging.getLogger("explorer").error("%s", "x" * 3_000)
    assert len(log.getvalue()) < logs.MOST + 30


def test_the_app_keeps_texts_out_from_its_start(log, monkeypatch):
    monkeypatch.setattr(server, "open_browser", lambda: None)

    async def start() -> None:
        async with server.lifespan(None):
            assert logging.getLogRecordFactory() is logs.BoundedRecord

    monkeypatch.setattr(server.warm_up, "finish", lambda: None)
    monkeypatch.setattr(server.background, "finish", lambda: None)
    in_a_thread(start())


def test_an_error_of_a_page_is_logged_without_its_message(log, capsys):
    logs.keep_texts_out()
    logger = error_util._LOGGER
    logger.addHandler(handler := logging.StreamHandler(log))
    try:
        read("SECRET")
    except KeyError as error:
        error_util._log_uncaught_app_exception(error)
    logger.removeHandler(handler)
    assert "KeyError" in log.getvalue() and "SECRET" not in log.getvalue()
    printed = capsys.readouterr()
    assert "SECRET" not in printed.out + printed.err
