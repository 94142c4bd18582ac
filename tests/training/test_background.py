"""Runs in the background: they start, stop where they are, go on, and are told apart from others'."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explorer.errors import ExplorerError
from training import background
from training.background import ENDED, PAUSED, RUNNING, Background, main

# Counts into its log, and ends by itself should a test be cut off.
COUNT = "import sys, time\nfor i in range(600):\n    print(sys.argv[1:], i, flush=True)\n    time.sleep(0.05)"


@pytest.fixture
def run(tmp_path):
    """A run that nothing was started in yet; whatever is started ends with the test."""
    made = Background("dummy", tmp_path / "dummy")
    yield made
    if made.state != ENDED:
        os.killpg(made.pid, signal.SIGKILL)


def soon(true):
    for _ in range(200):
        if true():
            return True
        time.sleep(0.05)
    return False


def lines(run):
    return run.log.read_text(encoding="utf-8").splitlines() if run.log.exists() else []


def start(run, *arguments):
    pid = run.start([sys.executable, "-c", COUNT, *arguments])
    assert soon(lambda: lines(run)), "it writes its log"
    return pid


def test_a_run_stops_where_it_is_and_goes_on(run):
    assert (run.state, run.pid) == (ENDED, None)
    pid = start(run)
    assert (run.state, run.pid) == (RUNNING, pid)
    assert run.pause() and soon(lambda: run.state == PAUSED)
    count = len(lines(run))
    time.sleep(0.3)
    assert len(lines(run)) == count and not run.pause()
    assert run.resume() and soon(lambda: len(lines(run)) > count)
    assert run.state == RUNNING and not run.resume()


def test_it_gets_the_lowest_priority_and_one_thread(run):
    pid = run.start(
        [
            sys.executable,
            "-c",
            "import os, time; print(os.environ['OMP_NUM_THREADS'], flush=True); time.sleep(9)",
        ]
    )
    assert soon(lambda: lines(run) == ["1"])
    assert os.getpriority(os.PRIO_PROCESS, pid) == 19
    if background.shutil.which("chrt"):
        assert os.sched_getscheduler(pid) == os.SCHED_IDLE
    assert os.getsid(pid) == pid, "closing the terminal does not end it"


def test_its_session_gives_way_to_others(run):
    pid = start(run)
    group = Path(f"/proc/{pid}/autogroup")
    if not group.exists():
        pytest.skip("this system does not share the processor among sessions")
    assert group.read_text().endswith("nice 19\n")


def test_without_chrt_nice_alone_does(run, monkeypatch):
    which = background.shutil.which
    monkeypatch.setattr(background.shutil, "which", lambda name: None if name == "chrt" else which(name))
    assert background.idle() == [which("nice"), "-n", "19"]
    pid = start(run)
    assert os.getpriority(os.PRIO_PROCESS, pid) == 19


def test_one_run_of_a_name_at_a_time(run):
    start(run)
    with pytest.raises(ExplorerError, match="running"):
        run.start(["true"])
    run.pause()
    assert soon(lambda: run.state == PAUSED)
    with pytest.raises(ExplorerError, match="paused"):
        run.start(["true"])


def test_a_run_that_has_ended_may_start_again_and_keeps_its_log(run):
    for _ in range(2):
        run.start([sys.executable, "-c", "print('done')"])
        assert soon(lambda: run.state == ENDED)
    assert soon(lambda: lines(run) == ["done", "done"])


def test_a_number_that_another_process_has_now_is_not_ours(run):
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"])
    try:
        run.folder.mkdir()
        (run.folder / "pid").write_text(json.dumps({"pid": other.pid, "began": "before"}), encoding="utf-8")
        assert run.state == ENDED and not run.pause()
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_the_command(tmp_path, run, capsys):
    def call(*arguments):
        main(["--folder", str(tmp_path), *arguments], [sys.executable, "-c", COUNT])
        return capsys.readouterr().out

    assert call("status") == "No run was started yet.\n"
    assert "dummy" in call("start", "dummy", "--", "bert", "--seed", "3")
    assert soon(lambda: lines(run))
    assert f"['bert', '--seed', '3', '--run', '{tmp_path}/dummy/run'] 0" in lines(run)[0]
    call("pause")
    assert soon(lambda: run.state == PAUSED) and PAUSED in call("status")
    assert RUNNING in call("resume", "dummy")
    for wrong in (["pause", "other"], ["start", "dummy", "--", "bert"]):
        with pytest.raises(SystemExit, match=r"other.*dummy|dummy.*already"):
            call(*wrong)
