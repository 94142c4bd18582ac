"""`python -m explorer.serving`: what it says, what it serves, how it ends."""

import importlib.util
import signal
import socket
import subprocess
import sys
import time

import pytest

import explorer
from explorer.errors import ExplorerError
from explorer.serve.workers import ROOT, free_port
from explorer.serving.__main__ import main


def test_without_ray_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        SystemExit, match=r"Ray is not installed\.\nInstall it: pip install -r requirements-sc"
    ):
        main(["--models", "bert-mini"])


@pytest.mark.parametrize("bounds", ["two", "1-x", "-"])
def test_bounds_that_are_none(monkeypatch, bounds):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)
    with pytest.raises(SystemExit, match="gives no bounds"):
        main(["--models", "bert-mini", f"--replicas={bounds}"])


def test_bounds_the_wrong_way_round(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)
    with pytest.raises(SystemExit, match="3 replicas are more than 2"):
        main(["--models", "bert-mini", "--replicas", "3-2"])


def test_a_model_that_is_not_there():
    with pytest.raises(SystemExit, match="No checkpoint called “bret”"):
        main(["--models", "bret", "--plain"])


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.slow
def test_it_serves_until_it_is_told_to_end(bert_folder):
    port = free_port()
    command = [sys.executable, "-m", "explorer.serving", "--models", f"folder:{bert_folder}", "--plain"]
    process = subprocess.Popen(
        [*command, "--port", str(port)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        line = process.stdout.readline()
        name = line.split('"')[1]
        assert name == f"serve:http://127.0.0.1:{port}/{bert_folder.name}"
        process.stdout.readline()
        until = time.monotonic() + 20
        while not listens(port):  # a moment after it has said so
            assert time.monotonic() < until
            time.sleep(0.05)
        far = explorer.load(name)
        assert far.trace("the bank").tokens == ["[CLS]", "the", "bank", "[SEP]"]
    finally:
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=20)
    assert process.returncode == 0 and "have ended" in said


def test_a_look_back_that_ray_serve_does_not_take():
    """Ray warns that it will refuse one that is no longer than its own interval."""
    from explorer.serving.deployment import LEAST_LOOK_S, Plan

    with pytest.raises(ExplorerError, match="look_s is 10"):
        Plan("bert", look_s=LEAST_LOOK_S)
    assert Plan("bert").look_s > LEAST_LOOK_S
