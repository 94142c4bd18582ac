"""Small models behind a real web server on the loopback, one for all tests."""

import threading
from contextlib import contextmanager

import pytest

import explorer
from explorer.model_server.application import create_server
from explorer.model_server.served import ServedModel
from explorer.workers.processes import free_port


@contextmanager
def running(*models, token=""):
    """A server of these models; gives its address."""
    port = free_port()
    server = create_server(models, "127.0.0.1", port, token)
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
    return ServedModel("bert", tiny_bert, bert_folder)


@pytest.fixture(scope="session")
def served_gpt(tiny_gpt, gpt_folder):
    return ServedModel("gpt", tiny_gpt, gpt_folder)


@pytest.fixture(scope="session")
def address(served_bert, served_gpt):
    """A server with the tiny BERT and the tiny GPT."""
    with running(served_bert, served_gpt) as url:
        yield url


@pytest.fixture(scope="session")
def far_bert(address):
    return explorer.load(f"serve:{address}/bert")


@pytest.fixture(scope="session")
def far_gpt(address):
    return explorer.load(f"serve:{address}/gpt")
