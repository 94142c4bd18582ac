"""The processes that a supervisor looks after: the workers, which are Streamlit servers, and the proxy."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from explorer.assets import ROOT
from explorer.system.as_long_as_parent import as_long_as_us

HEALTH = "_stcore/health"


def free_port() -> int:
    """A port of this computer that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Process:
    """A server at `port` of this computer, started again when it has ended. It writes its errors to `log`."""

    name: str
    command: list[str]
    log: Path
    environment: Mapping[str, str] = field(repr=False)
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0
    failures: int = 0  # how often in a row it has ended soon after its start

    def start(self) -> None:
        """Start the process, in a session of its own: Ctrl+C ends the supervisor first.

        On Windows, Ctrl+C reaches all of them: each can then remove its temporary files, which `terminate`
        would not allow.
        """
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*as_long_as_us(), *self.command],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # Streamlit's greeting would name the worker's own address
                stderr=log,
                start_new_session=sys.platform != "win32",
            )
        self.began = time.monotonic()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def log_end(self) -> str:
        """The end of its log, which may say why it has ended."""
        return self.log.read_text(encoding="utf-8", errors="replace").strip()[-1500:]

    def healthy(self) -> bool:
        """Whether it answers within two seconds."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{HEALTH}", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


def worker(number: int, folder: Path, secret: str, lan: bool) -> Process:
    """A worker of the app, not yet started, which only the proxy reaches; its log goes into the folder.

    All workers have one secret, which signs the cookie that guards uploads: a visitor's file is then accepted
    by whichever worker the visitor has moved to. It goes through the environment, since all users of the
    machine can see arguments. Free names are off unless the environment says otherwise.
    """
    port = free_port()
    options = {"address": "127.0.0.1", "port": str(port), "headless": "true"}
    server = [f"--server.{name}={value}" for name, value in options.items()]
    environment = {
        "RIVERBANK_OPEN_SOURCES": "0",
        **os.environ,
        "STREAMLIT_SERVER_COOKIE_SECRET": secret,
        "RIVERBANK_PROXY": "lan" if lan else "local",
    }
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *server]
    return Process(f"worker {number}", command, folder / f"worker-{number}.log", environment, port)


def end(processes: Iterable[Process], seconds: float = 10) -> None:
    """Ask processes to end, then wait; one that still runs after this many seconds is killed."""
    running = [each.process for each in processes if each.process is not None and each.alive]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + seconds
    for process in running:
        try:
            process.wait(max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
