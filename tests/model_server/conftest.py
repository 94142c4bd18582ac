"""Small models behind a real web server on the loopback, one for all tests."""

import threading
from contextlib import contextmanager

import pytest

import explorer
from explorer.model_server.application import plain_server
from explorer.model_server.served import ServedModel
from explorer.workers.processes import free_port


@contextmanager
def running(*models, token=""):
    """A server of these models; gives its address."""
    port = free_port()
    server = plain_server(models, "127.0.0.1", port, token)
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


@pytest.fixture(scope="session")
def cluster(bert_folder, gpt_folder):
    """Ray on the loopback, for all tests with it: a tiny BERT (one replica, short queue) and the
    bundled GPT (one or two). Gives the address and the BERT's name."""
    from explorer.model_server import deployment

    patch = pytest.MonkeyPatch()
    for side in ("REPLICA", "HANDLE"):  # how often they report their load
        patch.setenv(f"RAY_SERVE_{side}_AUTOSCALING_METRIC_PUSH_INTERVAL_S", "0.3")
    port = free_port()
    scaling = {
        "min_replicas": 1,
        "max_replicas": 2,
        "target_ongoing_requests": 1,
        "upscale_delay_s": 0.3,
        "downscale_delay_s": 1,
        "look_back_period_s": 10.5,
    }
    try:
        deployment.start(
            {
                f"folder:{bert_folder}": {
                    "num_replicas": 1,
                    "autoscaling_config": None,
                    "max_ongoing_requests": 8,
                    "max_queued_requests": 16,
                },
                "gpt": {"autoscaling_config": scaling},
            },
            port=port,
        )
        yield f"http://127.0.0.1:{port}", bert_folder.name
    finally:
        deployment.stop()
        patch.undo()
