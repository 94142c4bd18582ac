"""`python -m explorer.model_server`: what it says, what it serves, how it ends."""

import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest

import explorer
from explorer.model_server.__main__ import main
from explorer.system.serving import end_by_signals
from explorer.workers.processes import ROOT, free_port


def test_a_model_that_is_not_there():
    with pytest.raises(SystemExit, match="No checkpoint called “bret”"):
        main(["--models", "bret", "--port", "0"])


def test_a_taken_port_is_said_before_anything_else(capsys):
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(SystemExit, match="cannot be opened"):
        main(["--models", "bret", "--port", str(other.getsockname()[1])])
    assert capsys.readouterr().out == ""


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_it_serves_until_it_is_told_to_end(bert_folder, ending):
    port = free_port()
    command = [sys.executable, "-m", "explorer.model_server", "--models", f"folder:{bert_folder}"]
    process = subprocess.Popen(
        [*command, "--port", str(port)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        line = process.stdout.readline()
        name = line.split('"')[1]
        assert name == f"serve:http://127.0.0.1:{port}/{bert_folder.name}"
        process.stdout.readline()
        until = time.monotonic() + 300
        while not listens(port):  # a moment after it has said so
            assert time.monotonic() < until
            time.sleep(0.05)
        far = explorer.load(name)
        assert far.trace("the bank").tokens == ["[CLS]", "the", "bank", "[SEP]"]
    finally:
        process.send_signal(ending)
        output, _ = process.communicate(timeout=300)
    assert process.returncode == 0 and "have stopped" in output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_not_forgotten_where_its_exception_is(number):
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(each) for each in numbers]
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        raise_if_told = end_by_signals()
        raise_if_told()
        with suppress(KeyboardInterrupt):  # as PyTorch does while it imports numpy
            signal.raise_signal(number)
        with pytest.raises(KeyboardInterrupt):
            raise_if_told()
    finally:
        for each, handler in zip(numbers, before, strict=True):
            signal.signal(each, handler)


def test_a_hangup_ends_a_server_as_it_has_chosen_to_end():
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    ended = []
    try:
        end_by_signals()
        signal.signal(signal.SIGTERM, lambda *_: ended.append(True))  # a server takes it over
        signal.raise_signal(signal.SIGHUP)
        assert ended == [True]
    finally:
        for number, handler in zip((signal.SIGTERM, signal.SIGHUP), before, strict=True):
            signal.signal(number, handler)
