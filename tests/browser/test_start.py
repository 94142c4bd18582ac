"""The README's start command as a newcomer runs it: a terminal, an empty home folder, a browser."""

import os
import pty
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explorer.workers.processes import free_port

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="checks the way Linux opens a browser")
def test_the_start_command_asks_nothing_and_opens_the_browser(tmp_path):
    asked = tmp_path / "opened"
    opener = tmp_path / "bin" / "xdg-open"  # what Streamlit calls on Linux where there is a desktop
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > {shlex.quote(str(asked))}\n')
    opener.chmod(0o755)
    environment = {
        "HOME": str(tmp_path / "home"),
        "PATH": f"{opener.parent}:{os.environ['PATH']}",
        "DISPLAY": ":0",
        "BROWSER": str(opener),
        "TERM": "xterm",
    }
    (tmp_path / "home").mkdir()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(
        line for line in readme.splitlines() if "bin/streamlit run app.py" in line and "venv" in line
    )
    start = command.split("&&")[-1].strip().removeprefix(".venv/bin/streamlit")
    port = free_port()
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", *shlex.split(start), "--server.port", str(port)],
        cwd=ROOT,
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    output = b""
    address = f"localhost:{port}"
    deadline = time.monotonic() + 120
    try:
        while not (asked.exists() and asked.read_text() and address.encode() in output):
            assert time.monotonic() < deadline, output.decode()
            if select.select([screen], [], [], 0.2)[0]:
                output += os.read(screen, 4096)
            assert process.poll() is None, output.decode()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)
        os.close(screen)
    assert asked.read_text().strip() == f"http://{address}"
    assert b"email" not in output.lower() and b"e-mail" not in output.lower()
    assert b"Network URL" not in output
