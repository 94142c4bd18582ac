"""Small models behind a real web server on the loopback, one for all tests."""

import threading
from contextlib import contextmanager

import pytest

import explorer
from explorer.serve.workers import free_port
from explorer.serving import deployment, plain
from explorer.serving.deployment import Plan
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


@pytest.fixture(scope="session")
def cluster(bert_folder, gpt_folder):
    """Ray on the loopback, for all tests with it: a tiny BERT (one replica, short line), the bundled GPT (one
    to two). Gives the address and the BERT's name."""
    patch = pytest.MonkeyPatch()
    for side in ("REPLICA", "HANDLE"):  # how often they tell how much they have to do
        patch.setenv(f"RAY_SERVE_{side}_AUTOSCALING_METRIC_PUSH_INTERVAL_S", "0.3")
    port = free_port()
    quick = {"target": 1, "up_s": 0.3, "down_s": 1, "look_s": 10.5}
    plans = [
        Plan(f"folder:{bert_folder}", 1, 1, ongoing=8, queued=16, wait_s=0.05),
        Plan("gpt", 1, 2, **quick),
    ]
    try:
        deployment.start(plans, port=port)
        yield f"http://127.0.0.1:{port}", bert_folder.name
    finally:
        deployment.stop()
        patch.undo()
