"""Small models behind a real web server on the loopback, one for all tests."""

import threading
from contextlib import contextmanager

import pytest

import explorer
from explorer.serve.workers import free_port
from explorer.serving import plain
from explorer.serving.served import Served


@contextmanager
def running(*models, token=""):
    """A server of these models; gives its address."""
    port = free_port()
    server = plain.server(models, "127.0.0.1", port, token)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def served_bert(tiny_bert, bert_folder):
    return Served("bert", tiny_bert, bert_folder)


@pytest.fixture(scope="session")
def served_gpt(tiny_gpt, gpt_folder):
    return Served("gpt", tiny_gpt, gpt_folder)


@pytest.fixture(scope="session")
def address(served_bert, served_gpt):
    """A server with the tiny BERT and the tiny GPT."""
    with running(served_bert, served_gpt) as found:
        yield found


@pytest.fixture(scope="session")
def far_bert(address):
    return explorer.load(f"serve:{address}/bert")


@pytest.fixture(scope="session")
def far_gpt(address):
    return explorer.load(f"serve:{address}/gpt")
