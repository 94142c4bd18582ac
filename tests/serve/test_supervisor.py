"""Workers are started, brought back and ended together; here they only answer when asked how they are."""

import shutil
import subprocess
import sys
import threading
import time

import pytest

from explorer.errors import ExplorerError, NotFoundError
from explorer.serve import proxy, supervisor
from explorer.serve.__main__ import main
from explorer.serve.supervisor import Supervisor
from explorer.serve.workers import Worker, end, environment


class Small(Worker):
    """Answers health, as a worker does, a moment after it has been started."""

    def command(self):
        (self.log.parent / "_stcore").mkdir(exist_ok=True)
        (self.log.parent / "_stcore" / "health").write_text("ok")
        where = ["--bind", "127.0.0.1", "--directory", str(self.log.parent)]
        return [sys.executable, "-m", "http.server", str(self.port), *where]


class Broken(Worker):
    """Ends as soon as it has said why."""

    def command(self):
        return [sys.executable, "-c", "import sys; sys.exit('no such model')"]


def sleeping(*_):
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


@pytest.fixture
def serve(tmp_path, monkeypatch):
    """serve(kind, count) -> a supervisor whose proxy does nothing; all that it started ends with the test."""
    monkeypatch.setattr(proxy, "find", lambda: "caddy")
    monkeypatch.setattr(proxy, "start", sleeping)
    monkeypatch.setattr(supervisor, "LOOK", 0.02)
    made = []

    def make(kind=Small, count=2):
        made.append(Supervisor(count, 8501, False, tmp_path, said.append, kind))
        return made[-1]

    said: list[str] = []
    make.said = said
    yield make
    for each in made:
        each.stop()


def until(true, seconds=20):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.02)


def test_a_worker_that_died_comes_back_at_its_port_and_the_other_is_left_alone(serve):
    served = serve()
    served.start()
    assert all(worker.healthy() for worker in served.workers)
    first, second = (worker.process for worker in served.workers)
    watching = threading.Thread(target=served.watch)
    watching.start()
    first.kill()
    until(lambda: served.workers[0].process is not first and served.workers[0].healthy())
    assert served.workers[1].process is second and second.poll() is None
    assert "worker 1 ended; it is started again, the others go on" in serve.said
    served.stop()
    watching.join(10)
    assert not watching.is_alive()
    assert not any(worker.alive for worker in served.workers) and served.proxy.poll() is not None


def test_a_worker_that_cannot_start_is_named_with_its_last_words(serve):
    with pytest.raises(ExplorerError, match=r"Worker 1 did not start\.(?s:.*)no such model"):
        serve(Broken).start()


@pytest.mark.slow
def test_a_worker_that_keeps_ending_is_given_up(serve):
    served = serve(count=1)
    served.start()
    served.workers[0].command = lambda: Broken.command(served.workers[0])
    served.workers[0].process.kill()
    with pytest.raises(ExplorerError, match=r"ended 5 times in a row\.(?s:.*)no such model"):
        served.watch()


@pytest.mark.slow
def test_a_worker_that_does_not_answer_is_started_again(serve, monkeypatch):
    monkeypatch.setattr(supervisor, "HUNG", 0.2)
    served = serve(count=1)
    served.start()
    hung = served.workers[0].process
    monkeypatch.setattr(Small, "healthy", lambda worker: worker.process is not hung)
    watching = threading.Thread(target=served.watch)
    watching.start()
    until(lambda: served.workers[0].process is not hung)
    served.stop()
    watching.join(10)
    assert hung.poll() is not None


def test_what_does_not_end_when_asked_is_killed():
    stubborn = (
        "from signal import *; import time; signal(SIGTERM, SIG_IGN); print(flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE)
    process.stdout.readline()
    end([process, None], 0.1)
    assert process.poll() is not None
    process.stdout.close()


def test_all_workers_have_one_secret_and_no_free_names(monkeypatch):
    monkeypatch.delenv("RIVERBANK_OPEN_SOURCES", raising=False)
    told = environment("s3cret", lan=True)
    assert told["STREAMLIT_SERVER_COOKIE_SECRET"] == "s3cret"
    assert told["RIVERBANK_OPEN_SOURCES"] == "0" and told["RIVERBANK_PROXY"] == "lan"
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "1")  # whoever says so means it
    assert environment("s3cret", lan=False)["RIVERBANK_OPEN_SOURCES"] == "1"


@pytest.mark.parametrize(
    ("tool", "command"),
    [("apt-get", "sudo apt-get install caddy"), ("", "https://caddyserver.com/docs/install")],
)
def test_without_a_proxy_the_command_that_installs_it_is_named(monkeypatch, tool, command):
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == tool else None)
    with pytest.raises(NotFoundError) as missing:
        proxy.find()
    assert command in missing.value.hint and "streamlit run app.py" in missing.value.hint


def test_no_workers_are_no_number(monkeypatch):
    monkeypatch.setattr(proxy, "find", lambda: "caddy")
    with pytest.raises(SystemExit, match="workers is 0"):
        main(["--workers", "0"])


def test_the_configuration_is_shown_when_asked_for(capsys):
    main(["--workers", "3", "--port", "80", "--lan", "--show"])
    shown = capsys.readouterr().out
    assert "127.0.0.1:81 127.0.0.1:82 127.0.0.1:83" in shown and "bind 0.0.0.0" in shown
