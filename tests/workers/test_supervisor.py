"""Workers are started, started again and ended together; here they only answer when asked how they are."""

import shutil
import signal
import socket
import subprocess
import sys
import threading

import psutil
import pytest

from explorer.errors import ExplorerError, NotFoundError
from explorer.workers import proxy, supervisor
from explorer.workers.__main__ import main
from explorer.workers.processes import Process, end, free_port, worker
from explorer.workers.supervisor import Supervisor
from tests.waiting import until

FAILING = [sys.executable, "-c", "import sys; sys.exit('no such model')"]


@pytest.fixture
def serve(tmp_path, monkeypatch):
    """serve(count, command, front): a supervisor whose workers and proxy answer health, or run the commands;
    all that it started ends with the test."""
    monkeypatch.setattr(supervisor, "CHECK_S", 0.02)
    (tmp_path / "_stcore").mkdir()
    (tmp_path / "_stcore" / "health").write_text("ok")
    supervisors = []

    def make(count=2, command=None, front=None):
        processes = []
        for name in [*(f"worker {number + 1}" for number in range(count)), "proxy"]:
            port = free_port()
            answering = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
            own = (front if name == "proxy" else command) or [*answering, "--directory", str(tmp_path)]
            processes.append(Process(name, own, tmp_path / f"{name}.log", {}, port))
        supervisors.append(Supervisor(processes, make.lines.append))
        return supervisors[-1]

    make.lines = []
    yield make
    for each in supervisors:
        each.ending.set()
        each.stop()


def test_a_worker_that_died_comes_back_at_its_port_and_the_other_is_left_alone(serve):
    served = serve()
    served.start()
    assert all(worker.healthy() for worker in served.processes[:2])
    first, second = (worker.process for worker in served.processes[:2])
    front = served.processes[-1].process
    watching = threading.Thread(target=served.watch)
    watching.start()
    first.kill()
    until(lambda: served.processes[0].process is not first and served.processes[0].healthy())
    assert served.processes[1].process is second and second.poll() is None
    assert "The worker 1 ended; it is started again, the others go on." in serve.lines
    front.kill()
    until(lambda: served.processes[-1].process is not front and served.processes[-1].alive)
    served.ending.set()
    watching.join(10)
    assert not watching.is_alive()
    served.stop()
    assert not any(process.alive for process in served.processes)


def test_a_worker_that_cannot_start_is_named_with_its_last_words(serve):
    with pytest.raises(ExplorerError, match=r"worker 1 did not start\.(?s:.*)no such model"):
        serve(command=FAILING).start()


def test_a_proxy_that_cannot_start_says_why(serve):
    served = serve(count=0, front=[sys.executable, "-c", "import sys; sys.exit('listen: address in use')"])
    with pytest.raises(ExplorerError, match=r"proxy did not start\.(?s:.*)address in use"):
        served.start()


@pytest.mark.slow
def test_a_worker_that_keeps_ending_is_given_up(serve):
    served = serve(count=1)
    served.start()
    served.processes[0].command = FAILING
    served.processes[0].process.kill()
    with pytest.raises(ExplorerError, match=r"ended 5 times in a row\.(?s:.*)no such model"):
        served.watch()


def test_what_does_not_end_when_asked_is_killed(tmp_path):
    stubborn = (
        "from signal import *; import sys, time; signal(SIGTERM, SIG_IGN); "
        "print('ready', file=sys.stderr, flush=True); time.sleep(60)"
    )
    process = Process("stubborn", [sys.executable, "-c", stubborn], tmp_path / "log", {})
    process.start()
    until(lambda: process.log_end() == "ready")
    end([process, Process("never started", [], tmp_path / "log", {})], 0.1)
    assert not process.alive


def test_all_workers_have_one_secret_and_no_free_names(monkeypatch, tmp_path):
    monkeypatch.delenv("RIVERBANK_OPEN_SOURCES", raising=False)
    environment = worker(1, tmp_path, "s3cret", lan=True).environment
    assert environment["STREAMLIT_SERVER_COOKIE_SECRET"] == "s3cret"
    assert environment["RIVERBANK_OPEN_SOURCES"] == "0" and environment["RIVERBANK_PROXY"] == "lan"
    assert "s3cret" not in repr(worker(1, tmp_path, "s3cret", lan=True))
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "1")  # whoever says so means it
    assert worker(1, tmp_path, "s3cret", lan=False).environment["RIVERBANK_OPEN_SOURCES"] == "1"


def test_without_a_proxy_the_command_that_installs_it_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NotFoundError) as missing:
        proxy.find()
    assert "apt install caddy" in missing.value.hint and "streamlit run app.py" in missing.value.hint


def test_the_proxy_keeps_its_files_in_the_folder(tmp_path):
    process = proxy.process("caddy", tmp_path, 8501, [9001], lan=False)
    assert "127.0.0.1:9001" in (tmp_path / "Caddyfile").read_text()
    assert process.environment["XDG_DATA_HOME"] == str(tmp_path) == process.environment["XDG_CONFIG_HOME"]


def test_without_ipv6_the_proxy_asks_for_none(monkeypatch):
    def refuse(*arguments):
        raise OSError("Address family not supported by protocol")

    monkeypatch.setattr(proxy.socket, "socket", refuse)
    assert proxy.addresses(lan=False) == "127.0.0.1"


def test_no_workers_are_no_number(monkeypatch):
    monkeypatch.setattr(proxy, "find", lambda: "caddy")
    with pytest.raises(SystemExit, match="workers is 0"):
        main(["--workers", "0"])


def test_the_configuration_is_shown_when_asked_for(capsys):
    main(["--workers", "3", "--port", "80", "--lan", "--show"])
    output = capsys.readouterr().out
    assert "127.0.0.1:81 127.0.0.1:82 127.0.0.1:83" in output and "bind 0.0.0.0" in output


@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a process with its parent")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_what_was_started_ends_with_its_parent_however_that_ends(tmp_path, how):
    log = tmp_path / "log"
    starting = (
        "import sys, time, pathlib; from explorer.workers.processes import Process\n"
        "p = Process('p', [sys.executable, '-c',"
        " 'import sys, time; print(9, file=sys.stderr, flush=True); time.sleep(60)'],"
        f" pathlib.Path({str(log)!r}), {{}})\n"
        "p.start(); print(p.process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", starting], stdout=subprocess.PIPE, text=True) as parent:
        try:
            child = psutil.Process(int(parent.stdout.readline()))
            until(lambda: "9" in log.read_text())  # it has become the command
        finally:
            parent.send_signal(how)
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


def test_a_port_that_somebody_has_is_refused_before_anything_starts():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ExplorerError, match=f"Port {port} cannot be opened") as refusal:
            supervisor.require_free(port, lan=False)
    assert f"--port {port + 1}" in refusal.value.hint
    supervisor.require_free(port, lan=False)
